//! The cubic schemes of variable order.

use super::variable_order::{TYPES, apply, order};
use hpfracc_backend::Reference;
use hpfracc_operators::{Operator, OperatorError, OrderOf, VariableOrder, named};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_testkit::{Table, max_abs, observed_order};
use hpfracc_types::Grid;
use ndarray::Array1;

/// Of t^6 at 1, whose derivative of order alpha(t) is a power with the order of that time.
fn cubic_error(n: usize, (first, rise): (f64, f64), q: f64) -> (f64, f64) {
    let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
    let ramp = VariableOrder::ramp(OrderOf::Time, order(first), rise).unwrap();
    let f: Array1<f64> = grid.points().map(|t| t.powf(q)).collect();
    let y = apply(ramp.clone().cubic(), grid, &f);
    let orders = ramp.orders(grid).unwrap();
    let error = |j: usize| {
        let (t, alpha) = (grid.t(j), orders[j]);
        (y[j] - gamma(q + 1.0) * recip_gamma(q + 1.0 - alpha) * t.powf(q - alpha)).abs()
    };
    (grid.dt(), (n / 2..=n).map(error).fold(0.0, f64::max))
}

#[test]
fn cubic_interpolation_has_the_order_of_theory_and_nine_digits() {
    for (orders, q, theory) in [
        ((0.3, 0.4), 6.0, 3.3),
        ((0.8, -0.6), 6.0, 3.5),
        ((0.5, 0.0), 4.0, 3.5),
        ((0.5, 0.2), 0.6, 1.6),
    ] {
        let errors = [80, 160, 320].map(|n| cubic_error(n, orders, q));
        let seen = observed_order(&errors);
        println!("cubic {orders:?} t^{q}: {seen:.2} ({theory})");
        assert!((seen - theory).abs() < 0.3, "{orders:?} t^{q}: {seen} {errors:?}");
    }
    let (_, error) = cubic_error(20_000, (0.2, 0.7), 3.5);
    assert!(error < 1e-10, "{error:e}");
}

/// The first nodes too: the first cells look ahead.
#[test]
fn cubic_interpolation_is_exact_on_cubics() {
    for n in [4, 5, 300] {
        let grid = Grid::uniform(n, 1.0 / n as f64).unwrap();
        let ramp = VariableOrder::ramp(OrderOf::Time, order(0.9), -0.7).unwrap();
        let (orders, cubic) = (ramp.orders(grid).unwrap(), ramp.cubic());
        for q in 0..=3 {
            let f: Array1<f64> = grid.points().map(|t| t.powi(q)).collect();
            let y = apply(cubic.clone(), grid, &f);
            for j in 1..n {
                let q = f64::from(q);
                let power = q - orders[j];
                let exact = gamma(q + 1.0) * recip_gamma(power + 1.0) * grid.t(j).powf(power);
                let exact = if q == 0.0 { 0.0 } else { exact };
                assert!((y[j] - exact).abs() < 1e-11, "{n} t^{q} {j}: {} {exact}", y[j]);
            }
        }
    }
}

#[test]
fn cubic_interpolation_has_its_transpose_and_its_gradients() {
    let grid = Grid::uniform(14, 0.1).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect();
    let lbar: Array1<f64> = grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect();
    let orders: Vec<f64> = grid.points().map(|t| 0.5 + 0.2 * (3.0 * t).sin()).collect();
    for of in TYPES {
        let cubic = |orders: &[f64]| VariableOrder::sampled(of, orders).unwrap().cubic();
        let operator = cubic(&orders);
        let each = operator.vjp_orders(grid, f.view(), lbar.view(), &Reference).unwrap();
        for j in 0..grid.n() {
            let loss = |step: f64| {
                let mut orders = orders.clone();
                orders[j] += step;
                apply(cubic(&orders), grid, &f).dot(&lbar)
            };
            let expected = (loss(1e-4) - loss(-1e-4)) / 2e-4;
            assert!(
                (each[j] - expected).abs() < 1e-7 * max_abs(&each),
                "{j}: {} {expected}",
                each[j]
            );
        }
        let bound = operator.on(grid, &Reference).unwrap();
        let shift = bound.vjp_order(f.view(), lbar.view()).unwrap();
        assert!((each.sum() - shift).abs() < 1e-11 * max_abs(&each), "{shift}");
        let (forward, back) = (bound.apply(f.view()).unwrap(), bound.vjp(lbar.view()).unwrap());
        assert!((forward.dot(&lbar) - back.dot(&f)).abs() < 1e-12);
    }
}

#[test]
fn cubics_need_four_samples() {
    for of in TYPES {
        let cubic = VariableOrder::ramp(of, order(0.5), 0.1).unwrap().cubic();
        let refused = cubic.weights(Grid::uniform(3, 0.1).unwrap()).unwrap_err();
        assert!(matches!(refused, OperatorError::TooFewSamples { needed: 4, .. }), "{refused}");
        let grid = Grid::uniform(4, 0.1).unwrap();
        let y = apply(cubic, grid, &Array1::from_elem(4, 0.3));
        assert_eq!(max_abs(&y), 0.0, "{of:?} of a constant");
    }
}

/// Of t^q at 1 for types 2 and 3, whose table has 18 digits.
#[test]
fn cubic_schemes_of_types_2_and_3_have_order_3_and_nine_digits() {
    let table = Table::parse(include_str!("../data/variable_order_powers.csv"));
    for row in table.rows() {
        let (first, rise, q) = (row.number("first"), row.number("rise"), row.number("q"));
        let definition = row.text("definition");
        let error_at = |n: usize| {
            let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
            let f: Array1<f64> = grid.points().map(|t| t.powf(q)).collect();
            let made = named(definition, Some("cubic"), order(first), &[("rise", rise)]).unwrap();
            (grid.dt(), (apply(made, grid, &f)[n] - row.number("value")).abs())
        };
        let errors = [80, 160, 320].map(error_at);
        let theory = f64::min(3.0, q + 1.0);
        let seen = observed_order(&errors);
        println!("{definition} {first} {rise} t^{q}: {seen:.2} ({theory}) {:.1e}", errors[2].1);
        // Type 3 has nearly one order more on smooth functions.
        let orders = theory - 0.35..if q > 1.0 { 4.3 } else { theory + 0.25 };
        assert!(orders.contains(&seen), "{definition} {first} t^{q}: {seen} {errors:?}");
        if q > 3.0 {
            let (_, error) = error_at(4000);
            println!("at 4000: {error:.1e}");
            // Over so wide a range of orders type 2 has powers of ln(1/h), too.
            let bound = if first < 0.1 { 1e-8 } else { 1e-9 };
            assert!(error < bound, "{definition} {first} t^{q}: {error:e}");
        }
    }
}

/// All are the derivative of one order where the orders are equal.
#[test]
fn cubic_schemes_of_equal_orders_are_exact_on_cubics() {
    for of in TYPES {
        for alpha in [1e-3, 0.3, 0.8, 0.999] {
            let grid = Grid::uniform(200, 0.01).unwrap();
            let cubic = VariableOrder::ramp(of, order(alpha), 0.0).unwrap().cubic();
            let f: Array1<f64> = grid.points().map(|t| t.powi(3)).collect();
            let y = apply(cubic, grid, &f);
            for j in 0..200 {
                let exact = 6.0 * recip_gamma(4.0 - alpha) * grid.t(j).powf(3.0 - alpha);
                assert!((y[j] - exact).abs() < 1e-12, "{of:?} {alpha} {j}: {} {exact}", y[j]);
            }
        }
    }
}
