//! Noise as values: functions of a seed, not sequences.
//!
//! Every random number has an address, (seed, [stream](Stream), path, step), and can be asked for at any
//! time. Results therefore do not depend on threads, on how paths are divided into batches, or on the
//! order of anything; an adjoint solve asks for the same noise again instead of storing it.

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
mod fractional_brownian;
mod joint;
mod law;
mod normal;
mod ornstein_uhlenbeck_noise;
mod panels;
mod philox;
mod riemann_liouville_brownian;
mod scalar;
mod stream;
mod tile;
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
pub use law::Law;
pub use normal::{Normals, STEPS};
pub use ornstein_uhlenbeck_noise::OrnsteinUhlenbeckNoise;
pub use philox::Philox;
pub use riemann_liouville_brownian::{Normalisation, RiemannLiouvilleBrownian};
pub use scalar::Gaussian;
pub use stream::{Purpose, Stream};
pub use tile::{Rows, RowsMut};
pub use tree_walk::TreeWalk;
