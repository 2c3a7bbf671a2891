//! Computations after a fork (`os.fork`, `multiprocessing` with the method `fork`).
//!
//! A child process has the memory of its parent and one of its threads. The threads of the parent's pool do not exist in
//! it, and a computation that hands work to them would wait without end. So the thread of the child becomes a pool of its
//! own, of one thread, right after the fork; other threads of the child do so at their first computation.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process was made by a fork after the extension was imported.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Calls [`after_fork`] in each child.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let os = module.py().import("os")?;
    // Windows has no forks.
    if os.hasattr("register_at_fork")? {
        let hooks = PyDict::new(module.py());
        hooks.set_item("after_in_child", wrap_pyfunction!(after_fork, module)?)?;
        os.call_method("register_at_fork", (), Some(&hooks))?;
    }
    Ok(())
}

#[pyfunction]
fn after_fork() {
    FORKED.store(true, Ordering::Relaxed);
    ready();
}

/// Prepares the current thread for a computation: in a child process it becomes its own pool, unless it is part of one.
pub(crate) fn ready() {
    if forked() && rayon::current_thread_index().is_none() {
        adopt();
    }
}

/// Whether this process is a child: the threads of pools that its parent made do not exist.
pub(crate) fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

#[cold]
fn adopt() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    // The thread stays in the pool until it ends.
    pool.map_or_else(|_| (), std::mem::forget);
}
