//! Sequential derivatives: what they are not, what they are, and their gradient.

use hpfracc_backend::Reference;
use hpfracc_operators::{Bound, Caputo, GrunwaldLetnikov, MillerRoss, Operator, OperatorError};
use hpfracc_special::{gamma, mittag_leffler, recip_gamma};
use hpfracc_testkit::{max_abs, observed_order};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn on(operator: impl Operator + Clone + 'static, grid: Grid) -> Bound<f64> {
    operator.on(grid, &Reference).unwrap()
}

/// t^alpha -> Gamma(alpha+1) -> 0, but Gamma(alpha+1)/Gamma(1-alpha) t^-alpha by one derivative of
/// order 2 alpha.
#[test]
fn two_caputo_derivatives_are_not_one_of_twice_the_order() {
    let alpha: f64 = 0.4;
    let at_end = |n: usize| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let f: Array1<f64> = grid.points().map(|t| t.powf(alpha)).collect();
        let twice = on(MillerRoss::caputo(order(alpha), 2).unwrap(), grid);
        let double = on(Caputo::l1_2(order(2.0 * alpha)).unwrap(), grid);
        let y = [twice, double].map(|operator| operator.apply(f.view()).unwrap()[n]);
        (grid.dt(), y)
    };
    let runs = [400, 800, 1600].map(at_end);
    let errors = |which: usize, exact: f64| {
        let pairs: Vec<(f64, f64)> =
            runs.iter().map(|(h, y)| (*h, (y[which] - exact).abs())).collect();
        (observed_order(&pairs), pairs[2].1)
    };
    let (seen, last) = errors(0, 0.0);
    assert!((seen - 1.0).abs() < 0.2 && last < 1e-3, "order {seen}, {last:e} at the end");
    let (seen, last) = errors(1, gamma(alpha + 1.0) * recip_gamma(1.0 - alpha));
    assert!(seen > 1.0 && last < 1e-3, "order {seen}, {last:e} at the end");
}

#[test]
fn riemann_liouville_factors_compose() {
    let grid = Grid::uniform(300, 0.01).unwrap();
    let f: Array1<f64> = grid.points().map(|t| 1.0 + (3.0 * t).sin()).collect();
    for (alpha, times) in [(0.3, 2), (0.7, 2), (0.4, 5), (0.9, 8)] {
        let sequential = MillerRoss::riemann_liouville(order(alpha), times).unwrap();
        let at_once = GrunwaldLetnikov::bdf(order(alpha * times as f64), 2).unwrap();
        let y = on(sequential, grid).apply(f.view()).unwrap();
        let z = on(at_once, grid).apply(f.view()).unwrap();
        let error = max_abs(&(&y - &z)) / max_abs(&z);
        assert!(error < 1e-12, "{alpha} {times}: {error:e}");
    }
}

#[test]
fn one_factor_is_the_derivative_itself() {
    let grid = Grid::uniform(100, 0.02).unwrap();
    let f: Array1<f64> = grid.points().map(|t| 1.0 + (3.0 * t).sin()).collect();
    let once = on(MillerRoss::caputo(order(0.6), 1).unwrap(), grid);
    let factor = on(Caputo::l1_2(order(0.6)).unwrap(), grid);
    assert_eq!(once.apply(f.view()).unwrap(), factor.apply(f.view()).unwrap());
    let slopes = [once, factor].map(|operator| operator.vjp_order(f.view(), f.view()).unwrap());
    assert_eq!(slopes[0], slopes[1]);
}

#[test]
fn gradients_of_several_factors() {
    let grid = Grid::uniform(60, 0.1).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (1.7 * t).cos() + 0.3 * t).collect();
    let ybar: Array1<f64> = grid.points().map(|t| 0.5 + (0.9 * t + 0.2).sin()).collect();
    type Make = fn(Order, usize) -> Result<MillerRoss, OperatorError>;
    for (make, times) in [(MillerRoss::caputo as Make, 2), (MillerRoss::riemann_liouville, 3)] {
        let operator = |alpha: f64| on(make(order(alpha), times).unwrap(), grid);
        let loss = |alpha: f64| operator(alpha).apply(f.view()).unwrap().dot(&ybar);
        let expected = (loss(0.4 + 1e-5) - loss(0.4 - 1e-5)) / 2e-5;
        let found = operator(0.4).vjp_order(f.view(), ybar.view()).unwrap();
        assert!((found - expected).abs() < 1e-7 * expected.abs(), "{found} {expected}");
    }
}

/// E_alpha(-t^alpha) has all powers t^(k alpha), and its Caputo derivative is -1 times itself.
#[test]
fn sequences_of_the_mittag_leffler_function() {
    for (alpha, order_expected) in [(0.4, 0.8), (0.7, 1.0)] {
        let at_end = |n: usize| {
            let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
            let f = |t: f64| mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap();
            let samples: Array1<f64> = grid.points().map(f).collect();
            let twice = on(MillerRoss::caputo(order(alpha), 2).unwrap(), grid);
            (grid.dt(), (twice.apply(samples.view()).unwrap()[n] - f(1.0)).abs())
        };
        let errors = [400, 800, 1600].map(at_end);
        let seen = observed_order(&errors);
        println!("{alpha}: order {seen:.2}, {errors:?}");
        assert!(seen > order_expected - 0.2 && errors[2].1 < 1e-2, "{alpha}: {seen}, {errors:?}");
    }
}
