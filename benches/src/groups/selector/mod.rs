//! The selector: regret against hindsight, errors of its predictions, its own time.

mod machine;
mod overhead;
mod regret;
mod replay;
mod suite;

pub(crate) use machine::machine;
pub(crate) use overhead::overhead;
pub(crate) use regret::regret;
