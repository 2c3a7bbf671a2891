//! Fractional differential equations as models.

mod derivatives;
mod quantities;
mod solved;

use super::nodes::{Nodes, Resolution};
use super::{Bound, Declared, Model};
use crate::FitError;
use hpfracc_equation::{Equation, Symbol};
use hpfracc_ode::{DifferentiableScheme, EquationProblem};
use quantities::Quantities;
use solved::{BoundEquation, Solved};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Default number of steps, equal and unequal ones.
const STEPS: (usize, usize) = (1000, 300);

type Scheme = Arc<dyn DifferentiableScheme + Send + Sync>;

/// Model of a fractional differential equation, whose parameters, orders and initial values are fitted: those that have
/// names in its text.
///
/// Its one input is time, its responses are quantities of the equation: states, shown quantities and definitions. It is
/// solved from the start of the interval in the text (0 without one) to the last time of the data, and
/// **every time of the data is a node**: of equal steps where some number of them meets all times, of unequal ones, denser
/// after the start as `T (j/N)^3`, where none does. Nothing is rounded or interpolated; times that the model is
/// evaluated at later, for a band or a picture, have a solve of their own.
///
/// Derivatives are the exact ones of the numerical solution, with respect to orders, too, by tangents or, for many more
/// parameters than values in the data, by adjoints; a fit finds the minimum of the discretised problem. [`Found::discretisation`](crate::Found::discretisation) compares that part of the
/// error with the statistical one.
///
/// | steps | default scheme | error of solutions |
/// |---|---|---|
/// | equal, 1000 or more | [`LinearMultistep::Trapezoidal`](hpfracc_ode::LinearMultistep), orders from 0.15 on | N^-2, about 1e-6 |
/// | equal, with delays | [`ProductTrapezoid`](hpfracc_ode::ProductTrapezoid) | N^-(1 + alpha) |
/// | unequal, 300 or more | [`ProductTrapezoid`](hpfracc_ode::ProductTrapezoid) | N^-2, about 1e-5 |
///
/// Cost: a solve and its tangents for each pass of a fit, about three solves for four parameters on equal steps and five on
/// unequal ones (whose time grows as N^2); one solve for residuals alone. With delays, tangents are computed one by one.
/// Adjoints are a reverse sweep for each value of the data, whatever the number of parameters. A fit of p parameters also
/// stores and factorises p (p + 1)/2 numbers: the weights of networks, thousands, are for trainings.
///
/// Parameters without a range that are orders lie between the whole numbers of initial values that they take.
///
/// ```
/// use hpfracc_equation::Equation;
/// use hpfracc_fit::{EquationModel, Fit, Set};
///
/// let equation = Equation::parse("D^alpha y = -y/tau; alpha = 0.9; tau = 1 in (0, inf); y(0) = a; a = 1")?;
/// let t = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
/// let y = [2.00, 1.32, 1.06, 0.88, 0.76, 0.68, 0.61];
/// let model = EquationModel::new(&equation, &["y"], &t)?;
/// let found = Fit::new(Set::new("relaxation", &model).input(&t).response(&y))?.run()?;
/// let alpha = found.estimate("alpha").unwrap();
/// assert!((alpha.value - 0.7).abs() < 2.0 * alpha.standard_error.unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EquationModel {
    equation: Equation,
    quantities: Arc<Quantities>,
    declared: Vec<Declared>,
    /// Index in the equation of each declared parameter.
    free: Vec<usize>,
    scheme: Option<Scheme>,
    resolution: Resolution,
    nodes: Nodes,
    /// The last parameters whose derivatives were computed: a step with acceleration needs them twice.
    latest: Mutex<Option<Arc<Solved>>>,
}

impl EquationModel {
    /// Model of quantities of an equation, by their names, at the times of the data.
    ///
    /// # Errors
    /// [`FitError::Time`] for times that are not finite or before the start, [`FitError::Quantity`] for a name that is no
    /// quantity, [`FitError::Equation`] for an equation without such solutions or derivatives: with noise, events, other
    /// derivatives than Caputo's, or a start that depends on parameters.
    pub fn new(equation: &Equation, quantities: &[&str], times: &[f64]) -> Result<Self, FitError> {
        let refused = |reason: &str| Err(FitError::Equation { reason: reason.to_owned() });
        if !equation.events().is_empty() {
            return refused("an equation with events has no fit: its solution may jump");
        }
        let start = match equation.interval() {
            Some(_) if start_depends(equation) => {
                return refused(
                    "its start depends on a parameter, so that no time of the data is a node",
                );
            }
            Some([start, _]) => equation.value(start),
            None => 0.0,
        };
        let (equal, unequal) = STEPS;
        let resolution = Resolution { equal, unequal, refinement: 1 };
        let nodes = Nodes::new(start, times, resolution)?;
        let equation = equation.clone().with_interval((start, nodes.end()));
        EquationProblem::new(&equation)?.check_gradient()?;
        let quantities = Arc::new(Quantities::new(&equation, quantities)?);
        let free: Vec<usize> = (0..equation.parameters().len()).collect();
        let declared = free.iter().map(|k| declared(&equation, *k)).collect();
        let (scheme, latest) = (None, Mutex::new(None));
        Ok(Self { equation, quantities, declared, free, scheme, resolution, nodes, latest })
    }

    /// Parameters that are constants with the values in the text, and none of the model. Fixed parameters of a fit are
    /// differentiated, too; these are not.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn constants(mut self, names: &[&str]) -> Result<Self, FitError> {
        for name in names {
            let Some(k) = self.declared.iter().position(|known| known.name == *name) else {
                let known: Vec<&str> = self.declared.iter().map(|k| k.name.as_str()).collect();
                let (name, known) = ((*name).to_owned(), known.join(", "));
                return Err(FitError::UnknownParameter { name, known });
            };
            self.declared.remove(k);
            self.free.remove(k);
        }
        Ok(self)
    }

    /// Sets the scheme.
    pub fn scheme(mut self, scheme: impl DifferentiableScheme + Send + Sync + 'static) -> Self {
        self.scheme = Some(Arc::new(scheme));
        self
    }

    /// Sets the least number of steps; times of the data may need more.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for 0.
    pub fn steps(self, steps: usize) -> Result<Self, FitError> {
        if steps == 0 {
            let what = "the number of steps";
            return Err(FitError::OutOfRange { what, value: 0.0, expected: "at least 1" });
        }
        let resolution = Resolution { equal: steps, unequal: steps, ..self.resolution };
        self.with_resolution(resolution)
    }

    /// Number of steps of a solve.
    pub fn step_count(&self) -> usize {
        self.nodes.steps.count().unwrap_or(0)
    }

    /// Whether all steps have the same length.
    pub fn has_equal_steps(&self) -> bool {
        matches!(self.nodes.steps, hpfracc_ode::Steps::Uniform(_))
    }

    fn with_resolution(self, resolution: Resolution) -> Result<Self, FitError> {
        let times: Vec<f64> = self.nodes.times().iter().map(|(t, _)| *t).collect();
        let nodes = Nodes::new(self.nodes.start, &times, resolution)?;
        Ok(Self { resolution, nodes, latest: Mutex::new(None), ..self })
    }

    fn remember(&self, solved: &Arc<Solved>) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = Some(Arc::clone(solved));
    }
}

impl Model for EquationModel {
    fn parameters(&self) -> &[Declared] {
        &self.declared
    }

    fn inputs(&self) -> usize {
        1
    }

    fn responses(&self) -> usize {
        self.quantities.count()
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let same = |solved: &Arc<Solved>| {
            let values = self.free.iter().map(|k| solved.equation.parameters()[*k].value());
            values.eq(parameters.iter().copied())
        };
        if let Some(solved) = latest.filter(same) {
            return Ok(Box::new(BoundEquation { model: self, solved }));
        }
        let mut equation = self.equation.clone();
        for (declared, value) in self.declared.iter().zip(parameters) {
            equation
                .set(&declared.name, *value)
                .map_err(|error| FitError::Equation { reason: error.to_string() })?;
        }
        let solved = Arc::new(Solved::new(equation));
        Ok(Box::new(BoundEquation { model: self, solved }))
    }

    fn refined(&self) -> Option<Box<dyn Model + '_>> {
        let refinement = 2 * self.resolution.refinement;
        let resolution = Resolution { refinement, ..self.resolution };
        let copy = Self {
            equation: self.equation.clone(),
            quantities: Arc::clone(&self.quantities),
            declared: self.declared.clone(),
            free: self.free.clone(),
            scheme: self.scheme.clone(),
            resolution: self.resolution,
            nodes: self.nodes.clone(),
            latest: Mutex::new(None),
        };
        let refined = copy.with_resolution(resolution).ok()?;
        Some(Box::new(refined))
    }
}

impl fmt::Debug for EquationModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EquationModel")
            .field("parameters", &self.declared)
            .field("steps", &self.step_count())
            .finish_non_exhaustive()
    }
}

/// Whether the start of the interval depends on a parameter.
fn start_depends(equation: &Equation) -> bool {
    let parameter =
        |number: u32| matches!(equation.symbols().get(number as usize), Some(Symbol::Parameter(_)));
    let depends = equation.graph().depends(parameter);
    equation.interval().is_some_and(|[start, _]| depends[start.index()])
}

/// Parameter of an equation with its range; an order without one takes the initial values that the text has.
fn declared(equation: &Equation, k: usize) -> Declared {
    let parameter = &equation.parameters()[k];
    let mut declared = super::formula::declared(parameter);
    if parameter.range().is_some() {
        return declared;
    }
    let mut graph = equation.graph().clone();
    let Some(variable) = equation.variable(Symbol::Parameter(k)) else { return declared };
    let order = graph.variable(variable);
    for state in equation.states().iter().filter(|state| state.order() == order) {
        let rows = parameter.value().ceil();
        declared.lower = declared.lower.max(if rows > 1.0 { rows - 1.0 } else { 0.0 }.next_up());
        declared.upper = declared.upper.min(if state.history().is_some() {
            rows
        } else {
            state.initial().len().max(1) as f64
        });
    }
    declared
}
