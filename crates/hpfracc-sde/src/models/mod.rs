//! Stochastic models ready to be simulated.
//!
//! A [`Model`] is a value: an equation with its parameters, which have defaults and are checked
//! when they are set. It has its problem, its noise, a scheme for both, and exact moments where
//! there are formulas.
//!
//! | model | equation |
//! |---|---|
//! | [`OrnsteinUhlenbeck`] | `dX = theta (mu - X) dt + sigma dW` |
//! | [`FractionalOrnsteinUhlenbeck`] | the same, driven by fractional Brownian motion |
//! | [`GeometricBrownian`] | `dS = mu S dt + sigma S dW` |
//! | [`CoxIngersollRoss`] | `dX = kappa (theta - X) dt + sigma sqrt(X) dW` |
//! | [`FractionalLangevin`] | `gamma D^alpha x = -k x + xi`, without inertia |
//! | [`InertialLangevin`] | `m x'' = -gamma D^alpha x + xi` |
//! | [`RoughBergomi`] | log-normal variance of a Volterra process |
//! | [`RoughHeston`] | square-root variance with a fractional memory |
//!
//! Noises by themselves, from 0:
//!
//! | model | process |
//! |---|---|
//! | [`BrownianMotion`] | `sigma W` |
//! | [`FractionalBrownianMotion`] | fBm of Hurst exponent H |
//! | [`RiemannLiouvilleBrownianMotion`] | the fractional integral of white noise |
//! | [`ColouredNoise`] | integral of a stationary process of Ornstein and Uhlenbeck |
//! | [`CompoundPoissonProcess`] | normal jumps at independent times |
//! | [`StableLevyMotion`] | stable of any index from 1/2 to 2 |
//!
//! [`Named`] has any of them by its name.

mod brownian_motion;
mod catalogue;
mod coloured_noise;
mod compound_poisson_process;
mod cox_ingersoll_ross;
mod definition;
mod fractional_brownian_motion;
mod fractional_langevin;
mod fractional_ornstein_uhlenbeck;
mod geometric_brownian;
mod inertial_langevin;
mod model;
mod ornstein_uhlenbeck;
mod riemann_liouville_brownian_motion;
mod rough_bergomi;
mod rough_heston;
mod stable_levy_motion;
mod variate;

pub use crate::range::Range;
pub use brownian_motion::BrownianMotion;
pub use catalogue::Named;
pub use coloured_noise::ColouredNoise;
pub use compound_poisson_process::CompoundPoissonProcess;
pub use cox_ingersoll_ross::CoxIngersollRoss;
pub use definition::{DefaultGrid, Definition, Parameter};
pub use fractional_brownian_motion::FractionalBrownianMotion;
pub use fractional_langevin::FractionalLangevin;
pub use fractional_ornstein_uhlenbeck::FractionalOrnsteinUhlenbeck;
pub use geometric_brownian::GeometricBrownian;
pub use inertial_langevin::InertialLangevin;
pub use model::{Known, Model, ModelSystem, Observed, ObservedShard};
pub use ornstein_uhlenbeck::OrnsteinUhlenbeck;
pub use riemann_liouville_brownian_motion::RiemannLiouvilleBrownianMotion;
pub use rough_bergomi::RoughBergomi;
pub use rough_heston::RoughHeston;
pub use stable_levy_motion::StableLevyMotion;
pub use variate::Variate;
