//! The selector: regret against hindsight, errors of its predictions, its own time.

mod machine;
mod overhead;
mod real_runs;
mod regret;
mod replay;
mod suite;

pub(crate) use machine::machine;
pub(crate) use overhead::overhead;
#[cfg(feature = "gpu")]
pub(crate) use real_runs::{Contender, compare};
pub(crate) use regret::{real_runs, regret};
#[cfg(feature = "gpu")]
pub(crate) use suite::cases;
