//! Named schemes of the ODE solver.

use crate::Error;
use hpfracc::ode::{AnyScheme, Steps};

/// Scheme with its name on the command line.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) scheme: AnyScheme,
}

/// Whether the command has a scheme: those without parameters.
fn is_offered(name: &str) -> bool {
    name != "rectangle-explicit" && !name.starts_with("exponential-")
}

/// Names and descriptions of the schemes.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    AnyScheme::NAMES.into_iter().filter(|(name, _)| is_offered(name))
}

/// Tolerances and limits of adaptive steps that the command line sets.
#[derive(Debug, Default)]
pub(crate) struct Tolerances {
    pub(crate) rtol: Option<f64>,
    pub(crate) atol: Option<f64>,
    pub(crate) min_step: Option<f64>,
    pub(crate) max_step: Option<f64>,
    pub(crate) max_steps: Option<u32>,
}

/// Default relative tolerance of adaptive steps.
const RTOL: f64 = 1e-10;

/// Scheme with this name.
pub(crate) fn named(name: &str) -> Result<Named, Error> {
    let known = names().map(|(known, _)| known).find(|known| *known == name);
    let found = known.and_then(|name| Some(Named { name, scheme: AnyScheme::named(name)? }));
    found.ok_or_else(|| Error::unknown("", "scheme", name, names().map(|(name, _)| name)))
}

impl Named {
    /// Whether its steps are adaptive.
    pub(crate) fn is_adaptive(&self) -> bool {
        self.scheme.is_adaptive()
    }

    /// Steps of the scheme: `n` of them, or adaptive ones with the tolerances.
    pub(crate) fn steps(
        &self,
        n: usize,
        grading: f64,
        tolerances: &Tolerances,
    ) -> Result<Steps, Error> {
        let &Tolerances { rtol, atol, min_step, max_step, max_steps } = tolerances;
        if self.is_adaptive() {
            let rtol = rtol.unwrap_or(RTOL);
            let (min_step, max_step) = (min_step.unwrap_or(0.0), max_step.unwrap_or(f64::INFINITY));
            return Ok(Steps::Adaptive { rtol, atol: atol.unwrap_or(rtol), min_step, max_step });
        }
        for (option, value) in [
            ("--rtol", rtol),
            ("--atol", atol),
            ("--min-step", min_step),
            ("--max-step", max_step),
            ("--max-steps", max_steps.map(f64::from)),
        ] {
            if let Some(value) = value {
                let reason = format!("the scheme {} has fixed steps, set by --n", self.name);
                return Err(Error::OptionUnused { option, value: value.to_string(), reason });
            }
        }
        if grading == 1.0 {
            Ok(Steps::Uniform(n))
        } else {
            Ok(Steps::Graded { n, exponent: grading })
        }
    }
}
