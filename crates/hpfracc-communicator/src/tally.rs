use crate::Ranks;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

/// Time between two reports of a rank to rank 0, which grows in proportion to the number of ranks beyond this one.
const PAUSE: Duration = Duration::from_millis(100);
const RANKS: u32 = 64;

/// Number of finished parts of a computation, for displays of its progress: rank 0 has that of all ranks, those of the others a
/// little late.
#[derive(Debug)]
pub struct Tally<'a> {
    ranks: Ranks<'a>,
    counter: u64,
    own: AtomicU64,
    /// Last report of this rank, and what it had then.
    reported: Mutex<(Instant, u64)>,
}

impl<'a> Tally<'a> {
    /// Tally from 0. Collective.
    pub fn new(ranks: Ranks<'a>) -> Self {
        let counter = ranks.several().map_or(0, |communicator| communicator.new_counter());
        let reported = Mutex::new((Instant::now(), 0));
        Self { ranks, counter, own: AtomicU64::new(0), reported }
    }

    /// Adds finished parts of this rank. Any thread may call it.
    pub fn add(&self, count: u64) {
        self.own.fetch_add(count, Ordering::Relaxed);
        let Some(communicator) = self.ranks.several().filter(|_| !self.ranks.is_first()) else {
            return;
        };
        // One thread reports.
        let mut reported = match self.reported.try_lock() {
            Ok(reported) => reported,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let pause = PAUSE * (communicator.size() as u32).div_ceil(RANKS);
        if reported.0.elapsed() < pause {
            return;
        }
        let own = self.own.load(Ordering::Relaxed);
        // A display does not end a computation: an error of the transport shows elsewhere.
        let _ = communicator.count(self.counter, own.saturating_sub(reported.1));
        *reported = (Instant::now(), own);
    }

    /// Finished parts: of all ranks on rank 0, of this rank on others.
    pub fn total(&self) -> u64 {
        let own = self.own.load(Ordering::Relaxed);
        let others = self.ranks.several().filter(|_| self.ranks.is_first());
        own + others.map_or(0, |ranks| ranks.count(self.counter, 0).unwrap_or(0))
    }
}
