//! The class `EquationCore`: an equation as data.

use super::files::FilesIn;
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::equation::structure::{self, linear_part};
use hpfracc::equation::{
    Derivative, Equation, Id, Symbol, Values, catalogue, derive, evaluate, nearest,
};
use hpfracc::ode::EquationProblemError;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Equation of a text with the values of its parameters.
#[pyclass(name = "EquationCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyEquation {
    equation: Equation,
    /// Folder of the files that the text names.
    folder: String,
}

/// Name of a derivative, as the argument `definition` of `hpfracc.solve` has it.
fn definition(derivative: Derivative) -> &'static str {
    match derivative {
        Derivative::Caputo => "caputo",
        Derivative::RiemannLiouville => "riemann-liouville",
        Derivative::CaputoFabrizio => "caputo-fabrizio",
        Derivative::AtanganaBaleanu => "atangana-baleanu",
    }
}

/// Range of a parameter: ends, and whether they belong to it.
type Ends = (f64, f64, bool, bool);
/// Entry of a matrix: row, column, expression.
type Entry = (usize, usize, String);

impl PyEquation {
    /// The equation.
    pub(crate) fn equation(&self) -> &Equation {
        &self.equation
    }

    fn with(&self, equation: Equation) -> Self {
        Self { equation, folder: self.folder.clone() }
    }

    fn drifts(&self) -> Vec<Id> {
        self.equation.states().iter().map(|state| state.drift()).collect()
    }

    fn state_variables(&self) -> Vec<u32> {
        let states = 0..self.equation.states().len();
        states.filter_map(|k| self.equation.variable(Symbol::State(k))).collect()
    }
}

#[pymethods]
impl PyEquation {
    /// Reads a text, and the files of a folder that it names.
    #[staticmethod]
    fn parse(text: &str, folder: String) -> PyResult<Self> {
        let files = PathBuf::from(&folder);
        let equation = Equation::parse_with(text, &FilesIn(&files)).or_raise()?;
        Ok(Self { equation, folder })
    }

    /// Canonical text.
    fn text(&self) -> String {
        self.equation.to_string()
    }

    fn folder(&self) -> &str {
        &self.folder
    }

    fn states(&self) -> Vec<String> {
        self.equation.states().iter().map(|state| state.name().to_owned()).collect()
    }

    /// Name, value, range and unit of each parameter.
    fn parameters(&self) -> Vec<(String, f64, Option<Ends>, Option<String>)> {
        let parameters = self.equation.parameters().iter();
        let one = |parameter: &hpfracc::equation::Parameter| {
            let range = parameter.range().map(|range| {
                (range.low(), range.high(), range.is_low_closed(), range.is_high_closed())
            });
            let unit = parameter.unit().map(str::to_owned);
            (parameter.name().to_owned(), parameter.value(), range, unit)
        };
        parameters.map(one).collect()
    }

    fn orders(&self) -> Vec<f64> {
        self.equation.orders()
    }

    fn lower_orders(&self) -> Vec<Vec<f64>> {
        let states = self.equation.states().iter();
        states.map(|state| self.equation.values(state.lower_orders())).collect()
    }

    /// Definition of the derivative of each state.
    fn derivatives(&self) -> Vec<&'static str> {
        self.equation.states().iter().map(|state| definition(state.definition())).collect()
    }

    /// Right-hand side of each state.
    fn right_hand_sides(&self) -> Vec<String> {
        self.drifts().into_iter().map(|drift| self.equation.expression(drift)).collect()
    }

    fn definitions(&self) -> Vec<(String, String)> {
        let named = self.equation.definitions().iter();
        named.map(|d| (d.name().to_owned(), self.equation.expression(d.value()))).collect()
    }

    fn shown(&self) -> Vec<(String, String)> {
        let named = self.equation.shown().iter();
        named.map(|d| (d.name().to_owned(), self.equation.expression(d.value()))).collect()
    }

    fn delays(&self) -> Vec<String> {
        self.equation.delays().iter().map(|delay| self.equation.expression(*delay)).collect()
    }

    fn noises(&self) -> Vec<(String, String)> {
        let noises = self.equation.noises().iter();
        noises.map(|noise| (noise.name().to_owned(), noise.process().to_string())).collect()
    }

    fn events(&self) -> Vec<String> {
        let events = self.equation.events().iter();
        events.map(|event| structure::event_text(&self.equation, event)).collect()
    }

    fn interval(&self) -> Option<(f64, f64)> {
        let ends = self.equation.values(&self.equation.interval()?);
        Some((ends[0], ends[1]))
    }

    fn form(&self) -> String {
        structure::form(&self.equation)
    }

    fn is_autonomous(&self) -> bool {
        structure::is_time_invariant(&self.equation)
    }

    fn fingerprint(&self) -> u64 {
        self.equation.fingerprint()
    }

    fn equals(&self, other: &Self) -> bool {
        self.equation == other.equation
    }

    /// Entries of the Jacobian of the right-hand side that are not identically zero.
    fn jacobian(&self) -> PyResult<Vec<Entry>> {
        let mut graph = self.equation.graph().clone();
        let entries = derive::jacobian(&mut graph, &self.drifts(), &self.state_variables());
        let entries = entries.map_err(EquationProblemError::from).or_raise()?;
        let text = |id| self.equation.expression_in(&graph, id);
        Ok(entries.iter().map(|entry| (entry.row, entry.column, text(entry.value))).collect())
    }

    /// Entries of the linear part with constant coefficients, and whether nothing else remains.
    fn linear_part(&self) -> (Vec<Entry>, bool) {
        let mut graph = self.equation.graph().clone();
        let symbols = self.equation.symbols();
        let parameter =
            |number: u32| matches!(symbols.get(number as usize), Some(Symbol::Parameter(_)));
        let part = linear_part(&mut graph, &self.drifts(), &self.state_variables(), parameter);
        let zero = |id: &Id| graph.node(*id).as_constant() == Some(0.0);
        let whole = part.rest.iter().all(zero);
        let text = |id| self.equation.expression_in(&graph, id);
        let entries = part.matrix.iter();
        (entries.map(|entry| (entry.row, entry.column, text(entry.value))).collect(), whole)
    }

    /// Value of the right-hand side at a time and a state.
    fn rhs<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let y = arrays::vector("y", y)?;
        let (equation, states) = (&self.equation, self.equation.states());
        if y.len() != states.len() {
            let (found, expected) = (y.len(), states.len());
            return Err(errors::input(format!(
                "y has {found} numbers, expected {expected}, one for each state"
            )));
        }
        let mut refused = None;
        let of_symbol = |symbol: &Symbol| match *symbol {
            Symbol::Time => Values::Uniform(t),
            Symbol::State(k) => Values::Path(y[k]),
            Symbol::Parameter(k) => Values::Uniform(equation.parameters()[k].value()),
            Symbol::Lagged { .. } => {
                refused = Some("lagged states, which t and y do not determine");
                Values::Uniform(f64::NAN)
            }
            Symbol::LowerDerivative { .. } => {
                refused = Some("lower derivatives, which t and y do not determine");
                Values::Uniform(f64::NAN)
            }
        };
        let variables: Vec<Values<f64>> = equation.symbols().iter().map(of_symbol).collect();
        match refused {
            Some(what) => Err(errors::input(format!("the right-hand side has {what}"))),
            None => Ok(evaluate(equation.graph(), &self.drifts(), &variables).into_pyarray(py)),
        }
    }

    /// With other values of parameters.
    fn with_values(&self, values: Vec<(String, f64)>) -> PyResult<Self> {
        let mut equation = self.equation.clone();
        for (name, value) in values {
            equation.set(&name, value).map_err(|error| {
                let known = self.equation.parameters().iter().map(|parameter| parameter.name());
                let unknown = self.equation.parameter(&name).is_none();
                let hint = nearest(&name, known).filter(|_| unknown);
                let hint = hint.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                errors::input(format!("{error}{hint}"))
            })?;
        }
        Ok(self.with(equation))
    }

    fn with_orders(&self, orders: Vec<f64>) -> PyResult<Self> {
        if orders.is_empty() {
            return Err(errors::input("the list of orders is empty"));
        }
        Ok(self.with(self.equation.clone().with_orders(&orders).or_raise()?))
    }

    fn with_interval(&self, t0: f64, t1: f64) -> Self {
        self.with(self.equation.clone().with_interval((t0, t1)))
    }

    /// With other initial values: state, derivative, value of each.
    fn with_initial(&self, values: Vec<(usize, usize, f64)>) -> PyResult<Self> {
        let mut equation = self.equation.clone();
        for (state, derivative, value) in values {
            let known = self.equation.states().get(state);
            let name = known.map_or_else(|| state.to_string(), |state| state.name().to_owned());
            let order = known.map_or(f64::NAN, |state| self.equation.value(state.order()));
            let changed = equation.with_initial_value(state, derivative, value);
            equation = changed.ok_or_else(|| {
                errors::input(format!(
                    "an initial value of derivative {derivative} of {name}, whose order {order} takes none"
                ))
            })?;
        }
        Ok(self.with(equation))
    }
}

/// Entries of the catalogue: name, title, description, source, scheme, steps, grading, text.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "the fields of an entry, once")]
pub(super) fn equation_catalogue() -> Vec<(
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
    f64,
    &'static str,
)> {
    let entries = catalogue::ENTRIES.iter();
    entries
        .map(|e| {
            (e.name, e.title, e.about.as_str(), e.source, e.scheme, e.steps, e.grading, e.text)
        })
        .collect()
}

/// Name of the catalogue that is nearest to another one.
#[pyfunction]
pub(super) fn nearest_equation(name: &str) -> Option<&'static str> {
    nearest(name, catalogue::ENTRIES.iter().map(|entry| entry.name))
}
