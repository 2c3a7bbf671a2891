//! Tempered operators: closed forms, orders, limits, constants, bad parameters.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Caputo, Discrete, GrunwaldLetnikov, Operator, OperatorError, RiemannLiouville, RlIntegral,
    Tempered, TemperedIntegral, named,
};
use hpfracc_special::{gamma, gamma_p, recip_gamma};
use hpfracc_testkit::{max_abs, observed_order};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn apply(
    operator: &dyn Fn() -> std::sync::Arc<dyn Operator>,
    grid: Grid,
    f: impl Fn(f64) -> f64,
) -> Array1<f64> {
    let samples: Array1<f64> = grid.points().map(f).collect();
    operator().on(grid, &Reference).unwrap().apply(samples.view()).unwrap()
}

/// (operator, scheme, alpha, q, order at t = 1) on exp(-lambda t) t^q.
const CASES: &[(&str, &str, f64, f64, f64)] = &[
    ("tempered-riemann-liouville", "l1", 0.6, 2.0, 1.4),
    ("tempered-riemann-liouville", "l1", 0.3, 3.0, 1.7),
    ("tempered-riemann-liouville", "grunwald-letnikov", 0.6, 2.0, 1.0),
    ("tempered-riemann-liouville", "grunwald-letnikov", 1.6, 3.0, 1.0),
    ("tempered-caputo", "l1", 0.6, 2.0, 1.4),
    ("tempered-caputo", "l1", 0.6, 0.6, 1.4),
    ("tempered-caputo", "grunwald-letnikov", 0.6, 2.0, 1.0),
    ("tempered-caputo", "grunwald-letnikov", 0.6, 0.0, 1.0),
    ("tempered-normalised", "l1", 0.6, 2.0, 1.4),
    ("tempered-normalised", "grunwald-letnikov", 0.6, 2.0, 1.0),
    ("tempered-normalised", "grunwald-letnikov", 1.6, 3.0, 1.0),
    ("tempered-integral", "trapezoid", 0.5, 2.0, 2.0),
    ("tempered-integral", "trapezoid", 1.7, 3.0, 2.0),
    ("tempered-integral", "trapezoid", 0.5, 0.3, 1.3),
];

const LAMBDA: f64 = 1.7;

fn exact(operator: &str, alpha: f64, q: f64, t: f64) -> f64 {
    let signed = if operator == "tempered-integral" { -alpha } else { alpha };
    let (decay, power) = ((-LAMBDA * t).exp(), t.powf(q));
    if operator == "tempered-caputo" && q == 0.0 {
        return 0.0;
    }
    let value = decay * gamma(q + 1.0) * recip_gamma(q + 1.0 - signed) * t.powf(q - signed);
    if operator != "tempered-normalised" {
        return value;
    }
    let value = value - LAMBDA.powf(alpha) * decay * power;
    if alpha <= 1.0 {
        return value;
    }
    let slope = decay * (q * t.powf(q - 1.0) - LAMBDA * power);
    value - alpha * LAMBDA.powf(alpha - 1.0) * slope
}

#[test]
fn orders_are_those_of_theory() {
    for &(name, scheme, alpha, q, theory) in CASES {
        let pairs: Vec<(f64, f64)> = [160, 320, 640]
            .into_iter()
            .map(|n| {
                let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
                let operator =
                    || named(name, Some(scheme), order(alpha), &[("lambda", LAMBDA)]).unwrap();
                let y = apply(&operator, grid, |t| (-LAMBDA * t).exp() * t.powf(q));
                (grid.dt(), (y[n] - exact(name, alpha, q, 1.0)).abs())
            })
            .collect();
        if q == 0.0 {
            // Taken back entirely: nothing is left but rounding.
            assert!(pairs.iter().all(|(_, error)| *error < 1e-11), "{name} {scheme}: {pairs:?}");
            continue;
        }
        let seen = observed_order(&pairs);
        println!("{name} {scheme}, alpha {alpha}, t^{q}: {seen:.2} ({theory})");
        assert!((seen - theory).abs() < 0.2, "{name} {scheme} {alpha} t^{q}: {seen} {pairs:?}");
    }
}

/// Linear f is exact in the L1 schemes and the trapezoid, whatever lambda h is: a constant gives
/// lambda^alpha P(1-alpha, lambda t), and the integral lambda^-alpha P(alpha, lambda t).
#[test]
fn constants_are_exact_for_steps_of_any_length() {
    for lambda in [1e-9, 0.1, 3.0, 40.0, 2000.0] {
        for alpha in [0.05, 0.5, 0.95] {
            let grid = Grid::uniform(300, 0.1).unwrap();
            let caputo =
                || std::sync::Arc::new(Tempered::caputo_l1(order(alpha), lambda).unwrap()) as _;
            let y = apply(&caputo, grid, |_| 3.0);
            let integral = || {
                std::sync::Arc::new(TemperedIntegral::trapezoid(order(alpha), lambda).unwrap()) as _
            };
            let z = apply(&integral, grid, |_| 3.0);
            for n in 1..grid.n() {
                let x = lambda * grid.t(n);
                let size = lambda.powf(alpha);
                let exact = 3.0 * size * gamma_p(1.0 - alpha, x).unwrap();
                let error = (y[n] - exact).abs() / size;
                assert!(error < 2e-14, "{lambda} {alpha} {n}: {} {exact}", y[n]);
                let exact = 3.0 / size * gamma_p(alpha, x).unwrap();
                let error = (z[n] / exact - 1.0).abs();
                assert!(error < 2e-13, "integral {lambda} {alpha} {n}: {} {exact}", z[n]);
            }
            assert!(y[0].abs() < 1e-14 * lambda.powf(alpha), "{}", y[0]);
        }
    }
}

/// A constant that has been there for long is no motion.
#[test]
fn the_normalised_derivative_forgets_constants() {
    let grid = Grid::uniform(2000, 0.05).unwrap();
    for (scheme, alpha) in
        [("l1", 0.3), ("l1", 0.9), ("grunwald-letnikov", 0.7), ("grunwald-letnikov", 1.4)]
    {
        let operator = || {
            named("tempered-normalised", Some(scheme), order(alpha), &[("lambda", 1.0)]).unwrap()
        };
        let y = apply(&operator, grid, |_| 1.0);
        assert!(y[1999].abs() < 1e-13, "{scheme} {alpha}: {:e}", y[1999]);
        assert!(y[20].abs() > 1e-3, "{scheme} {alpha}: there is a start");
    }
}

#[test]
fn without_decay_it_is_the_plain_operator() {
    let grid = Grid::uniform(200, 0.01).unwrap();
    let alpha = order(0.4);
    let pairs: [(Box<dyn Operator>, Box<dyn Operator>); 4] = [
        (
            Box::new(Tempered::riemann_liouville_l1(alpha, 0.0).unwrap()),
            Box::new(RiemannLiouville::l1(alpha).unwrap()),
        ),
        (Box::new(Tempered::caputo_l1(alpha, 0.0).unwrap()), Box::new(Caputo::l1(alpha).unwrap())),
        (
            Box::new(Tempered::riemann_liouville_gl(alpha, 0.0).unwrap()),
            Box::new(GrunwaldLetnikov::new(alpha)),
        ),
        (
            Box::new(TemperedIntegral::trapezoid(alpha, 0.0).unwrap()),
            Box::new(RlIntegral::trapezoid(alpha).unwrap()),
        ),
    ];
    for (tempered, plain) in pairs {
        assert_eq!(tempered.weights(grid).unwrap(), plain.weights(grid).unwrap());
        let slopes = tempered.order_derivative(&Discrete::Grid(grid)).unwrap();
        assert_eq!(slopes, plain.order_derivative(&Discrete::Grid(grid)).unwrap());
    }
    // And a little decay is a little different: of a function that starts from zero, to rounding and
    // lambda^alpha.
    for (name, scheme, alpha) in [
        ("tempered-riemann-liouville", "l1", 0.4),
        ("tempered-riemann-liouville", "grunwald-letnikov", 0.4),
        ("tempered-riemann-liouville", "grunwald-letnikov", 1.7),
        ("tempered-caputo", "grunwald-letnikov", 0.4),
        ("tempered-integral", "trapezoid", 1.3),
    ] {
        let of = |lambda: f64| {
            let operator =
                || named(name, Some(scheme), order(alpha), &[("lambda", lambda)]).unwrap();
            apply(&operator, grid, |t| t.sin())
        };
        let (plain, near) = (of(0.0), of(1e-13));
        let error = max_abs(&(&plain - &near)) / max_abs(&plain);
        // The first term of a change in lambda is lambda alpha t.
        assert!(error < 1e-12, "{name} {scheme}: {error:e}");
    }
}

/// As a whole order is neared the derivative is the classical one: f' + lambda f.
#[test]
fn near_order_one_it_is_a_decay_and_a_slope() {
    let grid = Grid::uniform(1001, 1e-3).unwrap();
    for scheme in ["l1", "grunwald-letnikov"] {
        let operator = || {
            let given = [("lambda", 2.0)];
            named("tempered-caputo", Some(scheme), order(1.0 - 1e-9), &given).unwrap()
        };
        let y = apply(&operator, grid, f64::cos);
        for n in 10..grid.n() {
            let t = grid.t(n);
            let exact = 2.0 * t.cos() - t.sin();
            assert!((y[n] - exact).abs() < 5e-3, "{scheme} {n}: {} {exact}", y[n]);
        }
    }
}

/// Towards order zero nothing is left to do but to forget the start: f, and f - f(0) exp(-lambda
/// t).
#[test]
fn near_order_zero_it_is_the_record() {
    let grid = Grid::uniform(300, 0.01).unwrap();
    for (name, subtracted) in [("tempered-riemann-liouville", 0.0), ("tempered-caputo", 1.0)] {
        for scheme in ["l1", "grunwald-letnikov"] {
            let given = [("lambda", 2.0)];
            let operator = || named(name, Some(scheme), order(1e-9), &given).unwrap();
            let y = apply(&operator, grid, f64::cos);
            for n in 1..grid.n() {
                let t = grid.t(n);
                let exact = t.cos() - subtracted * (-2.0 * t).exp();
                assert!((y[n] - exact).abs() < 1e-7, "{name} {scheme} {n}: {} {exact}", y[n]);
            }
        }
    }
}

#[test]
fn bad_parameters_are_named() {
    for lambda in [-1.0, f64::NAN, f64::INFINITY] {
        for refused in [
            Tempered::riemann_liouville_l1(order(0.5), lambda).err(),
            Tempered::normalised_gl(order(1.5), lambda).err(),
            TemperedIntegral::trapezoid(order(0.5), lambda).err(),
        ] {
            let refused = refused.unwrap();
            assert!(
                matches!(refused, OperatorError::Parameter { what: "lambda", .. }),
                "{refused}"
            );
        }
    }
    for refused in [
        Tempered::riemann_liouville_l1(order(1.0), 1.0).err(),
        Tempered::caputo_gl(order(1.5), 1.0).err(),
        Tempered::riemann_liouville_gl(order(2.0), 1.0).err(),
        TemperedIntegral::trapezoid(order(0.0), 1.0).err(),
    ] {
        assert!(matches!(refused.unwrap(), OperatorError::OutOfRange { .. }));
    }
    let missing = named("tempered-caputo", None, order(0.5), &[]).err().unwrap();
    assert!(matches!(missing, OperatorError::MissingParameter { name: "lambda", .. }), "{missing}");
}
