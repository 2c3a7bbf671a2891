//! The Marchaud derivative against closed forms on the line, and against what it is equal to.

use hpfracc_backend::Reference;
use hpfracc_operators::{Caputo, Marchaud, Operator, Past, RiemannLiouville, Weyl};
use hpfracc_special::recip_gamma;
use hpfracc_testkit::{max_abs, observed_order};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn apply(
    operator: impl Operator + Clone + 'static,
    grid: Grid,
    f: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let samples: Array1<f64> = grid.points().map(f).collect();
    operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap().to_vec()
}

#[test]
fn linear_interpolation_is_l1() {
    let grid = Grid::uniform(200, 0.03).unwrap();
    let f = |t: f64| 2.0 + (3.0 * t).sin();
    for alpha in [0.1, 0.5, 0.95] {
        let zero = apply(Marchaud::linear(order(alpha), Past::Zero).unwrap(), grid, f);
        assert_eq!(zero, apply(RiemannLiouville::l1(order(alpha)).unwrap(), grid, f));
        let held = apply(Marchaud::linear(order(alpha), Past::Held).unwrap(), grid, f);
        assert_eq!(held, apply(Caputo::l1(order(alpha)).unwrap(), grid, f));
    }
}

/// The two pasts differ by what f(0) gives, and at the first sample by a rise within one step.
#[test]
fn pasts_differ_by_a_constant_s_derivative() {
    let grid = Grid::uniform(50, 0.03).unwrap();
    let f = |t: f64| 2.0 + (3.0 * t).sin();
    for alpha in [0.1, 0.5, 0.95] {
        for make in [Marchaud::linear, Marchaud::quadratic] {
            let zero = apply(make(order(alpha), Past::Zero).unwrap(), grid, f);
            let held = apply(make(order(alpha), Past::Held).unwrap(), grid, f);
            assert_eq!(held[0], 0.0);
            let rise = 2.0 * grid.dt().powf(-alpha) * recip_gamma(2.0 - alpha);
            assert!((zero[0] - rise).abs() < 1e-13 * rise);
            for n in 1..grid.n() {
                let step = 2.0 * grid.t(n).powf(-alpha) * recip_gamma(1.0 - alpha);
                let error = (zero[n] - held[n] - step).abs();
                assert!(error < 1e-12 * zero[0], "{alpha} node {n}: {error:e}");
            }
        }
    }
}

/// On the line exp(l t) -> l^alpha exp(l t); 36 units of 1/l before the end it is below rounding.
#[test]
fn exponentials_on_a_long_record_are_multiplied() {
    let rate: f64 = 1.5;
    for alpha in [0.2, 0.5, 0.9] {
        let error = |steps: usize, odd: usize| {
            let n = 24 * steps + odd;
            let grid = Grid::uniform(n + 1, 1.0 / steps as f64).unwrap();
            let end = grid.t(n);
            let derivative = Marchaud::quadratic(order(alpha), Past::Zero).unwrap();
            let y = apply(derivative, grid, |t| (rate * (t - end)).exp());
            (grid.dt(), (y[n] - rate.powf(alpha)).abs())
        };
        for odd in [0, 1] {
            let errors = [error(40, odd), error(80, odd), error(160, odd)];
            let seen = observed_order(&errors);
            assert!((seen - (3.0 - alpha)).abs() < 0.2, "{alpha}: {seen}");
            assert!(errors[2].1 < 1e-4 * errors[2].0.powf(1.0 - alpha), "{alpha}: {errors:?}");
        }
    }
}

/// A wave that was always there: with a long past its derivative is Weyl's. What is missing before
/// the record falls as t^(-1-alpha), since the wave has no mean.
#[test]
fn a_wave_with_a_long_past_is_that_of_weyl() {
    let alpha = 0.5;
    let periods = 40;
    let per_period = 100;
    let n = periods * per_period;
    let grid = Grid::uniform(n, std::f64::consts::TAU / per_period as f64).unwrap();
    let wave = |t: f64| t.cos();
    let exact = apply(Weyl::new(order(alpha)), grid, wave);
    let derivative = Marchaud::quadratic(order(alpha), Past::Zero).unwrap();
    let y = apply(derivative, grid, wave);
    let last = n - per_period..n;
    let errors: Vec<f64> = last.map(|i| y[i] - exact[i]).collect();
    // alpha/Gamma(1-alpha) int_T^inf cos(t-s) s^(-1-alpha) ds is at most of size T^(-1-alpha).
    let missing = grid.t(n - per_period).powf(-1.0 - alpha);
    let error = max_abs(&errors);
    assert!(error < missing, "{error:e}, {missing:e} is missing");
}
