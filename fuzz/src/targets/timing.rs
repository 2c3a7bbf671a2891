//! Time limit of calls that have to be fast for any argument.

use std::time::{Duration, Instant};

/// Result of a call that takes less than 10 ms. Slow calls are repeated, because the machine may be
/// busy; builds with debug assertions have no limit.
pub(super) fn quick<R>(what: &str, mut call: impl FnMut() -> R) -> R {
    let limit = if cfg!(debug_assertions) { Duration::MAX } else { Duration::from_millis(10) };
    for _ in 0..5 {
        let start = Instant::now();
        let result = call();
        if start.elapsed() <= limit {
            return result;
        }
    }
    panic!("{what}: longer than {limit:?}");
}
