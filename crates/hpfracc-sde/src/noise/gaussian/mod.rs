//! Gaussian processes with memory: fractional Brownian motion (fBm), Riemann-Liouville processes
//! and coloured noise.

mod by_steps;
mod causal_sums;
mod covariances;
mod fractional_brownian;
mod ornstein_uhlenbeck_noise;
mod panels;
mod riemann_liouville_brownian;

pub use covariances::{
    circulant_eigenvalues, fractional_brownian_covariance, fractional_gaussian_covariances,
};
pub use fractional_brownian::FractionalBrownian;
pub use ornstein_uhlenbeck_noise::OrnsteinUhlenbeckNoise;
pub use riemann_liouville_brownian::{Normalisation, RiemannLiouvilleBrownian};
