//! Times and errors of a method as lines of JSON.

use serde_json::{Value, json};
use std::time::Instant;

/// Reason why constructors succeed: sizes and parameters are in their ranges.
pub(crate) const INSIDE: &str = "inside the range";

/// Maximum number of repetitions.
const MAX_REPEATS: usize = 1000;

/// Results of a row.
pub(crate) struct Measured {
    /// Time of the first call, which makes plans and touches fresh pages.
    first: f64,
    /// Least time of the later calls.
    seconds: f64,
    /// Error against the exact value, if it is known.
    error: Option<f64>,
    /// Loss of a training before the first step.
    loss: Option<f64>,
}

impl Measured {
    /// Measures a first call, then repeated calls for `seconds`, at least one.
    pub(crate) fn of(seconds: f64, mut call: impl FnMut()) -> Self {
        let mut timed = || {
            let start = Instant::now();
            call();
            start.elapsed().as_secs_f64()
        };
        let first = timed();
        let start = Instant::now();
        let mut least = timed();
        for _ in 1..MAX_REPEATS {
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
        // JSON has no NaN: such a result is a failure.
        for (name, value) in [("error", error), ("loss", loss)] {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                row["failed"] = json!(format!("the {name} is {value}"));
            }
        }
        row
    }
}

/// Largest difference relative to the largest exact value.
pub(crate) fn relative(values: &[f64], exact: &[f64]) -> f64 {
    let largest = exact.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let differences = values.iter().zip(exact).map(|(value, exact)| (value - exact).abs());
    // Propagates NaN, unlike `max`.
    differences.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most }) / largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_are_not_finite_are_failures() {
        let row = |error| Measured::of(0.0, || {}).with_error(error).json("p", 3);
        assert_eq!((&row(0.5)["error"], &row(0.5)["failed"]), (&json!(0.5), &Value::Null));
        assert_eq!(row(f64::NAN)["failed"], "the error is NaN");
        let training = Measured::of(0.0, || {}).with_loss(f64::INFINITY).json("p", 3);
        assert_eq!(training["failed"], "the loss is inf");
        assert!(relative(&[1.0, f64::NAN, 1.0], &[1.0; 3]).is_nan());
    }
}
