//! Fits of `a exp(-(t/tau)^s) + c`, 4 parameters, from starts 30 % off: one long curve, or many of 64 points; the error is
//! the relative offset.

use crate::row::{INSIDE, Measured};
use hpfracc::equation::Formula;
use hpfracc::fit::{Batch, Fit, FormulaModel, Outcome, Set};
use ndarray::Array2;

const TEXT: &str =
    "y = a exp(-(t/tau)^s) + c; a = 1.3; tau = 1.4 in (0, inf); s = 0.8 in (0, 2); c = 0.13";
/// Points of a curve of a batch.
const POINTS: usize = 64;

fn model() -> FormulaModel {
    let formula = Formula::parse(TEXT, &["t", "y"]).expect(INSIDE);
    FormulaModel::new(&[formula]).expect(INSIDE)
}

fn time(k: usize, n: usize) -> f64 {
    8.0 * (k as f64 + 0.5) / n as f64
}

/// Value of a point, with the noise of this number.
fn value(t: f64, number: usize) -> f64 {
    let noise = ((number as f64 * 12.9898).sin() * 43_758.545_3).fract();
    2.0 * (-(t / 2.0).powf(0.6)).exp() + 0.1 + 0.02 * noise
}

fn offset(outcome: Option<Outcome>) -> f64 {
    match outcome {
        Some(Outcome::Converged { offset } | Outcome::Rounding { offset }) => offset,
        _ => f64::NAN,
    }
}

/// One curve of n points.
pub(crate) fn one(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    if method != "default" {
        return None;
    }
    let t: Vec<f64> = (0..n).map(|k| time(k, n)).collect();
    let y: Vec<f64> = t.iter().enumerate().map(|(k, t)| value(*t, k)).collect();
    let model = model();
    let mut error = f64::NAN;
    let measured = Measured::of(seconds, || {
        let set = Set::new("curve", &model).input(&t).response(&y);
        let found = Fit::new(set).and_then(Fit::run).expect(INSIDE);
        error = offset(Some(found.outcome()));
    });
    Some(measured.with_error(error))
}

/// A number of curves of 64 points.
pub(crate) fn batch(method: &str, seconds: f64, count: usize) -> Option<Measured> {
    let t: Vec<f64> = (0..POINTS).map(|k| time(k, POINTS)).collect();
    let y = Array2::from_shape_fn((count, POINTS), |(curve, k)| value(t[k], curve * POINTS + k));
    let model = model();
    let mut error = f64::NAN;
    let measured = match method {
        "default" => Measured::of(seconds, || {
            let found = Batch::new("curves", &model).input(&t).response(&y).run().expect(INSIDE);
            let offsets = found.outcomes().iter().map(|outcome| offset(*outcome));
            error = offsets.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most });
        }),
        "loop" => Measured::of(seconds, || {
            error = 0.0;
            for row in y.rows() {
                let y = row.to_slice().expect(INSIDE);
                let set = Set::new("curve", &model).input(&t).response(y);
                let found = Fit::new(set).and_then(Fit::run).expect(INSIDE);
                error = error.max(offset(Some(found.outcome())));
            }
        }),
        _ => return None,
    };
    Some(measured.with_error(error))
}
