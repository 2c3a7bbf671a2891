//! Times and errors of one method, as lines of JSON.

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
        Self { first, seconds: least, error: None }
    }

    pub(crate) fn with_error(self, error: f64) -> Self {
        Self { error: Some(error), ..self }
    }

    pub(crate) fn json(&self, problem: &str, size: usize) -> String {
        let Self { first, seconds, error } = self;
        // There is no NaN in JSON.
        let error = error.filter(|error| error.is_finite());
        let error = error.map_or("null".to_owned(), |error| format!("{error:e}"));
        let version = env!("CARGO_PKG_VERSION");
        format!(
            r#"{{"problem":"{problem}","peer":"hpfracc","version":"{version}","size":{size},"seconds":{seconds:e},"first":{first:e},"error":{error}}}"#
        )
    }
}

/// The largest difference, relative to the largest exact value.
pub(crate) fn relative(found: &[f64], exact: &[f64]) -> f64 {
    let largest = exact.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let differences = found.iter().zip(exact).map(|(found, exact)| (found - exact).abs());
    // A NaN is kept, where `max` would lose it.
    differences.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most }) / largest
}
