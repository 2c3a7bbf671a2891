//! Limits of a request: memory before it starts, time while it runs.

use crate::failure::Failure;
use hpfracc::types::check_memory;
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

/// Limits of a request.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Budget {
    milliseconds: f64,
    bytes: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { milliseconds: 10_000.0, bytes: (1u64 << 30) as f64 }
    }
}

impl Budget {
    /// Refuses what needs more memory than the budget, or than there is.
    pub(crate) fn admit(&self, what: &str, bytes: f64) -> Result<(), Failure> {
        if bytes > self.bytes {
            let [needed, limit] = [bytes, self.bytes].map(|bytes| (bytes / 1048576.0).ceil());
            return Err(Failure::new(format!(
                "{what} would need about {needed} MiB of memory, and the limit is {limit} MiB"
            )));
        }
        Ok(check_memory(bytes / 8.0)?)
    }

    /// Clock that starts now, of a request that `cancel` ends.
    pub(crate) fn start(&self, cancel: &Arc<AtomicBool>) -> Timer {
        // More than a day is no limit, and is no longer a duration that every clock can add.
        let limit = self.milliseconds.clamp(0.0, 86_400_000.0);
        let limit = Duration::from_secs_f64(if limit.is_nan() { 0.0 } else { limit } / 1000.0);
        let (cancel, over) = (Arc::clone(cancel), AtomicBool::new(false));
        Timer { start: Instant::now(), limit, cancel, over }
    }
}

/// Time of a request.
#[derive(Debug)]
pub(crate) struct Timer {
    start: Instant,
    limit: Duration,
    cancel: Arc<AtomicBool>,
    over: AtomicBool,
}

impl Timer {
    /// Raises the flag when the time is over or the request is cancelled.
    pub(crate) fn look(&self) {
        if self.is_cancelled() || self.start.elapsed() > self.limit {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the time was over when the timer was looked at last.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The flag, for solvers that can be cancelled.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.over
    }

    pub(crate) fn milliseconds(&self) -> f64 {
        1000.0 * self.start.elapsed().as_secs_f64()
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Sentence on the end of a request at its limit, or when it was cancelled.
    pub(crate) fn message(&self, reached: &str) -> String {
        if self.is_cancelled() {
            return format!("cancelled {reached}");
        }
        let limit = 1000.0 * self.limit.as_secs_f64();
        format!("stopped at the time limit of {limit} ms {reached}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_the_budget_is_refused() {
        let budget = Budget { bytes: 1e6, ..Budget::default() };
        assert!(budget.admit("it", 1e6).is_ok());
        let refused = budget.admit("the solution", 3e6).unwrap_err();
        assert_eq!(
            refused.message,
            "the solution would need about 3 MiB of memory, and the limit is 1 MiB"
        );
        assert!(Budget { bytes: f64::MAX, ..budget }.admit("it", 1e17).is_err());
    }

    #[test]
    fn time_is_over_at_the_limit_and_never_for_a_huge_one() {
        let over = |milliseconds| {
            let timer = Budget { milliseconds, ..Budget::default() }.start(&Arc::default());
            std::thread::sleep(Duration::from_millis(2));
            timer.look();
            timer.is_over()
        };
        assert_eq!(
            [over(0.0), over(f64::NAN), over(f64::INFINITY), over(1e9)],
            [true, true, false, false]
        );
    }

    #[test]
    fn time_is_over_when_the_request_is_cancelled() {
        let cancel = Arc::default();
        let timer = Budget::default().start(&cancel);
        timer.look();
        assert!(!timer.is_over());
        cancel.store(true, Ordering::Relaxed);
        timer.look();
        assert!(timer.is_over());
        assert_eq!(timer.message("at t = 1"), "cancelled at t = 1");
    }
}
