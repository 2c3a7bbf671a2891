//! Equations whose solutions oscillate.

mod cattaneo;
mod schroedinger;

pub use cattaneo::{Cattaneo, CattaneoForm};
pub use schroedinger::{Schroedinger, SchroedingerForm};
