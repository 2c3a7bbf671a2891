//! Noises by themselves, as processes from 0.

mod brownian_motion;
mod coloured_noise;
mod compound_poisson_process;
mod fractional_brownian_motion;
mod riemann_liouville_brownian_motion;
mod stable_levy_motion;

pub use brownian_motion::BrownianMotion;
pub use coloured_noise::ColouredNoise;
pub use compound_poisson_process::CompoundPoissonProcess;
pub use fractional_brownian_motion::FractionalBrownianMotion;
pub use riemann_liouville_brownian_motion::RiemannLiouvilleBrownianMotion;
pub use stable_levy_motion::StableLevyMotion;
