//! Solves on the threads of a pool, while the calling thread looks for Ctrl-C and reports progress.

use crate::errors::{self, OrRaise};
use crate::running::{Cancel, background};
use hpfracc::sde::{Ensemble, Progress};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// State shared by a solve and the thread that waits for it.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Ends the solve.
    pub(super) cancel: Cancel,
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
    ensemble.cancelled_by(watch.cancel.flag()).watched_by(reporter)
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
    let pool = pool(threads)?;
    let report = |py: Python<'_>| match progress {
        Some(progress) => progress.call1(py, (watch.share(),)).map(drop),
        None => Ok(()),
    };
    let solve = || match &pool {
        // A function in Python of a solve on this pool would wait for itself, and in a child process the threads of
        // pools that its parent made do not exist.
        Some(pool) if rayon::current_thread_index().is_none() => pool.install(work),
        _ => work(),
    };
    background::joined(py, &watch.cancel, report, solve)?
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
