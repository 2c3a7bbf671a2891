//! Sums of exponentials, computed as recurrences of their states.

mod backend;
mod nodes;
mod pass;
mod single;
mod stream;
mod totals;

pub use backend::{ParallelRecurrence, Recurrence};
