//! Schemes by their names on the command line.

use crate::Error;
use hpfracc::ode::{
    AdamsBashforthMoulton, Collocation, L1, LinearMultistep, ProductRectangle, ProductTrapezoid,
    Scheme, Steps,
};

/// A scheme with a name.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether it chooses its steps from a tolerance.
    pub(crate) adaptive: bool,
    /// From the times after which the solution is less smooth.
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
        make: |_| Box::new(LinearMultistep::trapezoidal()),
    },
    Named {
        name: "newton-gregory",
        about: "Newton-Gregory formula with starting weights: order 2",
        adaptive: false,
        make: |_| Box::new(LinearMultistep::newton_gregory()),
    },
    Named {
        name: "bdf2",
        about: "fractional BDF2 with starting weights: order 2, stiff",
        adaptive: false,
        make: |_| Box::new(LinearMultistep::bdf2()),
    },
    Named {
        name: "l1",
        about: "implicit L1: order 2 - alpha, stiff, graded steps",
        adaptive: false,
        make: |_| Box::new(L1),
    },
    Named {
        name: "collocation",
        about: "piecewise polynomials of high degree: to --tolerance, stiff",
        adaptive: true,
        make: |breaks| Box::new(Collocation { breaks, ..Collocation::default() }),
    },
];

/// What schemes that choose their steps are asked for unless told otherwise.
const TOLERANCE: f64 = 1e-10;

/// The scheme of a name.
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

    /// Steps for it: `n` of them, or of the lengths that a tolerance asks for.
    pub(crate) fn steps(
        &self,
        n: usize,
        grading: f64,
        tolerance: Option<f64>,
    ) -> Result<Steps, Error> {
        match (self.adaptive, tolerance) {
            (false, Some(tolerance)) => Err(Error::OptionUnused {
                option: "--tolerance",
                value: tolerance.to_string(),
                reason: format!("the scheme {} takes the steps it is given, --n", self.name),
            }),
            (false, None) if grading == 1.0 => Ok(Steps::Uniform(n)),
            (false, None) => Ok(Steps::Graded { n, exponent: grading }),
            (true, tolerance) => {
                let relative = tolerance.unwrap_or(TOLERANCE);
                Ok(Steps::Adaptive { relative, absolute: relative, shortest: 0.0 })
            }
        }
    }
}
