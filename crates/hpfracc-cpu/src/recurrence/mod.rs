//! Sums of exponentials by their states.

mod backend;
mod pass;
mod stream;
mod total;

pub use backend::{ParallelRecurrence, Recurrence};
