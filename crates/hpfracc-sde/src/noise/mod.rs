//! Noise as values: functions of a seed, not sequences.
//!
//! Every random number has an address, (seed, [stream](Stream), path, step), and can be asked for at any
//! time. Results therefore do not depend on threads, on how paths are divided into batches, or on the
//! order of anything; an adjoint solve asks for the same noise again instead of storing it.
//!
//! | noise | increments | held of a path of n steps |
//! |---|---|---|
//! | [`Brownian`] | independent, normal; integrals within a step in their joint process | nothing |
//! | [`CorrelatedBrownian`] | the same with a correlation or a covariance | nothing |
//! | [`BrownianTree`] | the same over halved cells, for adaptive steps | nothing |
//! | [`FractionalBrownian`] | of Mandelbrot and Van Ness: stationary, exact in process | n |
//! | [`RiemannLiouvilleBrownian`] | of Riemann and Liouville, beside its Brownian motion: hybrid scheme | n to 2 n |
//! | [`OrnsteinUhlenbeckNoise`] | coloured: the integral of a stationary process, exact in process | n / 64 |
//! | [`PoissonJumps`] | compound Poisson, exact in process | nothing |
//! | [`StableLevy`] | stable, of any index and skewness | nothing |
//! | [`Joint`] | of several of these, one after the other | theirs |
//! | [`Coarse`] | of another over longer steps | its |
//! | [`NoNoise`] | none, for equations without noise | nothing |
//!
//! No seed serves twice by accident: each kind of noise draws from [streams](Purpose) of its own, and
//! [`Joint`] refuses two noises that would draw the same numbers.

mod antithetic;
mod brownian;
mod brownian_integrals;
mod brownian_tree;
mod causal_sums;
mod cell;
mod cell_integral;
mod coarse;
mod correlated_brownian;
mod driver;
mod elementary;
mod fractional_brownian;
mod joint;
mod no_noise;
mod normal;
mod ornstein_uhlenbeck_noise;
mod panels;
mod philox;
mod poisson_jumps;
mod process;
mod riemann_liouville_brownian;
mod scalar;
mod stable_levy;
mod stream;
mod tree_walk;

pub use antithetic::Antithetic;
pub use brownian::Brownian;
pub use brownian_tree::BrownianTree;
pub use cell::Cell;
pub use cell_integral::CellIntegral;
pub use coarse::Coarse;
pub use correlated_brownian::{CorrelatedBrownian, CorrelationError};
pub use driver::{Increments, Noise, Source, Tile};
pub use fractional_brownian::FractionalBrownian;
pub use joint::Joint;
pub use no_noise::NoNoise;
pub use normal::{Normals, STEPS};
pub use ornstein_uhlenbeck_noise::OrnsteinUhlenbeckNoise;
pub use philox::Philox;
pub use poisson_jumps::{CompoundPoisson, JumpDistribution, PoissonJumps};
pub use process::NoiseProcess;
pub use riemann_liouville_brownian::{Normalisation, RiemannLiouvilleBrownian};
pub use scalar::Gaussian;
pub use stable_levy::{StableDistribution, StableLevy};
pub use stream::{Purpose, Stream};
pub use tree_walk::TreeWalk;
