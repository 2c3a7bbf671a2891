//! Schemes, steps and options by name.

use crate::errors;
use hpfracc::equation::nearest;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{AnyScheme, Exponential, Options, SaveNodes, Steps};
use pyo3::prelude::*;

/// Scheme, steps and options of a solve, as the module `hpfracc.ode` writes them.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Method {
    scheme: String,
    /// Corrector passes of `pece`.
    passes: Option<usize>,
    /// Points, breaks and exponents of `collocation`.
    points: Option<usize>,
    breaks: Vec<f64>,
    exponents: Vec<f64>,
    /// Linear part of exponential integrators: of each component, or a matrix row by row.
    linear: Vec<f64>,
    linear_is_matrix: bool,
    steps: Option<usize>,
    nodes: Option<Vec<f64>>,
    grading: f64,
    rtol: f64,
    atol: f64,
    min_step: f64,
    max_step: f64,
    max_steps: Option<usize>,
    memory: String,
    memory_tolerance: f64,
    save_last: bool,
}

impl Method {
    /// Scheme with these parameters.
    ///
    /// # Errors
    /// `InputError` for an unknown name.
    pub(super) fn scheme(&self) -> PyResult<AnyScheme> {
        let mut scheme =
            AnyScheme::named(&self.scheme).ok_or_else(|| unknown_scheme(&self.scheme))?;
        match &mut scheme {
            AnyScheme::AdamsBashforthMoulton(pece) => {
                pece.passes = self.passes.unwrap_or(pece.passes);
            }
            AnyScheme::Collocation(collocation) => {
                collocation.points = self.points.unwrap_or(collocation.points);
                collocation.breaks.clone_from(&self.breaks);
                collocation.exponents.clone_from(&self.exponents);
            }
            AnyScheme::Exponential(exponential) => *exponential = self.exponential(),
            _ => {}
        }
        Ok(scheme)
    }

    fn exponential(&self) -> Exponential {
        let of = match (self.scheme.as_str(), self.linear_is_matrix) {
            ("exponential-rectangle", false) => Exponential::rectangle,
            ("exponential-rectangle", true) => Exponential::rectangle_of_matrix,
            (_, false) => Exponential::trapezoid,
            (_, true) => Exponential::trapezoid_of_matrix,
        };
        of(&self.linear)
    }

    pub(super) fn steps(&self) -> Steps {
        match (&self.nodes, self.steps) {
            (Some(nodes), _) => Steps::Given(nodes.clone()),
            (None, Some(n)) if self.grading == 1.0 => Steps::Uniform(n),
            (None, Some(n)) => Steps::Graded { n, exponent: self.grading },
            (None, None) => {
                let &Self { rtol, atol, min_step, max_step, .. } = self;
                Steps::Adaptive { rtol, atol, min_step, max_step }
            }
        }
    }

    /// Algorithm for the sum over the history.
    ///
    /// # Errors
    /// `InputError` for an unknown name.
    pub(super) fn history(&self) -> PyResult<HistoryChoice> {
        let tolerance = self.memory_tolerance;
        Ok(match self.memory.as_str() {
            "exact" => HistoryChoice::Exact,
            "direct" => HistoryChoice::Direct,
            "blocked" => HistoryChoice::Blocked,
            "exponentials" => HistoryChoice::Exponentials { tolerance },
            "within" => HistoryChoice::Within { tolerance },
            other => {
                return Err(errors::input(format!(
                    "memory is {other:?}, expected \"exact\", \"direct\", \"blocked\", \"exponentials\" or \
                     \"within\""
                )));
            }
        })
    }

    pub(super) fn saves_last(&self) -> bool {
        self.save_last
    }

    /// Options without callbacks.
    pub(super) fn options<'a>(&self, history: HistoryChoice) -> Options<'a> {
        let save_nodes = if self.save_last { SaveNodes::Last } else { SaveNodes::All };
        Options { history, save_nodes, max_steps: self.max_steps, ..Options::default() }
    }
}

fn unknown_scheme(name: &str) -> PyErr {
    let known = AnyScheme::NAMES.map(|(name, _)| name);
    let hint = nearest(name, known.into_iter())
        .map_or(String::new(), |near| format!(" (did you mean {near:?}?)"));
    errors::input(format!("scheme is {name:?}{hint}, expected one of {}", known.join(", ")))
}

/// Names of the schemes with a description each.
#[pyfunction]
pub(super) fn ode_scheme_names() -> Vec<(&'static str, &'static str)> {
    AnyScheme::NAMES.to_vec()
}
