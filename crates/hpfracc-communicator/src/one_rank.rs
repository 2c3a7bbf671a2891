use crate::{Communicator, CommunicatorError};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A computation alone: rank 0 of 1.
///
/// ```
/// use hpfracc_communicator::{Communicator, OneRank};
///
/// let alone = OneRank::default();
/// assert_eq!(alone.gather(vec![1, 2])?, Some(vec![vec![1, 2]]));
/// # Ok::<(), hpfracc_communicator::CommunicatorError>(())
/// ```
#[derive(Debug, Default)]
pub struct OneRank {
    to_itself: Mutex<VecDeque<Vec<u8>>>,
    counters: Counters,
}

/// Counters of all ranks.
#[derive(Debug, Default)]
pub(crate) struct Counters(Mutex<HashMap<u64, u64>>);

impl Counters {
    pub(crate) fn add(&self, counter: u64, step: u64) -> u64 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = all.entry(counter).or_default();
        let before = *value;
        *value = before.saturating_add(step);
        before
    }
}

/// Counter of counters, of one rank.
static COUNTERS: AtomicU64 = AtomicU64::new(0);

impl Communicator for OneRank {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), CommunicatorError> {
        check(to, 1)?;
        self.to_itself.lock().unwrap_or_else(PoisonError::into_inner).push_back(bytes);
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CommunicatorError> {
        check(from, 1)?;
        let next = self.to_itself.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let reason = "it waits for a message from itself".to_owned();
        next.ok_or(CommunicatorError::Ended { rank: 0, reason })
    }

    fn count(&self, counter: u64, step: u64) -> Result<u64, CommunicatorError> {
        Ok(self.counters.add(counter, step))
    }

    fn new_counter(&self) -> u64 {
        COUNTERS.fetch_add(1, Ordering::Relaxed)
    }

    fn leave(&self, _: &str) {}

    fn abort(&self, message: &str) -> ! {
        eprintln!("{message}");
        std::process::exit(1)
    }
}

/// Refuses ranks beyond the last.
pub(crate) fn check(rank: usize, size: usize) -> Result<(), CommunicatorError> {
    if rank < size { Ok(()) } else { Err(CommunicatorError::NoRank { rank, size }) }
}
