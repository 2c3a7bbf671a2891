use crate::one_rank::{Counters, check};
use crate::{Communicator, CommunicatorError};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Rank that is a thread of this process.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    shared: Arc<Shared>,
    counters: AtomicU64,
}

#[derive(Debug)]
struct Shared {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
    counters: Counters,
}

#[derive(Debug)]
struct State {
    /// Messages, by sender and receiver.
    messages: Vec<Vec<VecDeque<Vec<u8>>>>,
    /// Reason of each rank that has ended.
    ended: Vec<Option<String>>,
}

impl Shared {
    /// A panic elsewhere leaves no change half made.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a function on ranks that are threads, and returns the results in the order of the ranks.
///
/// A rank that returns an error or panics ends the others where they wait for it.
///
/// # Errors
/// The first error, in the order of the ranks, that is not a consequence of the end of another rank.
///
/// # Panics
/// If the function panics on a rank.
pub fn run_threads<R: Send, E: Send + From<CommunicatorError>>(
    size: usize,
    run: impl Fn(&Threads) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let shared = Arc::new(Shared {
        size,
        state: Mutex::new(State {
            messages: vec![vec![VecDeque::new(); size]; size],
            ended: vec![None; size],
        }),
        changed: Condvar::new(),
        counters: Counters::default(),
    });
    let of_rank = |rank: usize| {
        let threads = Threads { rank, shared: Arc::clone(&shared), counters: AtomicU64::new(0) };
        let result = catch_unwind(AssertUnwindSafe(|| run(&threads)));
        let reason = match &result {
            Ok(Ok(_)) => "it has finished".to_owned(),
            Ok(Err(_)) => "it has failed".to_owned(),
            Err(panic) => message(panic.as_ref()),
        };
        let mut state = shared.lock();
        state.ended[rank] = Some(reason);
        let failures = state.ended.iter().filter(|ended| ended.is_some()).count();
        shared.changed.notify_all();
        (failures, result)
    };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let of_rank = &of_rank;
        let threads: Vec<_> = (0..size).map(|rank| scope.spawn(move || of_rank(rank))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    // The first that ended early is the cause.
    let cause = results.iter().enumerate().filter(|(_, (_, r))| !matches!(r, Ok(Ok(_))));
    let cause = cause.min_by_key(|(_, (order, _))| *order).map(|(rank, _)| rank);
    if let Some(rank) = cause {
        return match results.swap_remove(rank).1 {
            Ok(Err(error)) => Err(error),
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(Ok(_)) => Ok(vec![]),
        };
    }
    Ok(results.into_iter().filter_map(|(_, result)| result.ok()?.ok()).collect())
}

/// Message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("it has panicked: {}", text.unwrap_or_default())
}

impl Communicator for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.size
    }

    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), CommunicatorError> {
        check(to, self.size())?;
        self.shared.lock().messages[self.rank][to].push_back(bytes);
        self.shared.changed.notify_all();
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CommunicatorError> {
        check(from, self.size())?;
        let mut state = self.shared.lock();
        loop {
            if let Some(bytes) = state.messages[from][self.rank].pop_front() {
                return Ok(bytes);
            }
            if let Some(reason) = &state.ended[from] {
                return Err(CommunicatorError::Ended { rank: from, reason: reason.clone() });
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count(&self, counter: u64, step: u64) -> Result<u64, CommunicatorError> {
        Ok(self.shared.counters.add(counter, step))
    }

    fn new_counter(&self) -> u64 {
        self.counters.fetch_add(1, Ordering::Relaxed)
    }

    fn leave(&self, reason: &str) {
        self.shared.lock().ended[self.rank].get_or_insert_with(|| reason.to_owned());
        self.shared.changed.notify_all();
    }

    fn abort(&self, message: &str) -> ! {
        std::panic::panic_any(format!("rank {}: {message}", self.rank))
    }
}
