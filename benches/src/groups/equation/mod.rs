//! Expression graphs, compiled, against loops and closures by hand.

mod dense;
mod lanes;
mod scalar;
mod steps;
mod systems;

pub(crate) use dense::{against_peak, against_rows};
pub(crate) use lanes::against_loops;
pub(crate) use scalar::against_closures;
pub(crate) use steps::of_texts;
