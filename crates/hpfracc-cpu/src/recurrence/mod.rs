//! Sums of exponentials by their states.

mod backend;
mod pass;
mod stream;

pub use backend::{ParallelRecurrence, Recurrence};
