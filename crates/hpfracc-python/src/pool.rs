//! Threads of parallel computations, also in processes that `fork` made.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Calls a function whose parallel parts run on the global pool, or in a forked process, which has no threads of that
/// one, on a pool of its own. The first call is at the import of the module.
pub(crate) fn install<T: Send>(compute: impl FnOnce() -> T + Send) -> T {
    static IMPORTED: OnceLock<u32> = OnceLock::new();
    static FORKED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let process = std::process::id();
    if *IMPORTED.get_or_init(|| process) == process {
        return compute();
    }
    let pool = {
        let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
        if forked.as_ref().is_none_or(|(of, _)| *of != process) {
            // The pool of an earlier process has no threads here: dropping it would wait for them.
            std::mem::forget(forked.take());
            *forked = ThreadPoolBuilder::new().build().ok().map(|pool| (process, Arc::new(pool)));
        }
        forked.as_ref().map(|(_, pool)| Arc::clone(pool))
    };
    match pool {
        Some(pool) => pool.install(compute),
        None => compute(),
    }
}
