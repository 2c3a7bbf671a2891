use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Health of a device: it rests after a failure, twice as long after each further one.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// Time at which the rest ends, in nanoseconds of the clock; zero for a sound device.
    rests_until: AtomicU64,
    failures: AtomicU32,
}

/// Rest after the first failure.
const REST: Duration = Duration::from_secs(1);

/// Largest number of doublings: the longest rest is about an hour.
const DOUBLINGS: u32 = 12;

impl Health {
    /// Whether it never failed, or has worked since.
    #[inline]
    pub(crate) fn is_sound(&self) -> bool {
        self.rests_until.load(Relaxed) == 0
    }

    /// Whether it may be used at this time.
    pub(crate) fn may_run(&self, now: u64) -> bool {
        self.rests_until.load(Relaxed) <= now
    }

    /// Records a failure and returns how long the device rests. A failure during the rest, of
    /// another thread for instance, does not double it.
    pub(crate) fn fail(&self, now: u64) -> Duration {
        let until = self.rests_until.load(Relaxed);
        if until > now {
            return Duration::from_nanos(until - now);
        }
        let rest = REST * 2u32.pow(self.failures.fetch_add(1, Relaxed).min(DOUBLINGS));
        let nanos = u64::try_from(rest.as_nanos()).unwrap_or(u64::MAX);
        self.rests_until.store(now.saturating_add(nanos).max(1), Relaxed);
        rest
    }

    /// Records a success; returns whether it ended a series of failures.
    pub(crate) fn recover(&self) -> bool {
        self.failures.store(0, Relaxed);
        self.rests_until.swap(0, Relaxed) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_double_and_end() {
        let health = Health::default();
        assert!(health.is_sound() && health.may_run(0));
        assert_eq!(health.fail(0), REST);
        assert!(
            !health.is_sound() && !health.may_run(999_999_999) && health.may_run(1_000_000_000)
        );
        assert_eq!(health.fail(1_000_000_000), 2 * REST);
        assert_eq!(health.fail(5_000_000_000), 4 * REST);
        assert!(health.recover() && !health.recover());
        assert_eq!(health.fail(9_000_000_000), REST);
        let mut now = 9_000_000_000;
        for _ in 0..100 {
            now += u64::try_from(health.fail(now).as_nanos()).unwrap();
        }
        assert_eq!(health.fail(now), Duration::from_secs(4096));
    }

    #[test]
    fn one_failure_met_by_many_is_one() {
        let health = Health::default();
        assert_eq!((0..8).map(|_| health.fail(0)).max(), Some(REST));
        assert_eq!(health.fail(400_000_000), Duration::from_millis(600));
        assert_eq!(health.fail(1_000_000_000), 2 * REST);
    }
}
