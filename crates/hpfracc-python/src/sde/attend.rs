//! Solves on the threads of a pool, while the calling thread looks for Ctrl-C and reports progress.

use crate::errors::{self, OrRaise};
use crate::interrupts::Interrupts;
use hpfracc::sde::{Ensemble, Progress};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks of the calling thread.
const TICK: Duration = Duration::from_millis(20);

/// State shared by a solve and the thread that waits for it.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Ends the solve.
    pub(super) cancelled: AtomicBool,
    /// Bits of the completed share, from 0 to 1.
    share: AtomicU64,
}

impl Watch {
    /// Records the completed share.
    pub(super) fn report(&self, share: f64) {
        // Shares are not negative, so that their bits have their order.
        self.share.fetch_max(share.to_bits(), Ordering::Relaxed);
    }

    /// A function for [`Ensemble::watched_by`].
    pub(super) fn reporter(&self) -> impl Fn(Progress) + Sync + '_ {
        |progress| self.report(progress.share)
    }

    fn share(&self) -> f64 {
        f64::from_bits(self.share.load(Ordering::Relaxed))
    }
}

/// An ensemble that this watch ends and that reports its progress.
pub(super) fn watched<'a>(
    ensemble: Ensemble<'a>,
    watch: &'a Watch,
    reporter: &'a (dyn Fn(Progress) + Sync),
) -> Ensemble<'a> {
    ensemble.cancelled_by(&watch.cancelled).watched_by(reporter)
}

/// Runs `work` on a pool of threads without the interpreter's lock; the calling thread handles signals and calls
/// `progress` with the completed share.
///
/// # Errors
/// `KeyboardInterrupt`, the exception of `progress`, or that of the work.
pub(super) fn attended<R: Send>(
    py: Python<'_>,
    watch: &Watch,
    threads: Option<usize>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce() -> PyResult<R> + Send,
) -> PyResult<R> {
    if rayon::current_thread_index().is_some() {
        // A function in Python that another solve calls: a worker that waited would wait for itself, and the thread
        // that waits for the other solve handles signals.
        return py.detach(work);
    }
    let pool = pool(threads)?;
    py.detach(|| {
        let mut interrupts = Interrupts::new();
        let mut result = None;
        let (done, waiting) = channel::<()>();
        let result_of_work = &mut result;
        let attend = |interrupts: &mut Interrupts| {
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let report = |py: Python<'_>| match progress {
                    Some(progress) => progress.call1(py, (watch.share(),)).map(|_| ()),
                    None => Ok(()),
                };
                if interrupts.pending_or(report) {
                    watch.cancelled.store(true, Ordering::Relaxed);
                }
            }
        };
        let solve = move || {
            *result_of_work = Some(work());
            drop(done);
        };
        match &pool {
            Some(pool) => pool.in_place_scope(|scope| {
                scope.spawn(|_| solve());
                attend(&mut interrupts);
            }),
            None => rayon::in_place_scope(|scope| {
                scope.spawn(|_| solve());
                attend(&mut interrupts);
            }),
        }
        let result =
            result.unwrap_or_else(|| Err(errors::input("the solve ended without a result")));
        interrupts.finish(result)
    })
}

/// Pool of this number of threads, or of that of the environment; `None` for that of all processors.
fn pool(threads: Option<usize>) -> PyResult<Option<Arc<ThreadPool>>> {
    static POOLS: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>> = Mutex::new(None);
    let threads = match threads {
        Some(threads) => Some(threads),
        None => hpfracc::Settings::from_env().or_raise()?.threads.map(usize::from),
    };
    let Some(threads) = threads else { return Ok(None) };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&threads) {
        return Ok(Some(Arc::clone(pool)));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| errors::input(format!("threads={threads}: {error}")))?;
    let pool = Arc::new(pool);
    pools.insert(threads, Arc::clone(&pool));
    Ok(Some(pool))
}
