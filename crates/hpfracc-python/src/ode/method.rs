//! Schemes, steps and options by name.

use crate::errors;
use hpfracc::equation::nearest;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{
    AdamsBashforthMoulton, Collocation, DifferentiableScheme, Exponential, L1, LinearMultistep,
    Options, ProductRectangle, ProductTrapezoid, SaveNodes, Scheme, Steps,
};
use pyo3::prelude::*;

/// Names of the schemes, and what they are.
pub(super) const SCHEMES: [(&str, &str); 11] = [
    ("pece", "predictor-corrector of Adams, Bashforth and Moulton: order up to 2, not stiff"),
    ("rectangle", "implicit product rectangle: order 1, stiff"),
    ("rectangle-explicit", "explicit product rectangle: order 1, not stiff"),
    ("trapezoid", "implicit product trapezoid: order up to 2, stiff"),
    ("fractional-trapezoid", "fractional trapezoidal rule with starting weights: order 2"),
    ("newton-gregory", "Newton-Gregory formula with starting weights: order 2"),
    ("bdf2", "fractional BDF2 with starting weights: order 2, stiff"),
    ("l1", "implicit L1: order 2 - alpha, stiff, graded steps"),
    ("collocation", "spectral elements with adaptive steps: rtol, atol, stiff"),
    ("exponential-rectangle", "exponential integrator of order 1: stiff linear part"),
    ("exponential-trapezoid", "exponential integrator of order up to 2: stiff linear part"),
];

/// Scheme with its parameters.
#[derive(Debug, Clone)]
pub(super) enum AnyScheme {
    Pece(AdamsBashforthMoulton),
    Rectangle(ProductRectangle),
    Trapezoid(ProductTrapezoid),
    Multistep(LinearMultistep),
    L1(L1),
    Collocation(Collocation),
    Exponential(Exponential),
}

impl AnyScheme {
    pub(super) fn scheme(&self) -> &dyn Scheme {
        match self {
            Self::Pece(scheme) => scheme,
            Self::Rectangle(scheme) => scheme,
            Self::Trapezoid(scheme) => scheme,
            Self::Multistep(scheme) => scheme,
            Self::L1(scheme) => scheme,
            Self::Collocation(scheme) => scheme,
            Self::Exponential(scheme) => scheme,
        }
    }

    pub(super) fn differentiable(&self) -> &dyn DifferentiableScheme {
        match self {
            Self::Pece(scheme) => scheme,
            Self::Rectangle(scheme) => scheme,
            Self::Trapezoid(scheme) => scheme,
            Self::Multistep(scheme) => scheme,
            Self::L1(scheme) => scheme,
            Self::Collocation(scheme) => scheme,
            Self::Exponential(scheme) => scheme,
        }
    }

    /// The same with more break points.
    pub(super) fn with_breaks(mut self, breaks: Vec<f64>) -> Self {
        if let Self::Collocation(scheme) = &mut self {
            scheme.breaks.extend(breaks);
            scheme.breaks.sort_by(f64::total_cmp);
            scheme.breaks.dedup();
        }
        self
    }
}

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
    /// Linear parts of the components, of exponential integrators.
    linear: Vec<f64>,
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
        Ok(match self.scheme.as_str() {
            "pece" => {
                let default = AdamsBashforthMoulton::default();
                let passes = self.passes.unwrap_or(default.passes);
                AnyScheme::Pece(AdamsBashforthMoulton { passes })
            }
            "rectangle" => AnyScheme::Rectangle(ProductRectangle::Implicit),
            "rectangle-explicit" => AnyScheme::Rectangle(ProductRectangle::Explicit),
            "trapezoid" => AnyScheme::Trapezoid(ProductTrapezoid),
            "fractional-trapezoid" => AnyScheme::Multistep(LinearMultistep::Trapezoidal),
            "newton-gregory" => AnyScheme::Multistep(LinearMultistep::NewtonGregory),
            "bdf2" => AnyScheme::Multistep(LinearMultistep::Bdf2),
            "l1" => AnyScheme::L1(L1),
            "collocation" => {
                let default = Collocation::default();
                AnyScheme::Collocation(Collocation {
                    points: self.points.unwrap_or(default.points),
                    breaks: self.breaks.clone(),
                    exponents: self.exponents.clone(),
                })
            }
            "exponential-rectangle" => AnyScheme::Exponential(Exponential::rectangle(&self.linear)),
            "exponential-trapezoid" => AnyScheme::Exponential(Exponential::trapezoid(&self.linear)),
            other => return Err(unknown_scheme(other)),
        })
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
    let known = SCHEMES.map(|(name, _)| name);
    let hint = nearest(name, known.into_iter())
        .map_or(String::new(), |near| format!(" (did you mean {near:?}?)"));
    errors::input(format!("scheme is {name:?}{hint}, expected one of {}", known.join(", ")))
}

/// Names of the schemes with a description each.
#[pyfunction]
pub(super) fn ode_scheme_names() -> Vec<(&'static str, &'static str)> {
    SCHEMES.to_vec()
}
