use super::solve::{DEFAULT_SCHEME, is_offered};
use crate::case::{is_stochastic, parse};
use crate::failure::Failure;
use crate::sliders::{Order, ParameterSlider, order_sliders, parameter_sliders};
use hpfracc::equation::Equation;
use hpfracc::equation::catalogue::Method;
use hpfracc::ode::{AnyScheme, EquationProblem, Options, Steps};
use hpfracc::sde::EquationModel;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    text: String,
}

/// What a text says, or its errors.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Checked {
    ok: bool,
    states: Vec<String>,
    /// Further quantities of a solution.
    shown: Vec<String>,
    parameters: Vec<ParameterSlider>,
    orders: Vec<Order>,
    time: Option<[f64; 2]>,
    stochastic: bool,
    suggested: Suggestion,
    /// Names of the schemes that solve it.
    schemes: Vec<&'static str>,
    errors: Vec<Failure>,
}

/// Method that the text recommends, else the default one.
#[derive(Debug, Serialize)]
struct Suggestion {
    steps: usize,
    scheme: String,
    grading: f64,
}

impl Default for Suggestion {
    fn default() -> Self {
        Self { steps: STEPS, scheme: DEFAULT_SCHEME.to_owned(), grading: 1.0 }
    }
}

/// Default number of steps.
const STEPS: usize = 1000;
/// Steps with which schemes are tried.
const PROBE: usize = 8;

/// The schemes that can solve it with the values of the text; no names for stochastic equations, whose scheme is chosen.
fn schemes(equation: &Equation) -> Result<Vec<&'static str>, Failure> {
    if is_stochastic(equation) {
        EquationModel::new(equation)?;
        return Ok(vec![]);
    }
    let problem = EquationProblem::new(equation)?;
    // A solve that is cancelled at its start has prepared the scheme.
    let cancel = AtomicBool::new(true);
    let solves = |name: &&str| {
        let Some(scheme) = AnyScheme::named(name).filter(|_| is_offered(name)) else {
            return false;
        };
        let adaptive = scheme.is_adaptive();
        let steps = if adaptive { Steps::adaptive(1e-3, 1e-3) } else { Steps::Uniform(PROBE) };
        problem
            .solve(&scheme, &steps, Options { cancel: Some(&cancel), ..Options::default() })
            .is_ok()
    };
    Ok(AnyScheme::NAMES.iter().map(|(name, _)| *name).filter(solves).collect())
}

pub(crate) fn check(request: &Request) -> Checked {
    let equation = match parse(&request.text) {
        Ok(equation) => equation,
        Err(error) => return Checked { errors: vec![error], ..Checked::default() },
    };
    let (schemes, errors) = match schemes(&equation) {
        Ok(schemes) => (schemes, vec![]),
        Err(error) => (vec![], vec![error]),
    };
    let suggested = Method::of_text(&request.text).map(|method| Suggestion {
        steps: method.steps,
        scheme: method.scheme.to_owned(),
        grading: method.grading,
    });
    let ends = equation.interval().map(|ends| equation.values(&ends));
    Checked {
        ok: errors.is_empty(),
        states: equation.states().iter().map(|state| state.name().to_owned()).collect(),
        shown: equation.shown().iter().map(|shown| shown.name().to_owned()).collect(),
        parameters: parameter_sliders(&equation),
        orders: order_sliders(&equation),
        time: ends.map(|ends| [ends[0], ends[1]]),
        stochastic: is_stochastic(&equation),
        suggested: suggested.unwrap_or_default(),
        schemes,
        errors,
    }
}
