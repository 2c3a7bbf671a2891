//! Whole orders are classical calculus, and near them nothing jumps that should not.

use hpfracc_backend::Reference;
use hpfracc_operators::{Operator, catalogue, named};
use hpfracc_testkit::max_abs;
use hpfracc_types::{Grid, Mesh, Order};
use ndarray::Array1;

const NEAR: f64 = 1e-9;

fn f(t: f64) -> f64 {
    (2.0 * t + 0.4).sin() + 1.0
}
fn f1(t: f64) -> f64 {
    2.0 * (2.0 * t + 0.4).cos()
}
fn f2(t: f64) -> f64 {
    -4.0 * (2.0 * t + 0.4).sin()
}

/// Largest error from the fourth node on, where every stencil has its samples.
fn error(operator: &str, scheme: &str, alpha: f64, exact: impl Fn(f64) -> f64) -> f64 {
    let grid = Grid::uniform(401, 1.0 / 400.0).unwrap();
    let operator = named(operator, Some(scheme), Order::new(alpha).unwrap(), &[]).unwrap();
    let samples: Array1<f64> = grid.points().map(f).collect();
    let y = operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap();
    let errors: Vec<f64> = (4..grid.n()).map(|n| y[n] - exact(grid.t(n))).collect();
    max_abs(&errors)
}

#[test]
fn alpha_to_zero() {
    for scheme in ["l1", "l1-2", "l2-1sigma", "bdf1", "bdf2", "bdf4"] {
        let e = error("caputo", scheme, NEAR, |t| f(t) - f(0.0));
        assert!(e < 1e-7, "caputo {scheme} -> f - f(0): {e:e}");
    }
    let e = error("marchaud", "quadratic-held", NEAR, |t| f(t) - f(0.0));
    assert!(e < 1e-7, "marchaud held -> f - f(0): {e:e}");
    for (operator, scheme) in [
        ("marchaud", "quadratic-zero"),
        ("marchaud", "linear-zero"),
        ("rl-integral", "simpson"),
        ("riemann-liouville", "l1"),
        ("riemann-liouville", "bdf3"),
        ("grunwald-letnikov", "standard"),
        ("grunwald-letnikov", "bdf2"),
        ("rl-integral", "trapezoid"),
    ] {
        let e = error(operator, scheme, NEAR, f);
        assert!(e < 1e-7, "{operator} {scheme} -> f: {e:e}");
    }
}

#[test]
fn alpha_is_zero() {
    for (operator, scheme) in [
        ("caputo", "bdf2"),
        ("riemann-liouville", "bdf4"),
        ("grunwald-letnikov", "standard"),
        ("grunwald-letnikov", "bdf6"),
        ("weyl", "spectral"),
        ("fractional-laplacian", "spectral"),
    ] {
        let e = error(operator, scheme, 0.0, f);
        assert!(e < 1e-13, "{operator} {scheme} at 0 is the identity: {e:e}");
    }
}

#[test]
fn alpha_to_one_from_below_is_the_backward_difference() {
    // First-order schemes: half a step of f'' away from f'.
    let half_step = 1.1 * 4.0 / 800.0;
    for (operator, scheme) in
        [("caputo", "l1"), ("riemann-liouville", "l1"), ("grunwald-letnikov", "standard")]
    {
        let e = error(operator, scheme, 1.0 - NEAR, f1);
        assert!(e < half_step, "{operator} {scheme} -> f': {e:e}");
    }
    // L1-2 and the quadratic on pairs become BDF 2.
    for (operator, scheme, bound) in [
        ("caputo", "l1-2", 2e-4),
        ("marchaud", "quadratic-zero", 2e-4),
        ("marchaud", "quadratic-held", 2e-4),
        ("caputo", "bdf2", 2e-4),
        ("caputo", "bdf4", 1e-6),
    ] {
        let e = error(operator, scheme, 1.0 - NEAR, f1);
        assert!(e < bound, "{operator} {scheme} -> f': {e:e}");
    }
    // The centred difference, in the middle of the cell.
    let e = error("caputo", "l2-1sigma", 1.0 - NEAR, |t| f1(t - 0.5 / 400.0));
    assert!(e < 1e-5, "l2-1sigma -> f' half a step back: {e:e}");
}

#[test]
fn alpha_to_one_from_above_loses_the_initial_slope() {
    let e = error("caputo", "l2-midpoint", 1.0 + NEAR, |t| f1(t) - f1(0.0));
    assert!(e < 2e-2, "l2-midpoint -> f' - f'(0): {e:e}");
    for (scheme, bound) in [("bdf2", 1e-3), ("bdf4", 1e-6)] {
        let e = error("caputo", scheme, 1.0 + NEAR, |t| f1(t) - f1(0.0));
        assert!(e < bound, "{scheme} -> f' - f'(0): {e:e}");
    }
}

#[test]
fn whole_orders_are_classical_derivatives() {
    for (operator, scheme, alpha, bound) in [
        ("caputo", "bdf2", 1.0, 2e-4),
        ("caputo", "bdf4", 1.0, 1e-6),
        ("grunwald-letnikov", "bdf4", 1.0, 1e-6),
    ] {
        let e = error(operator, scheme, alpha, f1);
        assert!(e < bound, "{operator} {scheme}: {e:e}");
    }
    let e = error("caputo", "l2-midpoint", 2.0 - NEAR, f2);
    assert!(e < 0.05, "l2-midpoint -> f'': {e:e}");
    let e = error("caputo", "bdf1", 2.0, f2);
    assert!(e < 0.05, "bdf1 at 2: {e:e}");
}

#[test]
fn the_integral_of_order_one_is_the_classical_rule() {
    let integral = |t: f64| t - 0.5 * ((2.0 * t + 0.4).cos() - 0.4f64.cos());
    let e = error("rl-integral", "trapezoid", 1.0, integral);
    assert!(e < 5e-6, "{e:e}");
    let e = error("rl-integral", "simpson", 1.0, integral);
    assert!(e < 1e-10, "{e:e}");
    let e = error("rl-integral", "rectangle", 1.0, integral);
    assert!(e < 5e-3, "{e:e}");
}

/// On few samples too, for which what holds far from the start is prepared all the same.
#[test]
fn orders_up_to_twenty_have_weights() {
    for entry in catalogue().filter(|entry| entry.range.text.ends_with("<= 20")) {
        for alpha in [8.0, 8.5, 12.3, 19.7, 20.0] {
            let operator = entry.example(Order::new(alpha).unwrap()).unwrap();
            for n in [60, 300] {
                let bound =
                    operator.clone().on::<f64, _>(Grid::uniform(n, 1.0).unwrap(), &Reference);
                let y = bound.unwrap().apply(Array1::ones(n).view()).unwrap();
                assert!(y.iter().all(|y| y.is_finite()), "{} {alpha} {n}", entry.name());
            }
        }
    }
}

/// A step of 1 after a time of 1e-320.
#[test]
fn steps_beyond_numbers_have_an_answer() {
    let mesh = Mesh::new(vec![1e-320, 1.0, 2.0]).unwrap();
    let mut refused = 0;
    for entry in catalogue() {
        let operator = entry.example(Order::new(entry.range.examples[0]).unwrap()).unwrap();
        refused += usize::from(operator.on_mesh::<f64, _>(&mesh, &Reference).is_err());
    }
    assert!(refused > 0);
}
