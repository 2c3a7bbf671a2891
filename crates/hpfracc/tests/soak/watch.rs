//! Who is doing what since when, and how much memory is held.

use hpfracc_testkit::CountingAllocator;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Time after which an operation counts as a deadlock.
const FOR_EVER: Duration = Duration::from_secs(300);

#[derive(Default)]
pub(crate) struct Watch {
    at_work: Mutex<Work>,
    /// When it goes on after a break.
    on: Condvar,
    done: Mutex<BTreeMap<&'static str, usize>>,
}

#[derive(Default)]
struct Work {
    /// Who does what, since when.
    runs: BTreeMap<usize, (&'static str, Instant)>,
    /// Whether no operation may start.
    pause: bool,
}

impl Watch {
    /// Waits while there is a break.
    pub(crate) fn begin(&self, worker: usize, what: &'static str) {
        let work = self.work();
        let mut work =
            self.on.wait_while(work, |work| work.pause).unwrap_or_else(PoisonError::into_inner);
        work.runs.insert(worker, (what, Instant::now()));
    }

    pub(crate) fn end(&self, worker: usize) {
        let what = self.work().runs.remove(&worker).map(|(what, _)| what);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        what.into_iter().for_each(|what| *done.entry(what).or_default() += 1);
    }

    /// Asks for a break; what is in use once all have come to it, else nothing yet.
    pub(crate) fn memory_at_rest(&self) -> Option<Memory> {
        let mut work = self.work();
        work.pause = !work.runs.is_empty();
        if work.pause {
            return None;
        }
        let memory = Memory::now();
        self.on.notify_all();
        Some(memory)
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the program on a deadlock: a thread that waits for a lock cannot be woken.
    pub(crate) fn look(&self) {
        let at_work = &self.work().runs;
        if at_work.values().any(|(_, since)| since.elapsed() > FOR_EVER) {
            for (worker, (what, since)) in at_work {
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

/// Bytes.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// Allocated and not freed.
    pub(crate) live: usize,
    /// The largest of it since the last reading.
    most: usize,
    /// Of the resident set; 0 where the system does not tell in a file.
    pub(crate) resident: usize,
}

impl Memory {
    pub(crate) fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes =
            line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        let resident = kilobytes.unwrap_or(0usize) << 10;
        Self { live: ALLOCATOR.bytes_in_use(), most: ALLOCATOR.most_bytes_in_use(), resident }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [live, most, resident] =
            [self.live, self.most, self.resident].map(|n| n as f64 / f64::from(1 << 20));
        write!(f, "{live:.2} MiB in use after {most:.0} at most, {resident:.0} resident")
    }
}
