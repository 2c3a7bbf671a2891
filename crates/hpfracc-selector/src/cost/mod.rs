//! What a piece of work costs a candidate: features of the work, a prior, a model fitted to
//! timings.

pub(crate) mod features;
mod least_squares;
pub(crate) mod model;
pub(crate) mod prior;
mod residual;
