//! Where and in which precision a command computes.

mod dtype;
mod machine;
mod quantile;
mod threads;

pub(crate) use dtype::Dtype;
pub(crate) use machine::{machine, report_wisdom};
pub(crate) use quantile::interpolated_quantile;
pub(crate) use threads::in_pool;
