use crate::{
    AdamsBashforthMoulton, Collocation, DifferentiableScheme, Exponential, Interpolation, L1,
    LinearMultistep, MemoryEstimate, OdeError, ProductRectangle, ProductTrapezoid, Recursion,
    Scheme, Setup, Stepper,
};

/// Scheme that is chosen at run time, by its name.
///
/// ```
/// use hpfracc_ode::{AnyScheme, Options, Problem, Steps, solve};
///
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let scheme = AnyScheme::named("bdf2").expect("a known name");
/// let solution = solve(&problem, &scheme, &Steps::Uniform(1000), Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyScheme {
    /// `pece`.
    AdamsBashforthMoulton(AdamsBashforthMoulton),
    /// `rectangle` and `rectangle-explicit`.
    ProductRectangle(ProductRectangle),
    /// `trapezoid`.
    ProductTrapezoid(ProductTrapezoid),
    /// `fractional-trapezoid`, `newton-gregory` and `bdf2`.
    LinearMultistep(LinearMultistep),
    /// `l1`.
    L1(L1),
    /// `collocation`.
    Collocation(Collocation),
    /// `exponential-rectangle` and `exponential-trapezoid`.
    Exponential(Exponential),
}

impl AnyScheme {
    /// Names of all schemes with a description each.
    pub const NAMES: [(&'static str, &'static str); 11] = [
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

    /// Scheme of this name with default parameters; `None` for an unknown name. The linear part of
    /// exponential integrators is 0.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "pece" => Self::AdamsBashforthMoulton(AdamsBashforthMoulton::default()),
            "rectangle" => Self::ProductRectangle(ProductRectangle::Implicit),
            "rectangle-explicit" => Self::ProductRectangle(ProductRectangle::Explicit),
            "trapezoid" => Self::ProductTrapezoid(ProductTrapezoid),
            "fractional-trapezoid" => Self::LinearMultistep(LinearMultistep::Trapezoidal),
            "newton-gregory" => Self::LinearMultistep(LinearMultistep::NewtonGregory),
            "bdf2" => Self::LinearMultistep(LinearMultistep::Bdf2),
            "l1" => Self::L1(L1),
            "collocation" => Self::Collocation(Collocation::default()),
            "exponential-rectangle" => Self::Exponential(Exponential::rectangle(&[0.0])),
            "exponential-trapezoid" => Self::Exponential(Exponential::trapezoid(&[0.0])),
            _ => return None,
        })
    }

    /// The same with more break points of the solution, which only [`Collocation`] uses.
    #[must_use]
    pub fn with_breaks(mut self, breaks: &[f64]) -> Self {
        if let Self::Collocation(scheme) = &mut self {
            scheme.breaks.extend_from_slice(breaks);
            scheme.breaks.sort_by(f64::total_cmp);
            scheme.breaks.dedup();
        }
        self
    }

    /// Whether all steps of the scheme are adaptive.
    pub fn is_adaptive(&self) -> bool {
        matches!(self, Self::Collocation(_))
    }

    fn of_kind(&self) -> &dyn DifferentiableScheme {
        match self {
            Self::AdamsBashforthMoulton(scheme) => scheme,
            Self::ProductRectangle(scheme) => scheme,
            Self::ProductTrapezoid(scheme) => scheme,
            Self::LinearMultistep(scheme) => scheme,
            Self::L1(scheme) => scheme,
            Self::Collocation(scheme) => scheme,
            Self::Exponential(scheme) => scheme,
        }
    }
}

impl Scheme for AnyScheme {
    fn name(&self) -> &'static str {
        self.of_kind().name()
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        self.of_kind().prepare(setup)
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        self.of_kind().memory_estimate(setup, n)
    }

    fn interpolation(&self) -> Interpolation {
        self.of_kind().interpolation()
    }
}

impl DifferentiableScheme for AnyScheme {
    fn recursion(&self) -> Recursion<'_> {
        self.of_kind().recursion()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_scheme_of_its_own() {
        let all = AnyScheme::NAMES.map(|(name, _)| AnyScheme::named(name).expect("a known name"));
        for (k, scheme) in all.iter().enumerate() {
            assert!(!all[..k].contains(scheme), "{}", scheme.name());
        }
        assert_eq!(AnyScheme::named("euler"), None);
    }

    #[test]
    fn break_points_are_merged() {
        let collocation = AnyScheme::named("collocation").expect("a known name");
        let merged = collocation.with_breaks(&[2.0, 1.0]).with_breaks(&[1.0, 0.5]);
        let AnyScheme::Collocation(scheme) = &merged else { panic!("{merged:?}") };
        assert_eq!(scheme.breaks, [0.5, 1.0, 2.0]);
        assert!(merged.is_adaptive());
        assert_eq!(AnyScheme::named("l1").map(|l1| l1.with_breaks(&[1.0])), AnyScheme::named("l1"));
    }
}
