//! Estimates of accuracy against exact solutions.

use hpfracc_backend::Reference;
use hpfracc_operators::{Accuracy, Caputo, Operator, named};
use hpfracc_special::recip_gamma;
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Axis};

/// D^alpha exp(t/2).
fn exact(alpha: f64, t: f64) -> f64 {
    let first = alpha.ceil() as i32;
    let term = |k: i32| {
        let k = f64::from(k);
        0.5f64.powf(k) * t.powf(k - alpha) * recip_gamma(k + 1.0 - alpha)
    };
    (first..40).map(term).sum()
}

/// At small steps of a high order the error is that of the samples' rounding: within the estimate,
/// and not far below it.
#[test]
fn rounding_explains_the_error_at_small_steps() {
    for (alpha, p, n) in [(2.5, 4, 3000), (2.5, 2, 6000), (1.8, 4, 6000)] {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let f: Array1<f64> = grid.points().map(|t| (0.5 * t).exp()).collect();
        let operator = Caputo::bdf(Order::new(alpha).unwrap(), p).unwrap();
        let bound = operator.on(grid, &Reference).unwrap();
        let y = bound.apply(f.view()).unwrap();
        let error = (n / 2..=n).map(|j| (y[j] - exact(alpha, grid.t(j))).abs()).fold(0.0, f64::max);
        let estimate = bound.rounding_estimate(f.view()).unwrap();
        println!("{alpha} bdf{p}: {error:.1e}, estimate {estimate:.1e}");
        assert!(error < 1.2 * estimate && error > estimate / 30.0, "{error:e} {estimate:e}");
        let accuracy = Accuracy::estimate(&operator, grid, f.view(), &Reference).unwrap();
        assert_eq!(accuracy.rounding, estimate);
        assert_eq!(accuracy.rounding_dominates(), estimate > 1e-6 * accuracy.largest);
    }
}

#[test]
fn a_scheme_with_its_own_error_is_not_blamed_on_rounding() {
    let grid = Grid::uniform(801, 1.0 / 800.0).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (3.0 * t).sin()).collect();
    for (operator, scheme, alpha) in
        [("caputo", "l1", 0.5), ("caputo", "bdf2", 1.5), ("rl-integral", "trapezoid", 0.5)]
    {
        let made = named(operator, Some(scheme), Order::new(alpha).unwrap(), &[]).unwrap();
        let accuracy = Accuracy::estimate(made.as_ref(), grid, f.view(), &Reference).unwrap();
        assert!(!accuracy.rounding_dominates(), "{operator} {scheme}: {accuracy:?}");
        assert!(accuracy.step_doubling > 1e-8, "{accuracy:?}");
    }
    // A straight line, which L1 has exactly: an error of rounding, but no cause for a warning.
    let line: Array1<f64> = grid.points().collect();
    let l1 = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let accuracy = Accuracy::estimate(&l1, grid, line.view(), &Reference).unwrap();
    assert!(accuracy.rounding > accuracy.step_doubling && !accuracy.rounding_dominates());
}

/// The worst signal of a batch along any axis, in the precision of the samples.
#[test]
fn estimates_are_those_of_the_largest_signal() {
    let grid = Grid::uniform(50, 0.1).unwrap();
    let operator = || Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let one = Array1::from_elem(50, 2.0);
    let alone = operator().on(grid, &Reference).unwrap().rounding_estimate(one.view()).unwrap();
    let mut batch = Array2::from_elem((50, 3), 0.5);
    batch.column_mut(1).assign(&one);
    let columns = operator().on(grid, &Reference).unwrap().along(Axis(0)).unwrap();
    assert_eq!(columns.rounding_estimate(batch.view()).unwrap(), alone);
    let single = operator().on::<f32, _>(grid, &Reference).unwrap();
    let single = single.rounding_estimate(one.mapv(|x| x as f32).view()).unwrap();
    assert!((single / alone * 2f64.powi(-29) - 1.0).abs() < 1e-5, "{single:e} {alone:e}");
    batch[[3, 2]] = f64::NAN;
    assert!(columns.rounding_estimate(batch.view()).unwrap().is_nan());
    assert!(columns.rounding_estimate(one.slice_move(ndarray::s![..49]).view()).is_err());
}
