//! Gaussian processes with memory: fractional Brownian motion (fBm), Riemann-Liouville processes
//! and coloured noise.

mod by_steps;
mod causal_sums;
mod fractional_brownian;
mod ornstein_uhlenbeck_noise;
mod panels;
mod riemann_liouville_brownian;

pub use fractional_brownian::FractionalBrownian;
pub use ornstein_uhlenbeck_noise::OrnsteinUhlenbeckNoise;
pub use riemann_liouville_brownian::{Normalisation, RiemannLiouvilleBrownian};
