//! The budget of all trials.

use crate::settings::Exploration;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Time executed so far, and the part of it that trials lost.
#[derive(Default)]
pub(crate) struct Budget {
    executed_nanos: AtomicU64,
    lost_nanos: AtomicU64,
}

impl Budget {
    /// Adds time executed by chosen candidates and by trials.
    pub(super) fn add_executed(&self, nanos: u64) {
        self.executed_nanos.fetch_add(nanos, Relaxed);
    }

    /// Adds time lost to a trial.
    pub(crate) fn add_lost(&self, nanos: u64) {
        self.lost_nanos.fetch_add(nanos, Relaxed);
    }

    /// Time executed, and time lost to trials.
    pub(super) fn totals(&self) -> (Duration, Duration) {
        let read = |nanos: &AtomicU64| Duration::from_nanos(nanos.load(Relaxed));
        (read(&self.executed_nanos), read(&self.lost_nanos))
    }

    /// Whether a trial of this price, in seconds, is within the allowance.
    pub(super) fn affords(&self, price: f64, allowance: Exploration) -> bool {
        let (executed, lost) = self.totals();
        let allowed = allowance.fixed.as_secs_f64() + allowance.fraction * executed.as_secs_f64();
        lost.as_secs_f64() + price <= allowed
    }

    pub(super) fn clear(&self) {
        self.executed_nanos.store(0, Relaxed);
        self.lost_nanos.store(0, Relaxed);
    }
}
