//! Who is doing what since when, and how much memory is held.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nothing here takes so long; whoever does will not come back.
const FOR_EVER: Duration = Duration::from_secs(300);

#[derive(Default)]
pub(crate) struct Watch {
    at_work: Mutex<BTreeMap<usize, (&'static str, Instant)>>,
    done: Mutex<BTreeMap<&'static str, usize>>,
}

impl Watch {
    pub(crate) fn begin(&self, worker: usize, what: &'static str) {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        at_work.insert(worker, (what, Instant::now()));
    }

    pub(crate) fn end(&self, worker: usize) {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        let what = at_work.remove(&worker).map(|(what, _)| what);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        what.into_iter().for_each(|what| *done.entry(what).or_default() += 1);
    }

    /// Ends the program if somebody hangs: a thread that waits for a lock cannot be woken.
    pub(crate) fn look(&self) {
        let at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if at_work.values().any(|(_, since)| since.elapsed() > FOR_EVER) {
            for (worker, (what, since)) in at_work.iter() {
                eprintln!("thread {worker}: {what} for {} s", since.elapsed().as_secs());
            }
            std::process::abort();
        }
    }

    /// How often each was done.
    pub(crate) fn report(&self) -> String {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.iter().map(|(what, times)| format!("{what} {times}")).collect::<Vec<_>>().join(", ")
    }
}

/// Bytes of the resident set; 0 where the system does not tell in a file.
pub(crate) fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0u64) << 10
}
