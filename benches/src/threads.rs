//! Pools of threads to measure in.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of this number of threads.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
