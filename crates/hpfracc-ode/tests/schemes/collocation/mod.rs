//! Collocation against exact solutions.

mod benchmarks;
mod breaks;
mod case;
mod failures;
