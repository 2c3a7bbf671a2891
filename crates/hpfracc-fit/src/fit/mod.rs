//! Fits: of data sets with shared parameters, and of many curves with their own.

mod batch;
mod batch_column;
mod batch_found;
mod curve;
mod plan;
mod single;

pub use batch::Batch;
pub use batch_column::BatchColumn;
pub use batch_found::{BatchFound, CurveFailure};
pub use plan::FitPlan;
pub use single::Fit;
