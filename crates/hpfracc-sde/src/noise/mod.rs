//! Noise as values: functions of a seed, not sequences.
//!
//! Every random number is a function of an address: seed, [stream](Stream), path and step. Results
//! therefore do not depend on threads, on how paths are divided into batches, or on the order of
//! anything; an adjoint solve computes the same noise again instead of storing it.
//!
//! | noise | increments | stored for a path of n steps |
//! |---|---|---|
//! | [`Brownian`] | independent, normal; integrals within a step in their joint distribution | nothing |
//! | [`CorrelatedBrownian`] | the same with a correlation or a covariance | nothing |
//! | [`BrownianTree`] | the same over halved cells, for adaptive steps | nothing |
//! | [`FractionalBrownian`] | fractional Brownian motion (fBm) of Hurst exponent H: stationary, exact by circulant embedding (Davies-Harte) | n |
//! | [`RiemannLiouvilleBrownian`] | of Riemann and Liouville, with its driving Brownian motion: hybrid scheme | n to 2 n |
//! | [`OrnsteinUhlenbeckNoise`] | coloured: the integral of a stationary process, exact in distribution | n / 64 |
//! | [`PoissonJumps`] | compound Poisson, exact in distribution | nothing |
//! | [`StableLevy`] | stable, of any index and skewness | nothing |
//! | [`Joint`] | of several of these, one after the other | theirs |
//! | [`Coarse`] | of another over longer steps | its |
//! | [`NoNoise`] | none, for equations without noise | nothing |
//!
//! Each kind of noise draws from [streams](Purpose) of its own, and
//! [`Joint`] refuses two noises that would draw the same numbers.

mod antithetic;
mod brownian;
mod cell_integral;
mod coarse;
mod factored;
mod gaussian;
pub(crate) mod increments;
mod joint;
mod jumps;
mod no_noise;
mod process;

pub use crate::error::CorrelationError;
pub use crate::random::{Gaussian, Normals, Philox, Purpose, STEPS, Source, Stream};
pub use antithetic::Antithetic;
pub use brownian::{Brownian, BrownianTree, Cell, CorrelatedBrownian, TreeWalk};
pub use cell_integral::CellIntegral;
pub(crate) use cell_integral::{covariance, covariance_change, time_integral};
pub use coarse::Coarse;
pub(crate) use factored::Factored;
pub use gaussian::{
    FractionalBrownian, Normalisation, OrnsteinUhlenbeckNoise, RiemannLiouvilleBrownian,
    circulant_eigenvalues, fractional_brownian_covariance, fractional_gaussian_covariances,
};
pub use increments::{Increments, Noise, Tile, TileIncrements};
pub use joint::Joint;
pub use jumps::{CompoundPoisson, JumpDistribution, PoissonJumps, StableDistribution, StableLevy};
pub use no_noise::NoNoise;
pub use process::NoiseProcess;

#[cfg(test)]
mod tests;
