//! Solves: steps, histories, dense output, event location, and typed errors.

mod dense_output;
mod event_location;
mod failures;
mod histories;
mod jumps;
mod steps;
