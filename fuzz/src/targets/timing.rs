//! Time limit of calls that have to be fast for any argument.

use std::time::{Duration, Instant};

/// Result of a call that takes less than 10 ms, or less than 1 s in builds with debug assertions,
/// which may be instrumented too. Slow calls are repeated, because the machine may be busy.
pub(super) fn quick<R>(what: &str, mut call: impl FnMut() -> R) -> R {
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 10 });
    for _ in 0..5 {
        let start = Instant::now();
        let result = call();
        if start.elapsed() <= limit {
            return result;
        }
    }
    panic!("{what}: longer than {limit:?}");
}
