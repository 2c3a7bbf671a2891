//! The selector: regret against hindsight, errors of its predictions, its own time.

mod overhead;
mod regret;
mod replay;
mod suite;

pub(crate) use overhead::overhead;
pub(crate) use regret::regret;
