//! Method, steps and history of a solve by name.

use crate::errors;
use hpfracc::equation::nearest;
use hpfracc::ode::Steps;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::pde::{FieldProblem, PdeError, TimeScheme, graded_steps};
use pyo3::prelude::*;

/// Method, steps and times of a solve, as the module `hpfracc.pde` writes them.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(in crate::fields) struct SolveSettings {
    /// None: without steps where it can be and no steps are set, else the product trapezoidal rule.
    method: Option<String>,
    pub(super) until: f64,
    pub(super) save: Vec<f64>,
    /// Number of fixed steps; None for the default number.
    steps: Option<usize>,
    nodes: Option<Vec<f64>>,
    grading: Option<f64>,
    /// rtol, atol, min_step and max_step of adaptive steps.
    adaptive: Option<(f64, f64, f64, f64)>,
    /// None: that of the problem.
    pub(super) tolerance: Option<f64>,
    memory: String,
    memory_tolerance: f64,
}

/// Number of steps by default.
const STEPS: usize = 200;

/// Name of the method without steps.
pub(super) const WITHOUT_STEPS: &str = "without-steps";

/// Names of the methods.
const METHODS: [&str; 4] = [WITHOUT_STEPS, "product-trapezoid", "l1", "implicit-explicit"];

/// Name of a scheme.
pub(super) fn name(scheme: TimeScheme) -> &'static str {
    match scheme {
        TimeScheme::ProductTrapezoid => METHODS[1],
        TimeScheme::L1 => METHODS[2],
        TimeScheme::ImplicitExplicit => METHODS[3],
    }
}

impl SolveSettings {
    /// Scheme of the steps; None for a solution without steps.
    ///
    /// # Errors
    /// `InputError` for an unknown name, and without steps for an equation that is not linear.
    pub(super) fn scheme(&self, problem: &FieldProblem) -> PyResult<Option<TimeScheme>> {
        let linear = problem.is_linear();
        let stepped = self.steps.is_some()
            || self.nodes.is_some()
            || self.grading.is_some()
            || self.adaptive.is_some();
        match self.method.as_deref() {
            None if linear && !stepped => Ok(None),
            Some(WITHOUT_STEPS) if !linear => Err(errors::input(format!(
                "method is {WITHOUT_STEPS:?}, which needs a linear equation with constant coefficients and orders, sources \
                 that do not depend on time, boundary values 0 and no events"
            ))),
            Some(WITHOUT_STEPS) if stepped => Err(errors::input(format!(
                "method is {WITHOUT_STEPS:?}, which has no steps, grading or rtol"
            ))),
            Some(WITHOUT_STEPS) => Ok(None),
            None => Ok(Some(problem.default_scheme())),
            Some("product-trapezoid") if !problem.text().has_single_orders() => Err(errors::input(
                "method is \"product-trapezoid\", which has one order in time for each field; several, distributed and \
                 variable orders have \"l1\" and \"implicit-explicit\"",
            )),
            Some("product-trapezoid") => Ok(Some(TimeScheme::ProductTrapezoid)),
            Some("l1") => Ok(Some(TimeScheme::L1)),
            Some("implicit-explicit") => Ok(Some(TimeScheme::ImplicitExplicit)),
            Some(unknown) => {
                let hint = nearest(unknown, METHODS.into_iter())
                    .map_or(String::new(), |near| format!(" (did you mean {near:?}?)"));
                let known = METHODS.join(", ");
                Err(errors::input(format!("method is {unknown:?}{hint}, expected one of {known}")))
            }
        }
    }

    /// Steps for orders of which this is the lowest.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for no step.
    pub(super) fn steps(&self, lowest: f64) -> Result<Steps, PdeError> {
        if let Some(nodes) = &self.nodes {
            return Ok(Steps::Given(nodes.clone()));
        }
        if let Some((rtol, atol, min_step, max_step)) = self.adaptive {
            return Ok(Steps::Adaptive { rtol, atol, min_step, max_step });
        }
        let n = self.steps.unwrap_or(STEPS);
        match self.grading {
            Some(exponent) => Ok(Steps::Graded { n, exponent }),
            None => graded_steps(lowest, n),
        }
    }

    /// Algorithm for the sum over the history.
    ///
    /// # Errors
    /// `InputError` for an unknown name.
    pub(super) fn history(&self) -> PyResult<HistoryChoice> {
        let tolerance = self.memory_tolerance;
        Ok(match self.memory.as_str() {
            "exponentials" => HistoryChoice::Exponentials { tolerance },
            "single-exponentials" => HistoryChoice::SingleExponentials { tolerance },
            "exact" => HistoryChoice::Exact,
            other => {
                return Err(errors::input(format!(
                    "memory is {other:?}, expected \"exponentials\", \"single-exponentials\" or \"exact\""
                )));
            }
        })
    }
}
