//! Operators as sums of exponentials: the bound that they state, at a dense set of lags, and the
//! signals that they compute.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    AtanganaBaleanu, Bound, Caputo, Discrete, GrunwaldLetnikov, Operator, OperatorError,
    Recurrence, RiemannLiouville, RlIntegral, catalogue,
};
use hpfracc_special::{MittagLeffler, binomial, recip_gamma};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2};
use std::sync::Arc;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

/// Operators that have a recurrence, with the weights of a unit step written another way.
struct Case {
    make: fn(Order) -> Arc<dyn Operator>,
    orders: &'static [f64],
    /// By order and lag, from lag 2 on.
    weight: fn(f64, f64) -> f64,
    /// What f_0 adds at n >= 2.
    start: fn(f64, f64) -> f64,
}

fn cases() -> [Case; 5] {
    const UNIT: &[f64] = &[0.02, 0.1, 0.5, 0.9, 0.99];
    const TO_ONE: &[f64] = &[0.1, 0.5, 0.9, 1.0];
    const TO_THREE: &[f64] = &[0.0, 0.02, 0.7, 1.0, 1.05, 1.4, 1.99, 2.3, 3.0];
    let none = |_: f64, _: f64| 0.0;
    let l1 = |a: f64, j: f64| {
        j.powf(1.0 - a) * ((1.0 - a) * (1.0 / j).ln_1p()).exp_m1() * recip_gamma(2.0 - a)
    };
    [
        Case { make: |a| Arc::new(Caputo::l1(a).unwrap()), orders: UNIT, weight: l1, start: none },
        Case {
            make: |a| Arc::new(RiemannLiouville::l1(a).unwrap()),
            orders: UNIT,
            weight: l1,
            start: |a, n| n.powf(-a) * recip_gamma(1.0 - a),
        },
        Case {
            make: |a| Arc::new(GrunwaldLetnikov::new(a)),
            orders: TO_THREE,
            weight: |a, j| {
                let q = a.ceil().min(2.0);
                let sign = if j % 2.0 == 0.0 { 1.0 } else { -1.0 };
                sign * binomial(a - q, j as usize)
            },
            start: none,
        },
        Case {
            make: |a| Arc::new(RlIntegral::rectangle(a).unwrap()),
            orders: TO_ONE,
            weight: |a, j| -j.powf(a) * (a * (-1.0 / j).ln_1p()).exp_m1() * recip_gamma(1.0 + a),
            start: none,
        },
        Case {
            make: |a| Arc::new(RlIntegral::trapezoid(a).unwrap()),
            orders: TO_ONE,
            weight: |a, j| {
                let terms = (1..30).map(|m| binomial(a + 1.0, 2 * m) * j.powi(-2 * m as i32));
                2.0 * j.powf(a + 1.0) * terms.sum::<f64>() * recip_gamma(2.0 + a)
            },
            start: |a, n| {
                let terms = (2..60).map(|m| binomial(a + 1.0, m) * n.powi(-(m as i32)));
                -n.powf(a + 1.0) * terms.sum::<f64>() * recip_gamma(2.0 + a)
            },
        },
    ]
}

/// All small lags, and others up to `longest`, a hundredth apart.
fn lags(longest: u64) -> Vec<u64> {
    let spread = (0..).map(|i| 1.015f64.powi(i) as u64).take_while(|lag| *lag < longest);
    (2..200.min(longest)).chain(spread.filter(|lag| *lag >= 200)).chain([longest - 1]).collect()
}

#[test]
fn every_weight_is_within_the_bound() {
    let [caputo, riemann_liouville, _, rectangle, trapezoid] = cases();
    [caputo, riemann_liouville, rectangle, trapezoid].iter().for_each(within_the_bound);
}

#[test]
fn every_binomial_is_within_the_bound() {
    let [_, _, binomials, _, _] = cases();
    within_the_bound(&binomials);
}

fn within_the_bound(case: &Case) {
    for &alpha in case.orders {
        let operator = (case.make)(order(alpha));
        for longest in [3, 1000, 10_000_000] {
            for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
                let recurrence = operator.recurrence(1.0, longest, tolerance).unwrap();
                let bound = recurrence.relative_error();
                assert!(bound <= tolerance && recurrence.longest() == longest);
                let check = |found: f64, exact: f64, what: &str, lag: u64| {
                    let error = (found - exact).abs();
                    let name = operator.name();
                    assert!(
                        error <= bound * exact.abs(),
                        "{name:?} {alpha} {longest} {tolerance:e} {what} {lag}: {found:e} {exact:e} {:e} of {bound:e}",
                        error / exact.abs()
                    );
                };
                for lag in lags(longest).into_iter().filter(|lag| *lag >= 2) {
                    let exact = (case.weight)(alpha, lag as f64);
                    check(recurrence.weight(lag), exact, "weight", lag);
                    let exact = (case.start)(alpha, lag as f64);
                    check(recurrence.start(lag), exact, "start", lag);
                }
            }
        }
    }
}

/// The sum of all that a sample of size one can add up to.
fn terms(recurrence: &Recurrence, n: u64) -> f64 {
    (0..n).map(|n| recurrence.weight(n).abs() + recurrence.start(n).abs()).sum()
}

/// Of every entry of the catalogue: either a recurrence that is the operator, or an error.
fn with_recurrence(longest: u64, tolerance: f64, dt: f64) -> Vec<(Arc<dyn Operator>, Recurrence)> {
    let mut all = Vec::new();
    for entry in catalogue() {
        for &alpha in entry.range.examples {
            let operator = entry.example(order(alpha)).unwrap();
            match operator.recurrence(dt, longest, tolerance) {
                Ok(recurrence) => all.push((operator, recurrence)),
                Err(OperatorError::NoRecurrence { .. } | OperatorError::OutOfRange { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(all.len() >= 26, "{}", all.len());
    all
}

#[test]
fn whole_records_are_the_operator_within_the_bound() {
    for n in [2, 3, 4, 5, 70, 1500] {
        let grid = Grid::uniform(n, 0.01).unwrap();
        let f: Array1<f64> = grid.points().map(|t| (9.0 * t).cos() + 0.5 * t - 0.2).collect();
        for (operator, recurrence) in with_recurrence(n as u64, 1e-9, 0.01) {
            let exact: Bound<f64> = operator.clone().on(grid, &Reference).unwrap();
            let found = operator.clone().on_exponentials(grid, 1e-9, &Reference).unwrap();
            let (exact, found) = (exact.apply(f.view()).unwrap(), found.apply(f.view()).unwrap());
            let allowed =
                2.0 * (recurrence.relative_error() + 1e-13) * terms(&recurrence, n as u64);
            let error = (&exact - &found).iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            assert!(error <= allowed, "{:?} {n}: {error:e} of {allowed:e}", operator.name());
        }
    }
}

#[test]
fn the_transpose_is_the_transpose() {
    for n in [2, 3, 4, 17] {
        let grid = Grid::uniform(n, 0.1).unwrap();
        for (operator, _) in with_recurrence(n as u64, 1e-8, 0.1) {
            let bound: Bound<f64> =
                operator.clone().on_exponentials(grid, 1e-8, &Reference).unwrap();
            let matrix = bound.to_matrix().unwrap();
            let units = Array2::<f64>::eye(n);
            let transposed = bound.vjp(units.view()).unwrap();
            let size = matrix.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
            let apart = (&matrix - &transposed).iter().fold(0.0, |m: f64, a| m.max(a.abs()));
            assert!(apart < 1e-14 * size, "{:?} {n}: {apart:e}", operator.name());
        }
    }
}

#[test]
fn the_gradient_with_respect_to_the_order_is_that_of_the_operator() {
    let grid = Grid::uniform(300, 0.05).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect();
    let lbar: Array1<f64> = grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect();
    let mut checked = 0;
    for (operator, _) in with_recurrence(300, 1e-10, 0.05) {
        if let Err(error) = operator.order_derivative(&Discrete::Exponentials(grid, 1e-10)) {
            // Those of other kernels than powers.
            assert!(matches!(error, OperatorError::NoRecurrence { .. }), "{error}");
            continue;
        }
        checked += 1;
        let exact: Bound<f64> = operator.clone().on(grid, &Reference).unwrap();
        let found: Bound<f64> = operator.clone().on_exponentials(grid, 1e-10, &Reference).unwrap();
        let exact = exact.vjp_order(f.view(), lbar.view()).unwrap();
        let found = found.vjp_order(f.view(), lbar.view()).unwrap();
        // Nodes that are held have no bound of their own: a few digits less than the weights.
        assert!((found / exact - 1.0).abs() < 1e-7, "{:?}: {found} {exact}", operator.name());
    }
    assert!(checked >= 9, "{checked}");
}

/// One weight after the other, also of operators whose weights are written in another form.
#[test]
fn responses_are_within_the_bound_pointwise() {
    let (n, dt, at) = (3000, 0.01, 5);
    let grid = Grid::uniform(n, dt).unwrap();
    for tolerance in [1e-6, 1e-9, 1e-12] {
        for (operator, recurrence) in with_recurrence(n as u64, tolerance, dt) {
            // Of which the differences are one and then nothing; and a constant.
            let q = recurrence.differences() as i32;
            let single = |j: usize| match (q, j >= at) {
                (0, _) => f64::from(u8::from(j == at)),
                (_, true) => ((j - at + 1) as f64).powi(q - 1),
                (_, false) => 0.0,
            };
            let exact: Bound<f64> = operator.clone().on(grid, &Reference).unwrap();
            let found = operator.clone().on_exponentials(grid, tolerance, &Reference).unwrap();
            let f: Array1<f64> = (0..n).map(single).collect();
            let (exact, found) = (exact.apply(f.view()).unwrap(), found.apply(f.view()).unwrap());
            let largest = exact.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            for (n, (found, exact)) in found.iter().zip(&exact).enumerate() {
                // What the other form rounds.
                let rounding = 1e-10 * tolerance.max(1e-6) * largest + 2e-12 * exact.abs();
                let allowed = recurrence.relative_error() * exact.abs() + rounding;
                let error = (found - exact).abs();
                let name = operator.name();
                assert!(error <= allowed, "{name:?} {tolerance:e} {n}: {error:e} of {allowed:e}");
            }
        }
    }
}

/// The nodes of Mittag-Leffler's function at a dense set of lags: those of a constant.
#[test]
fn atangana_and_baleanu_start_within_the_bound() {
    for alpha in [0.1, 0.5, 0.9, 0.99] {
        let operator = AtanganaBaleanu::riemann(order(alpha)).unwrap();
        let kernel = MittagLeffler::new(alpha, 1.0).unwrap();
        for (longest, tolerance) in [(1000, 1e-12), (10_000_000, 1e-6), (10_000_000, 1e-10)] {
            let dt = 0.001;
            let recurrence = operator.recurrence(dt, longest, tolerance).unwrap();
            for n in lags(longest).into_iter().step_by(3) {
                let t = n as f64 * dt;
                let exact = kernel.eval(-alpha / (1.0 - alpha) * t.powf(alpha)) / (1.0 - alpha);
                let error = (recurrence.start(n) / exact - 1.0).abs();
                // Of the function itself.
                let allowed = recurrence.relative_error() + 1e-13;
                assert!(error <= allowed, "{alpha} {longest} {n}: {error:e} of {allowed:e}");
            }
        }
    }
}
