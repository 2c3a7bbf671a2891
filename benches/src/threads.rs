//! Thread pools for measurements.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Thread pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
