//! A problem with an exact solution, and the comparison.

use hpfracc_ode::{Collocation, Options, Problem, Solution, Steps, solve};
use hpfracc_special::MittagLeffler;

pub(crate) type Function = Box<dyn Fn(f64, &[f64], &mut [f64])>;

/// A problem on `[0, end]` with its reference values.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) orders: Vec<f64>,
    pub(crate) initial: Vec<Vec<f64>>,
    pub(crate) end: f64,
    pub(crate) rhs: Function,
    /// Times and states.
    pub(crate) exact: Vec<(f64, Vec<f64>)>,
    pub(crate) scheme: Collocation,
}

/// Times at which a solution known everywhere is compared: evenly, and towards zero.
pub(crate) fn times(end: f64) -> impl Iterator<Item = f64> {
    let even = (1..=150).map(move |i| end * f64::from(i) / 150.0);
    even.chain((1..60).map(move |k| end * 10f64.powf(-f64::from(k) / 4.0)))
}

pub(crate) fn mittag_leffler(alpha: f64, beta: f64, z: f64) -> f64 {
    MittagLeffler::new(alpha, beta).expect("alpha > 0").eval(z)
}

impl Case {
    /// With one component.
    pub(crate) fn scalar(
        name: impl Into<String>,
        alpha: f64,
        initial: &[f64],
        end: f64,
        rhs: impl Fn(f64, f64) -> f64 + 'static,
        exact: impl Fn(f64) -> f64,
    ) -> Self {
        Self {
            name: name.into(),
            orders: vec![alpha],
            initial: initial.iter().map(|value| vec![*value]).collect(),
            end,
            rhs: Box::new(move |t, y, dydt| dydt[0] = rhs(t, y[0])),
            exact: times(end).map(|t| (t, vec![exact(t)])).collect(),
            scheme: Collocation::default(),
        }
    }

    pub(crate) fn solve(&self, tolerance: f64) -> Solution {
        let initial: Vec<&[f64]> = self.initial.iter().map(Vec::as_slice).collect();
        let problem =
            Problem::new(&self.orders, (0.0, self.end), &initial, &self.rhs).expect("a problem");
        let steps = Steps::adaptive(tolerance, tolerance);
        solve(&problem, &self.scheme, &steps, Options::default())
            .unwrap_or_else(|failure| panic!("{}: {failure}", self.name))
    }

    /// The largest error over the larger of 1 and the exact value.
    pub(crate) fn error(&self, solution: &Solution) -> f64 {
        let mut largest: f64 = 0.0;
        for (t, exact) in &self.exact {
            let y = solution.at(*t).expect("a time inside");
            for (y, exact) in y.iter().zip(exact) {
                let error = (y - exact).abs() / exact.abs().max(1.0);
                assert!(!error.is_nan(), "{} at {t}", self.name);
                largest = largest.max(error);
            }
        }
        largest
    }
}
