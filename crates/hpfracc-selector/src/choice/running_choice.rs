//! The choice in use of a bound map, and the ski rental rule that revises it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// The choice in use for one direction.
#[derive(Default)]
pub(super) struct RunningChoice {
    /// Epoch of the timings in the upper half; below, a flag that the lease counts; the index of
    /// the candidate plus one. Zero: nothing was decided yet.
    settled: AtomicU64,
    /// Executions until the choice is made again.
    lease: AtomicI64,
    pub(super) rent: Mutex<Rent>,
}

/// The account of the ski rental rule, and the trial that is under way.
#[derive(Default)]
pub(super) struct Rent {
    /// Seconds lost so far by not running the best candidate, which is not bound.
    pub(super) paid: f64,
    /// Seconds lost per execution of the current lease.
    pub(super) gain: f64,
    /// Executions of the current lease.
    pub(super) leased: i64,
    /// A candidate on trial, and whether its first execution, which warms caches, is over.
    pub(super) trial: Option<(usize, bool)>,
}

const LEASED: u64 = 1 << 16;

impl RunningChoice {
    /// The candidate settled on in this epoch, unless its device failed or the lease is over.
    #[inline]
    pub(super) fn settled(&self, epoch: u32, is_sound: impl Fn(usize) -> bool) -> Option<usize> {
        let settled = self.settled.load(Relaxed);
        if settled == 0 || settled >> 32 != u64::from(epoch) {
            return None;
        }
        let i = (settled & (LEASED - 1)) as usize - 1;
        let leased = settled & LEASED != 0;
        if !is_sound(i) || (leased && self.lease.fetch_sub(1, Relaxed) <= 0) {
            return None;
        }
        Some(i)
    }

    /// The next execution makes the choice again.
    pub(super) fn unsettle(&self) {
        self.settled.store(0, Relaxed);
    }

    /// Settles on a candidate, for `lease` executions if that is given.
    pub(super) fn settle(&self, epoch: u32, i: usize, lease: Option<i64>) {
        // The execution that follows is the first of the lease.
        self.lease.store(lease.map_or(0, |n| n - 1), Relaxed);
        let flag = if lease.is_some() { LEASED } else { 0 };
        self.settled.store(u64::from(epoch) << 32 | flag | (i as u64 + 1), Relaxed);
    }
}

impl Rent {
    /// Ends the current lease, and adds what its executions lost.
    pub(super) fn pay(&mut self, choice: &RunningChoice) {
        let remains = choice.lease.load(Relaxed).clamp(0, self.leased);
        self.paid += self.gain * (self.leased - remains) as f64;
        (self.gain, self.leased) = (0.0, 0);
    }
}
