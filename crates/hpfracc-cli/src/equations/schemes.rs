//! Named schemes of the ODE solver.

use crate::Error;
use hpfracc::ode::{
    AdamsBashforthMoulton, Collocation, DifferentiableScheme, L1, LinearMultistep,
    ProductRectangle, ProductTrapezoid, Scheme, Steps,
};

/// Scheme with its name on the command line.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether its steps are adaptive.
    pub(crate) adaptive: bool,
    /// Constructor from the break points of the solution.
    make: Make,
    /// Constructor of the scheme with its derivatives, if it has them.
    pub(crate) differentiable: Option<fn() -> Box<dyn DifferentiableScheme>>,
}

pub(crate) const SCHEMES: [Named; 8] = [
    fixed(
        "pece",
        "predictor-corrector of Adams, Bashforth and Moulton: order up to 2, not stiff",
        |_| Box::new(AdamsBashforthMoulton::default()),
        || Box::new(AdamsBashforthMoulton::default()),
    ),
    fixed(
        "rectangle",
        "implicit product rectangle: order 1, stiff",
        |_| Box::new(ProductRectangle::Implicit),
        || Box::new(ProductRectangle::Implicit),
    ),
    fixed(
        "trapezoid",
        "implicit product trapezoid: order up to 2, stiff",
        |_| Box::new(ProductTrapezoid),
        || Box::new(ProductTrapezoid),
    ),
    fixed(
        "fractional-trapezoid",
        "fractional trapezoidal rule with starting weights: order 2",
        |_| Box::new(LinearMultistep::Trapezoidal),
        || Box::new(LinearMultistep::Trapezoidal),
    ),
    fixed(
        "newton-gregory",
        "Newton-Gregory formula with starting weights: order 2",
        |_| Box::new(LinearMultistep::NewtonGregory),
        || Box::new(LinearMultistep::NewtonGregory),
    ),
    fixed(
        "bdf2",
        "fractional BDF2 with starting weights: order 2, stiff",
        |_| Box::new(LinearMultistep::Bdf2),
        || Box::new(LinearMultistep::Bdf2),
    ),
    fixed(
        "l1",
        "implicit L1: order 2 - alpha, stiff, graded steps",
        |_| Box::new(L1),
        || Box::new(L1),
    ),
    adaptive(
        "collocation",
        "spectral elements with adaptive steps: --rtol, --atol, stiff",
        |breaks| Box::new(Collocation { breaks, ..Collocation::default() }),
    ),
];

type Make = fn(Vec<f64>) -> Box<dyn Scheme>;

const fn fixed(
    name: &'static str,
    about: &'static str,
    make: Make,
    differentiable: fn() -> Box<dyn DifferentiableScheme>,
) -> Named {
    Named { name, about, adaptive: false, make, differentiable: Some(differentiable) }
}

const fn adaptive(name: &'static str, about: &'static str, make: Make) -> Named {
    Named { name, about, adaptive: true, make, differentiable: None }
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
pub(crate) fn named(name: &str) -> Result<&'static Named, Error> {
    let found = SCHEMES.iter().find(|scheme| scheme.name == name);
    found.ok_or_else(|| Error::unknown("", "scheme", name, SCHEMES.map(|scheme| scheme.name)))
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
        let &Tolerances { rtol, atol, min_step, max_step, max_steps } = tolerances;
        if self.adaptive {
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
