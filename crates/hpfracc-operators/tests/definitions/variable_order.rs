//! Variable and distributed orders.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Caputo, DistributedOrder, Operator, OperatorError, OrderOf, VariableMemory, VariableOrder,
    Weights, named,
};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_testkit::{Table, max_abs, observed_order};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2};

pub(super) const TYPES: [OrderOf; 3] = [OrderOf::Time, OrderOf::Sample, OrderOf::Lag];

pub(super) fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

pub(super) fn apply(
    operator: impl Operator + Clone + 'static,
    grid: Grid,
    f: &Array1<f64>,
) -> Array1<f64> {
    operator.on(grid, &Reference).unwrap().apply(f.view()).unwrap()
}

/// The weights of L1 on differences, by lag.
fn l1(alpha: f64, grid: Grid) -> Vec<f64> {
    match Caputo::l1(order(alpha)).unwrap().weights(grid).unwrap() {
        Weights::Toeplitz(toeplitz) => toeplitz.causal,
        other => panic!("{other:?}"),
    }
}

/// The definition of the scheme in loops: O(n^2) time, O(n) memory.
fn exact(of: OrderOf, orders: &[f64], grid: Grid, f: &Array1<f64>) -> Array1<f64> {
    let n = grid.n();
    let d: Vec<f64> = (0..n).map(|m| if m == 0 { 0.0 } else { f[m] - f[m - 1] }).collect();
    let cell = |j: usize| 0.5 * (orders[j] + orders[j + 1]);
    let mut y = Array1::zeros(n);
    for m in 1..n {
        match of {
            OrderOf::Time => {
                let w = l1(orders[m], grid);
                y[m] = (1..=m).map(|j| w[m - j] * d[j]).sum();
            }
            OrderOf::Sample => {
                let w = l1(cell(m - 1), grid);
                (m..n).for_each(|row| y[row] += w[row - m] * d[m]);
            }
            OrderOf::Lag => {
                let w = l1(cell(m - 1), grid)[m - 1];
                (m..n).for_each(|row| y[row] += w * d[row - m + 1]);
            }
        }
    }
    y
}

#[test]
fn the_sums_are_those_of_the_definition() {
    for n in [2, 3, 60, 700] {
        let grid = Grid::uniform(n, 1.0 / n as f64).unwrap();
        let f: Array1<f64> = grid.points().map(|t| (9.0 * t).sin() + t).collect();
        for alpha in
            [&(|t: f64| 0.5 + 0.4 * (7.0 * t).sin()) as &dyn Fn(f64) -> f64, &|t| 0.02 + 0.9 * t]
        {
            let orders: Vec<f64> = grid.points().map(alpha).collect();
            for of in TYPES {
                let y = apply(VariableOrder::sampled(of, &orders).unwrap(), grid, &f);
                let expected = exact(of, &orders, grid, &f);
                let error = max_abs(&(&y - &expected)) / max_abs(&expected);
                assert!(error < 1e-12, "{of:?} {n}: {error:e}");
            }
        }
    }
}

#[test]
fn equal_orders_are_a_caputo_derivative() {
    let grid = Grid::uniform(300, 0.01).unwrap();
    for alpha in [1e-300, 1e-4, 0.3, 0.8, 1.0 - 1e-9] {
        let plain = Caputo::l1(order(alpha)).unwrap().on::<f64, _>(grid, &Reference).unwrap();
        let plain = plain.to_matrix().unwrap();
        for of in TYPES {
            let ramp = VariableOrder::ramp(of, order(alpha), 0.0).unwrap();
            let matrix = ramp.on::<f64, _>(grid, &Reference).unwrap().to_matrix().unwrap();
            let error = max_abs(&(&matrix - &plain)) / max_abs(&plain);
            assert!(error < 1e-12, "{of:?} {alpha}: {error:e}");
        }
    }
}

/// Every weight to 1e-12 of itself: dense lags, dense orders, signals of any length.
#[test]
fn exponentials_are_within_their_tolerance() {
    let orders: Vec<f64> = vec![
        1e-3,
        1.0 - 1e-9,
        0.9999,
        0.95,
        0.8,
        0.65,
        0.5,
        0.41,
        0.3,
        0.2,
        0.125,
        0.1,
        0.05,
        0.01,
        0.003,
    ];
    for n in [2, 10, 300, 20_000, 1_000_000] {
        let grid = Grid::uniform(n, 0.25).unwrap();
        for lowest in [1e-3, 0.25] {
            // The lowest order decides which rates there are.
            let all: Vec<f64> = orders.iter().copied().filter(|alpha| *alpha >= lowest).collect();
            let table: Vec<f64> = (0..n).map(|j| all[j % all.len()]).collect();
            let made = VariableOrder::sampled(OrderOf::Time, &table).unwrap();
            let Weights::VariableMemory(memory) = made.weights(grid).unwrap() else { panic!() };
            let VariableMemory { local, prefactors, ln_rates, factors, .. } = memory;
            let mut worst = 0.0f64;
            for (row, alpha) in all.iter().enumerate().take(n) {
                let exact = l1(*alpha, grid);
                assert!((local[0][row] / exact[0] - 1.0).abs() < 1e-14);
                let powers: Vec<(f64, f64)> = ln_rates
                    .iter()
                    .zip(&factors[0])
                    .map(|(ln_p, factor)| (ln_p.exp(), factor * (alpha * ln_p).exp()))
                    .collect();
                let mut lag = 1;
                while lag < n {
                    let decay = |p: f64| (-p * (lag - 1) as f64).exp();
                    let sum: f64 = powers.iter().map(|(p, w)| w * decay(*p)).sum();
                    worst = worst.max((prefactors[row] * sum / exact[lag] - 1.0).abs());
                    lag += 1 + lag / 40;
                }
            }
            println!("n {n} from {lowest}: {} exponentials, {worst:.1e}", ln_rates.len());
            assert!(worst < 1e-12, "n {n} from {lowest}: {worst:e}");
        }
    }
}

/// On t all three are exact but for the means of orders, type 1 without exception.
#[test]
fn a_straight_line_has_the_power_of_each_time() {
    let grid = Grid::uniform(400, 1.0 / 399.0).unwrap();
    let t: Array1<f64> = grid.points().collect();
    let ramp = VariableOrder::ramp(OrderOf::Time, order(0.7), -0.5).unwrap();
    let orders = ramp.orders(grid).unwrap();
    let y = apply(ramp, grid, &t);
    for j in 1..grid.n() {
        let exact = t[j].powf(1.0 - orders[j]) * recip_gamma(2.0 - orders[j]);
        assert!((y[j] / exact - 1.0).abs() < 1e-12, "{j}");
    }
    for of in TYPES {
        let y = apply(VariableOrder::ramp(of, order(0.2), 0.6).unwrap(), grid, &Array1::ones(400));
        assert_eq!(max_abs(&y), 0.0, "{of:?} of a constant");
    }
}

/// Of t^2 on (0, 1) with a ramp of orders, at four times.
#[test]
fn orders_of_accuracy_are_those_of_theory() {
    let table = Table::parse(include_str!("../data/variable_order.csv"));
    for definition in ["variable-order-time", "variable-order-sample", "variable-order-lag"] {
        for (first, rise) in [(0.25, 0.5), (0.6, -0.4)] {
            for t in [0.5, 1.0] {
                let row = table
                    .rows()
                    .find(|row| {
                        row.text("definition") == definition
                            && row.number("first") == first
                            && row.number("t") == t
                    })
                    .unwrap();
                assert_eq!(row.number("rise"), rise);
                let error_at = |n: usize| {
                    let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
                    let f: Array1<f64> = grid.points().map(|t| t * t).collect();
                    let made = named(definition, None, order(first), &[("rise", rise)]).unwrap();
                    let y = apply(made, grid, &f)[(t * n as f64) as usize];
                    (grid.dt(), (y - row.number("value")).abs())
                };
                // The order where the kernel is singular.
                let singular = if definition.ends_with("lag") { first } else { first + rise * t };
                // The factor ln(1/h) shows less the smaller h is.
                let errors = [3200, 6400, 12_800].map(error_at);
                let seen = observed_order(&errors);
                println!("{definition} {first} {rise} {t}: {seen:.2} ({:.2})", 2.0 - singular);
                assert!((seen - 2.0 + singular).abs() < 0.2, "{definition} {t}: {seen} {errors:?}");
            }
        }
    }
}

#[test]
fn gradients_in_every_order() {
    let grid = Grid::uniform(14, 0.1).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect();
    let lbar: Array1<f64> = grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect();
    let orders: Vec<f64> = grid.points().map(|t| 0.5 + 0.2 * (3.0 * t).sin()).collect();
    for of in TYPES {
        let loss = |orders: &[f64]| {
            apply(VariableOrder::sampled(of, orders).unwrap(), grid, &f).dot(&lbar)
        };
        let operator = VariableOrder::sampled(of, &orders).unwrap();
        let found = operator.vjp_orders(grid, f.view(), lbar.view(), &Reference).unwrap();
        let size = max_abs(&found);
        for j in 0..grid.n() {
            let shifted = |step: f64| {
                let mut orders = orders.clone();
                orders[j] += step;
                loss(&orders)
            };
            let expected = (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
            assert!(
                (found[j] - expected).abs() < 1e-7 * size,
                "{of:?} {j}: {} {expected}",
                found[j]
            );
        }
        let shift =
            operator.on(grid, &Reference).unwrap().vjp_order(f.view(), lbar.view()).unwrap();
        assert!((found.sum() - shift).abs() < 1e-11 * size, "{of:?}: {} {shift}", found.sum());
    }
}

/// In f32 states and sums stay in double precision.
#[test]
fn single_precision_rounds_once() {
    let n = 20_000;
    let grid = Grid::uniform(n, 1.0 / n as f64).unwrap();
    let ramp = VariableOrder::ramp(OrderOf::Sample, order(0.2), 0.6).unwrap();
    let f: Array1<f32> = grid.points().map(|t| (5.0 * t).sin() as f32).collect();
    let single = ramp.clone().on(grid, &Reference).unwrap().apply(f.view()).unwrap();
    let double = apply(ramp, grid, &f.mapv(f64::from));
    for (single, double) in single.iter().zip(&double) {
        assert_eq!(*single, *double as f32);
    }
}

#[test]
fn orders_that_are_none() {
    let grid = Grid::uniform(4, 0.1).unwrap();
    for of in TYPES {
        let refused = VariableOrder::sampled(of, &[0.5, 0.5, 1.0, 0.5]).unwrap_err();
        assert!(matches!(refused, OperatorError::OrderAt { position: 2, .. }), "{refused}");
        let refused = VariableOrder::sampled(of, &[f64::NAN]).unwrap_err();
        assert!(matches!(refused, OperatorError::OrderAt { position: 0, .. }), "{refused}");
        assert!(VariableOrder::sampled(of, &[1e-310]).is_err());
        assert!(VariableOrder::sampled(of, &[]).is_err());
        let short = VariableOrder::sampled(of, &[0.5; 3]).unwrap();
        let refused = short.weights(grid).unwrap_err();
        assert!(matches!(refused, OperatorError::Malformed { found: 3, expected: 4, .. }));
        let lengths = [(3, 4, "samples"), (4, 3, "result_gradient")];
        for (samples, gradient, expected) in lengths {
            let (f, ybar) = (Array1::zeros(samples), Array1::zeros(gradient));
            let whole = VariableOrder::ramp(of, order(0.5), 0.1).unwrap();
            let refused = whole.vjp_orders(grid, f.view(), ybar.view(), &Reference).unwrap_err();
            assert!(
                matches!(refused, OperatorError::Shape { argument, .. } if argument == expected)
            );
        }
        for rise in [-0.5, 0.5, f64::NAN] {
            let refused = VariableOrder::ramp(of, order(0.5), rise).unwrap_err();
            assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
        }
        let refused = VariableOrder::ramp(of, order(1.0), 0.0).unwrap_err();
        assert!(matches!(refused, OperatorError::OutOfRange { .. }), "{refused}");
    }
}

/// int_0^1 Gamma(3-alpha)/2 D^alpha t^2 d alpha = (t^2 - t)/ln t, with exact derivatives of each
/// order.
#[test]
fn gauss_points_in_the_order_are_exact() {
    let error = |points: usize, t: f64| {
        let density = |alpha: f64| 0.5 * gamma(3.0 - alpha);
        let distributed = DistributedOrder::new((0.0, 1.0), density, points).unwrap();
        let of_square = |alpha: f64| 2.0 * recip_gamma(3.0 - alpha) * t.powf(2.0 - alpha);
        let sum: f64 = distributed.nodes().iter().map(|(alpha, w)| w * of_square(*alpha)).sum();
        (sum * t.ln() / (t * t - t) - 1.0).abs()
    };
    for (points, times, bound) in [
        (8, &[0.3, 2.0, 5.0][..], 1e-14),
        (8, &[0.01, 100.0], 1e-12),
        (8, &[1e-6], 1e-6),
        (16, &[1e-9, 1e-6, 0.01, 0.3, 2.0, 1e3], 1e-13),
    ] {
        for &t in times {
            assert!(error(points, t) < bound, "{points} points, t = {t}: {:e}", error(points, t));
        }
    }
}

#[test]
fn distributed_orders_converge_as_the_highest() {
    // Of t^2: the integral over the orders by many points.
    let (a, b) = (0.2, 0.6);
    let rule = DistributedOrder::new((a, b), |_| 1.0 / (b - a), 40).unwrap();
    let exact: f64 = rule.nodes().iter().map(|(x, w)| 2.0 * w * recip_gamma(3.0 - x)).sum();
    let error_at = |n: usize| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let f: Array1<f64> = grid.points().map(|t| t * t).collect();
        let y = apply(DistributedOrder::uniform(order(b), b - a).unwrap(), grid, &f);
        (grid.dt(), (y[n] - exact).abs())
    };
    let errors = [error_at(400), error_at(800), error_at(1600)];
    let seen = observed_order(&errors);
    assert!((seen - (2.0 - b)).abs() < 0.2, "{seen} {errors:?}");
}

/// To nine digits at 20 000 steps, where L1 has five.
#[test]
fn distributed_orders_by_bdf_have_its_order_and_gradient() {
    let exact = |b: f64, q: f64| -> f64 {
        let rule = DistributedOrder::new((0.0, b), |_| 1.0 / b, 40).unwrap();
        let of = |(x, w): &(f64, f64)| w * gamma(q + 1.0) * recip_gamma(q + 1.0 - x);
        rule.nodes().iter().map(of).sum()
    };
    let made = |b: f64, p: usize| DistributedOrder::uniform(order(b), b).unwrap().bdf(p).unwrap();
    let error_at = |n: usize, b: f64, p: usize, q: f64| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let f: Array1<f64> = grid.points().map(|t| t.powf(q)).collect();
        let y = made(b, p).on(grid, &Reference).unwrap().apply(f.view()).unwrap();
        (grid.dt(), (y[n] - exact(b, q)).abs())
    };
    for (b, p, q, theory) in
        [(0.9, 2, 4.0, 2.0), (1.0, 3, 5.0, 3.0), (0.9, 4, 5.0, 4.0), (0.6, 4, 0.5, 1.5)]
    {
        let errors = [100, 200, 400].map(|n| error_at(n, b, p, q));
        let seen = observed_order(&errors);
        println!("bdf{p} to {b}, t^{q}: {seen:.2} ({theory})");
        assert!((seen - theory).abs() < 0.25, "{b} {p} {q}: {seen} {errors:?}");
    }
    let (_, error) = error_at(4000, 0.9, 4, 3.5);
    assert!(error < 1e-10, "{error:e}");

    let grid = Grid::uniform(30, 0.1).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect();
    let lbar: Array1<f64> = grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect();
    // All orders shift alike.
    let band = |shift: f64| {
        let rule = DistributedOrder::new((0.2 + shift, 0.7 + shift), |_| 2.0, 16).unwrap();
        rule.bdf(4).unwrap().on::<f64, _>(grid, &Reference).unwrap()
    };
    let loss = |shift: f64| band(shift).apply(f.view()).unwrap().dot(&lbar);
    let expected = (loss(1e-4) - loss(-1e-4)) / 2e-4;
    let found = band(0.0).vjp_order(f.view(), lbar.view()).unwrap();
    assert!((found - expected).abs() < 1e-6 * expected.abs(), "{found} {expected}");
}

#[test]
fn a_narrow_band_of_orders_is_one_order() {
    let grid = Grid::uniform(50, 0.1).unwrap();
    let plain = Caputo::l1(order(0.7)).unwrap().on::<f64, _>(grid, &Reference).unwrap();
    let narrow = DistributedOrder::uniform(order(0.7), 1e-9).unwrap();
    let narrow = narrow.on::<f64, _>(grid, &Reference).unwrap();
    let difference: Array2<f64> = narrow.to_matrix().unwrap() - plain.to_matrix().unwrap();
    assert!(max_abs(&difference) < 1e-7);
}

#[test]
fn bands_of_orders_that_are_none() {
    for (band, points) in [
        ((0.5, 0.5), 8),
        ((0.6, 0.5), 8),
        ((-0.1, 0.5), 8),
        ((0.1, 1.1), 8),
        ((f64::NAN, 0.5), 8),
        ((0.1, 0.5), 0),
        ((0.1, 0.5), 65),
    ] {
        let refused = DistributedOrder::new(band, |_| 1.0, points).unwrap_err();
        assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
    }
    let refused = DistributedOrder::new((0.0, 1.0), |alpha| 1.0 / (alpha - 0.5), 9).unwrap_err();
    assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
    for width in [0.0, 0.8, f64::NAN] {
        let refused = DistributedOrder::uniform(order(0.7), width).unwrap_err();
        assert!(matches!(refused, OperatorError::Parameter { .. }), "{refused}");
    }
    let refused = DistributedOrder::uniform(order(1.2), 0.1).unwrap_err();
    assert!(matches!(refused, OperatorError::OutOfRange { .. }), "{refused}");
}
