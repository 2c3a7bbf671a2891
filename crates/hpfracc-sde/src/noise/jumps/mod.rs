//! Processes with jumps: compound Poisson and stable Levy processes.

mod poisson_jumps;
mod stable_levy;

pub use poisson_jumps::{CompoundPoisson, JumpDistribution, PoissonJumps};
pub use stable_levy::{StableDistribution, StableLevy};
