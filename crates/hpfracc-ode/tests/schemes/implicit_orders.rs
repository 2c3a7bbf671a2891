//! The order with which the error of each implicit and exponential scheme falls, over all nodes and
//! at the end, on smooth and on weakly singular solutions.

use crate::record_orders;
use hpfracc_ode::{
    Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle, ProductTrapezoid, Scheme,
    Steps, solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use hpfracc_testkit::observed_order;

/// `D^alpha y = -y`, y(0) = 1, whose solution behaves as t^alpha; or an equation whose solution and
/// its derivative are smooth.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Solution {
    Singular,
    Smooth,
}

impl Solution {
    fn name(self) -> &'static str {
        match self {
            Self::Singular => "behaves as t^alpha",
            Self::Smooth => "smooth",
        }
    }

    fn at(self, alpha: f64, t: f64) -> f64 {
        match self {
            Self::Singular => mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap(),
            Self::Smooth => 1.0 + t.powi(4),
        }
    }

    fn rhs(self, alpha: f64, t: f64, y: f64) -> f64 {
        match self {
            Self::Singular => -y,
            Self::Smooth => {
                24.0 / gamma(5.0 - alpha) * t.powf(4.0 - alpha)
                    + (self.at(alpha, t) - y) * (1.0 + y * y)
            }
        }
    }
}

/// The orders over all nodes and at the end, and both errors on the finest steps.
fn orders(
    scheme: &dyn Scheme,
    steps: impl Fn(usize) -> Steps,
    solution: Solution,
    alpha: f64,
) -> [(f64, f64); 2] {
    let mut errors = [Vec::new(), Vec::new()];
    for doubling in 0..5 {
        let n = 80 << doubling;
        let f = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = solution.rhs(alpha, t, y[0]);
        let initial: [&[f64]; 2] = [&[1.0], &[0.0]];
        let initial = &initial[..alpha.ceil() as usize];
        let problem = Problem::new(&[alpha], (0.0, 1.0), initial, f).unwrap();
        let found = solve(&problem, scheme, &steps(n), Options::default()).unwrap();
        let error = |(&t, y): (&f64, &f64)| (y - solution.at(alpha, t)).abs();
        let all: Vec<f64> = found.times().iter().zip(found.states()).map(error).collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        for (errors, error) in errors.iter_mut().zip([most, all[all.len() - 1]]) {
            errors.push((1.0 / n as f64, error));
        }
    }
    errors.map(|errors| (observed_order(&errors), errors[4].1))
}

/// The solution, alpha, and the orders expected over all nodes and at the end.
type Case = (Solution, f64, f64, f64);

fn check(scheme: &dyn Scheme, steps: impl Fn(usize) -> Steps, cases: &[Case]) {
    for &(solution, alpha, over_all, at_end) in cases {
        let [all, end] = orders(scheme, &steps, solution, alpha);
        let steps = match steps(80) {
            Steps::Graded { exponent, .. } => format!("graded, exponent {exponent:.2}"),
            other => other.name().to_owned(),
        };
        record_orders([scheme.name(), solution.name(), &steps], alpha, all.0, end);
        for ((order, error), expected) in [(all, over_all), (end, at_end)] {
            let near = (order - expected).abs() < 0.2;
            assert!(near, "{} {solution:?} {alpha}: {order}, not {expected}", scheme.name());
            // A solution that is wrong by itself has an order too.
            assert!(error < 0.05, "{} {solution:?} {alpha}: {error}", scheme.name());
        }
    }
}

use Solution::{Singular, Smooth};

#[test]
fn product_rectangle() {
    let cases = [
        (Smooth, 0.4, 1.0, 1.0),
        (Smooth, 0.9, 1.0, 1.0),
        (Smooth, 1.5, 1.0, 1.0),
        (Singular, 0.3, 0.5, 1.0),
        (Singular, 0.5, 0.9, 1.0),
        (Singular, 0.8, 1.0, 1.0),
    ];
    check(&ProductRectangle::Implicit, Steps::Uniform, &cases);
}

#[test]
fn product_trapezoid() {
    let cases = [
        (Smooth, 0.4, 2.0, 2.0),
        (Smooth, 0.9, 2.0, 2.0),
        (Smooth, 1.5, 2.0, 2.0),
        (Singular, 0.3, 0.6, 1.3),
        (Singular, 0.5, 1.0, 1.5),
        (Singular, 0.8, 1.6, 1.8),
    ];
    check(&ProductTrapezoid, Steps::Uniform, &cases);
}

#[test]
fn linear_multistep() {
    let cases = [
        (Smooth, 0.4, 2.0, 2.0),
        (Smooth, 0.9, 2.0, 2.0),
        (Smooth, 1.5, 2.0, 2.0),
        (Singular, 0.5, 2.0, 2.0),
        (Singular, 0.8, 2.0, 2.0),
    ];
    check(&LinearMultistep::Trapezoidal, Steps::Uniform, &cases);
    check(&LinearMultistep::NewtonGregory, Steps::Uniform, &cases);
    check(&LinearMultistep::Bdf2, Steps::Uniform, &cases);
    // For smaller orders the errors near the start change sign and have no slope.
    let steps = Steps::Uniform;
    for scheme in
        [LinearMultistep::Trapezoidal, LinearMultistep::NewtonGregory, LinearMultistep::Bdf2]
    {
        let [all, end] = orders(&scheme, steps, Singular, 0.3);
        println!("{} 0.3: {all:?} {end:?}", scheme.name());
        assert!((end.0 - 2.0).abs() < 0.2 && end.1 < 1e-9 && all.1 < 3e-8, "{all:?} {end:?}");
    }
}

#[test]
fn l1_on_equal_steps() {
    let cases = [
        (Smooth, 0.4, 1.6, 1.6),
        (Smooth, 0.8, 1.2, 1.2),
        (Singular, 0.4, 0.4, 1.0),
        (Singular, 0.6, 0.6, 1.0),
        (Singular, 0.8, 0.8, 1.0),
    ];
    check(&L1, Steps::Uniform, &cases);
}

#[test]
fn l1_on_graded_steps() {
    for (exponent, alpha, over_all, at_end) in [
        (2.0, 0.4, 0.8, 1.6),
        (4.0, 0.4, 1.6, 1.6),
        (2.0, 0.6, 1.2, 1.4),
        (7.0 / 3.0, 0.6, 1.4, 1.4),
    ] {
        let steps = |n| Steps::Graded { n, exponent };
        check(&L1, steps, &[(Singular, alpha, over_all, at_end)]);
    }
}

#[test]
fn exponential() {
    // The linear part is not all of f: the rest behaves as t^alpha too.
    let rectangle = [(Smooth, 0.4, 1.0, 1.0), (Smooth, 1.5, 1.0, 1.0), (Singular, 0.5, 1.0, 1.0)];
    check(&Exponential::rectangle(&[-0.5]), Steps::Uniform, &rectangle);
    // Two passes.
    let trapezoid = [
        (Smooth, 0.5, 2.0, 2.0),
        (Smooth, 1.5, 2.0, 2.0),
        (Singular, 0.5, 1.0, 1.5),
        (Singular, 0.8, 1.6, 1.8),
    ];
    check(&Exponential::trapezoid(&[-0.5]), Steps::Uniform, &trapezoid);
}
