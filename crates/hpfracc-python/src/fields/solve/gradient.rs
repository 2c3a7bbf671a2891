//! Gradient of a loss of fields at nodes of the steps, by the exact discrete adjoint.
//!
//! Coefficients, orders and initial values are functions of the parameters of the text. Their derivatives are differences
//! of second order, whose errors are those of smooth formulas.

use super::problem::{self, FaceValue, Rows};
use super::settings::SolveSettings;
use crate::arrays;
use crate::errors::{self, OrRaise};
use crate::fields::equation::PyFieldEquation;
use crate::fields::grid::PyBox;
use crate::fields::operator::PyOperator;
use crate::ode::control;
use hpfracc::ode::{
    AnyScheme, Cotangents, L1, Options, Problem, ProductTrapezoid, SaveNodes, Steps, Variation,
    gradient, solve,
};
use hpfracc::pde::{FieldProblem, MethodOfLines, PdeError, TimeScheme};
use numpy::{IntoPyArray, PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Derivatives with respect to the parameters by name, the start of all fields, and the orders.
type Gradient<'py> = (Vec<(String, f64)>, Bound<'py, PyArray1<f64>>, Vec<f64>);

/// Largest distance of a time from its node, relative to the end.
const SAME: f64 = 1e-12;

/// Gradient of a loss, from its derivatives with respect to the fields at the times of the result. Parameters in `held`
/// are left out, and those that change an operator in space.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the parts of a problem, as Python names them")]
pub(in crate::fields) fn field_gradient<'py>(
    py: Python<'py>,
    equation: &PyFieldEquation,
    grid: Option<&PyBox>,
    operator: Option<&PyOperator>,
    values: Vec<FaceValue>,
    start: Vec<Option<Bound<'py, PyAny>>>,
    velocity: Vec<Option<Bound<'py, PyAny>>>,
    settings: SolveSettings,
    held: Vec<String>,
    cotangents: &Bound<'py, PyAny>,
    report: Option<&Bound<'py, PyAny>>,
) -> PyResult<Gradient<'py>> {
    let problem = problem::on_points(equation, grid, operator, values)?;
    if !problem.text().has_single_orders() {
        return Err(errors::input(
            "the gradient of a solution with several, distributed or variable orders does not exist in Python; \
             `Equation::problem_of_orders` has it in Rust",
        ));
    }
    let scheme = match settings.scheme(&problem)? {
        Some(TimeScheme::ProductTrapezoid) => AnyScheme::ProductTrapezoid(ProductTrapezoid),
        Some(TimeScheme::L1) => AnyScheme::L1(L1),
        _ => {
            return Err(errors::input(
                "the gradient of a solution without steps or by \"implicit-explicit\": solve with method \
                 \"product-trapezoid\" or \"l1\"",
            ));
        }
    };
    let bars = arrays::doubles("cotangents", cotangents)?;
    let expected = [settings.save.len(), equation_len(&problem, grid, operator)];
    if bars.shape() != expected {
        let (found, expected) = (arrays::tuple(bars.shape()), arrays::tuple(&expected));
        return Err(errors::input(format!(
            "cotangents have the shape {found}, expected {expected}"
        )));
    }
    let bars: Vec<f64> = bars.as_array().iter().copied().collect();
    let rows = problem::rows(start, velocity)?;
    let lowest = problem.orders().into_iter().fold(2.0, f64::min);
    let steps = settings.steps(lowest).or_raise()?;
    let request = Request { problem, rows, scheme, steps, until: settings.until, held };
    let save = settings.save;
    let run = move |_: &control::Control| request.gradient(&save, &bars);
    let found = control::run(py, report, run)?.map_err(Refusal::raise)?;
    Ok((found.parameters, found.start.into_pyarray(py), found.orders))
}

/// Number of values of all fields.
fn equation_len(
    problem: &FieldProblem,
    grid: Option<&PyBox>,
    operator: Option<&PyOperator>,
) -> usize {
    let of_operator = || operator.map_or(0, |operator| operator.shape.iter().product());
    let n = grid.map_or_else(of_operator, |grid| grid.grid().len());
    n * problem.text().fields().len()
}

/// Why there is no gradient.
enum Refusal {
    Pde(PdeError),
    /// A time of the result that is no node of the steps.
    NoNode(f64),
}

impl<E: Into<PdeError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Pde(error.into())
    }
}

impl Refusal {
    fn raise(self) -> PyErr {
        match self {
            Self::Pde(error) => errors::raise(error.into()),
            Self::NoNode(t) => errors::input(format!(
                "save has the time {t:?}, which is no node of the steps: derivatives are those at nodes; give steps \
                 whose nodes have the times of save, or save the end alone"
            )),
        }
    }
}

/// Derivatives of a loss.
struct Derivatives {
    parameters: Vec<(String, f64)>,
    /// With respect to the start of all fields.
    start: Vec<f64>,
    orders: Vec<f64>,
}

/// Equation and how it is solved.
struct Request {
    problem: FieldProblem,
    rows: Rows,
    scheme: AnyScheme,
    steps: Steps,
    until: f64,
    held: Vec<String>,
}

impl Request {
    fn gradient(&self, save: &[f64], bars: &[f64]) -> Result<Derivatives, Refusal> {
        let problem = self.stated(&self.problem)?;
        let options = || Options { save_nodes: SaveNodes::All, ..Options::default() };
        let solution = solve(&problem, &self.scheme, &self.steps, options())?;
        let nodes = solution.times();
        let node_of = |t: &f64| {
            let after = nodes.partition_point(|node| node < t);
            let near = [after.saturating_sub(1), after.min(nodes.len() - 1)];
            let found = near.into_iter().find(|k| (nodes[*k] - t).abs() <= SAME * self.until);
            found.ok_or(Refusal::NoNode(*t))
        };
        let places: Vec<usize> = save.iter().map(node_of).collect::<Result<_, _>>()?;
        let loss: Vec<(usize, &[f64])> =
            places.into_iter().zip(bars.chunks_exact(problem.dim().max(1))).collect();
        let loss = Cotangents::At(&loss);
        let bar = gradient(&problem, &self.scheme, &solution, loss, &Options::default())?;
        let start = bar.initial.row(0).to_vec();
        let fields = self.problem.text().fields().len();
        let orders = match bar.orders.len() {
            1 => bar.orders.clone(),
            dim => bar.orders.chunks(dim / fields).map(|of_field| of_field.iter().sum()).collect(),
        };
        Ok(Derivatives { parameters: self.by_parameters(&problem, &bar), start, orders })
    }

    /// The semi-discretisation of a problem.
    fn stated(&self, problem: &FieldProblem) -> Result<Problem<MethodOfLines<'static>>, PdeError> {
        problem::started(problem, problem.equation()?, &self.rows)?.problem(self.until)
    }

    /// Derivatives with respect to the parameters of the text.
    fn by_parameters(
        &self,
        problem: &Problem<MethodOfLines<'static>>,
        bar: &Variation,
    ) -> Vec<(String, f64)> {
        let parameters = self.problem.text().parameters().iter();
        let free = parameters.filter(|parameter| {
            !self.held.iter().any(|held| held == parameter.name())
                && !self.problem.changes_operator(parameter.name())
        });
        free.filter_map(|parameter| {
            let (name, value) = (parameter.name(), parameter.value());
            Some((name.to_owned(), self.direction(problem, name, value)?.dot(bar)))
        })
        .collect()
    }

    /// Change of the initial values, coefficients and orders with a parameter. None where it changes their number.
    fn direction(
        &self,
        centre: &Problem<MethodOfLines<'static>>,
        name: &str,
        value: f64,
    ) -> Option<Variation> {
        let h = f64::EPSILON.cbrt() * value.abs().max(1e-2);
        let at = |shift: f64| {
            let moved = self.problem.clone().with_value(name, value + shift).ok()?;
            self.stated(&moved).ok()
        };
        // One-sided at the ends of a range.
        let weights: [&[(f64, f64)]; 3] = [
            &[(1.0, 0.5), (-1.0, -0.5)],
            &[(0.0, 1.5), (-1.0, -2.0), (-2.0, 0.5)],
            &[(0.0, -1.5), (1.0, 2.0), (2.0, -0.5)],
        ];
        weights.into_iter().find_map(|weights| {
            let mut direction = Variation::zeros(centre);
            for (shift, weight) in weights {
                let moved = at(shift * h)?;
                FieldProblem::add_to_direction(&mut direction, weight / h, &moved)?;
            }
            Some(direction)
        })
    }
}
