//! Sums of exponentials, computed as recurrences of their states.

mod backend;
mod nodes;
mod pass;
mod stream;
mod total;

pub use backend::{ParallelRecurrence, Recurrence};
