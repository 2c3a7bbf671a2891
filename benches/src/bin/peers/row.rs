//! Times and errors of one method, as lines of JSON.

use serde_json::{Value, json};
use std::time::Instant;

/// The sizes and parameters of this program are those of its problems.
pub(crate) const INSIDE: &str = "inside the range";

/// More repeats than this tell nothing new.
const MOST_REPEATS: usize = 1000;

/// What one row says.
pub(crate) struct Measured {
    /// The first call, with plans and pages to make.
    first: f64,
    /// The least of the calls after it.
    seconds: f64,
    /// Against the exact value, where there is one.
    error: Option<f64>,
    /// Of training, before the first step.
    loss: Option<f64>,
}

impl Measured {
    /// Calls once, then for so many seconds, at least once more.
    pub(crate) fn of(seconds: f64, mut call: impl FnMut()) -> Self {
        let mut timed = || {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64()
        };
        let first = timed();
        let start = Instant::now();
        let mut least = timed();
        for _ in 1..MOST_REPEATS {
            if start.elapsed().as_secs_f64() > seconds {
                break;
            }
            least = least.min(timed());
        }
        Self { first, seconds: least, error: None, loss: None }
    }

    pub(crate) fn with_error(self, error: f64) -> Self {
        Self { error: Some(error), ..self }
    }

    pub(crate) fn with_loss(self, loss: f64) -> Self {
        Self { loss: Some(loss), ..self }
    }

    pub(crate) fn json(&self, problem: &str, size: usize) -> Value {
        let Self { first, seconds, error, loss } = self;
        let mut row = json!({
            "problem": problem, "peer": "hpfracc", "version": env!("CARGO_PKG_VERSION"),
            "size": size, "seconds": seconds, "first": first, "error": error, "loss": loss,
        });
        // There is no NaN in JSON, and a result that is none is no result.
        for (name, value) in [("error", error), ("loss", loss)] {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                row["failed"] = json!(format!("the {name} is {value}"));
            }
        }
        row
    }
}

/// The largest difference, relative to the largest exact value.
pub(crate) fn relative(found: &[f64], exact: &[f64]) -> f64 {
    let largest = exact.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let differences = found.iter().zip(exact).map(|(found, exact)| (found - exact).abs());
    // A NaN is kept, where `max` would lose it.
    differences.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most }) / largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_has_failed() {
        let row = |error| Measured::of(0.0, || {}).with_error(error).json("p", 3);
        assert_eq!((&row(0.5)["error"], &row(0.5)["failed"]), (&json!(0.5), &Value::Null));
        assert_eq!(row(f64::NAN)["failed"], "the error is NaN");
        let training = Measured::of(0.0, || {}).with_loss(f64::INFINITY).json("p", 3);
        assert_eq!(training["failed"], "the loss is inf");
        assert!(relative(&[1.0, f64::NAN, 1.0], &[1.0; 3]).is_nan());
    }
}
