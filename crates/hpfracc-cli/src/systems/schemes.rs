//! Named schemes of the ODE solver.

use crate::Error;
use hpfracc::ode::{
    AdamsBashforthMoulton, Collocation, L1, LinearMultistep, ProductRectangle, ProductTrapezoid,
    Scheme, Steps,
};

/// Scheme with its name on the command line.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether its steps are adaptive.
    pub(crate) adaptive: bool,
    /// Constructor from the break points of the solution.
    make: fn(Vec<f64>) -> Box<dyn Scheme>,
}

pub(crate) const SCHEMES: [Named; 8] = [
    Named {
        name: "pece",
        about: "predictor-corrector of Adams, Bashforth and Moulton: order up to 2, not stiff",
        adaptive: false,
        make: |_| Box::new(AdamsBashforthMoulton::default()),
    },
    Named {
        name: "rectangle",
        about: "implicit product rectangle: order 1, stiff",
        adaptive: false,
        make: |_| Box::new(ProductRectangle::Implicit),
    },
    Named {
        name: "trapezoid",
        about: "implicit product trapezoid: order up to 2, stiff",
        adaptive: false,
        make: |_| Box::new(ProductTrapezoid),
    },
    Named {
        name: "fractional-trapezoid",
        about: "fractional trapezoidal rule with starting weights: order 2",
        adaptive: false,
        make: |_| Box::new(LinearMultistep::Trapezoidal),
    },
    Named {
        name: "newton-gregory",
        about: "Newton-Gregory formula with starting weights: order 2",
        adaptive: false,
        make: |_| Box::new(LinearMultistep::NewtonGregory),
    },
    Named {
        name: "bdf2",
        about: "fractional BDF2 with starting weights: order 2, stiff",
        adaptive: false,
        make: |_| Box::new(LinearMultistep::Bdf2),
    },
    Named {
        name: "l1",
        about: "implicit L1: order 2 - alpha, stiff, graded steps",
        adaptive: false,
        make: |_| Box::new(L1),
    },
    Named {
        name: "collocation",
        about: "spectral elements with adaptive steps: --rtol, --atol, stiff",
        adaptive: true,
        make: |breaks| Box::new(Collocation { breaks, ..Collocation::default() }),
    },
];

/// Tolerances of adaptive steps that the command line sets.
#[derive(Debug, Default)]
pub(crate) struct Tolerances {
    pub(crate) rtol: Option<f64>,
    pub(crate) atol: Option<f64>,
    pub(crate) min_step: Option<f64>,
}

/// Default relative tolerance of adaptive steps.
const RTOL: f64 = 1e-10;

/// Scheme with this name.
pub(crate) fn named(name: &str) -> Result<&'static Named, Error> {
    SCHEMES.iter().find(|scheme| scheme.name == name).ok_or_else(|| Error::UnknownScheme {
        name: name.to_owned(),
        known: SCHEMES.map(|scheme| scheme.name).join(", "),
    })
}

impl Named {
    pub(crate) fn scheme(&self, breaks: Vec<f64>) -> Box<dyn Scheme> {
        (self.make)(breaks)
    }

    /// Steps of the scheme: `n` of them, or adaptive ones with the tolerances.
    pub(crate) fn steps(
        &self,
        n: usize,
        grading: f64,
        tolerances: &Tolerances,
    ) -> Result<Steps, Error> {
        let &Tolerances { rtol, atol, min_step } = tolerances;
        if self.adaptive {
            let rtol = rtol.unwrap_or(RTOL);
            let (atol, min_step) = (atol.unwrap_or(rtol), min_step.unwrap_or(0.0));
            return Ok(Steps::Adaptive { rtol, atol, min_step });
        }
        for (option, value) in [("--rtol", rtol), ("--atol", atol), ("--min-step", min_step)] {
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
