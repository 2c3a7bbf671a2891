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
//! | [`CaputoOrnsteinUhlenbeck`] | `D^alpha X = theta (mu - X) + sigma dW/dt` |
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
//! [`Named`] has any of them by its name, and [`EquationModel`] is that of an equation written as text.

mod caputo_ornstein_uhlenbeck;
mod catalogue;
mod cox_ingersoll_ross;
mod definition;
mod equation;
mod fractional_langevin;
mod fractional_ornstein_uhlenbeck;
mod geometric_brownian;
mod inertial_langevin;
mod model;
mod noises;
mod ornstein_uhlenbeck;
mod rough_bergomi;
mod rough_heston;

pub use crate::checks::Range;
pub use caputo_ornstein_uhlenbeck::CaputoOrnsteinUhlenbeck;
pub use catalogue::Named;
pub use cox_ingersoll_ross::CoxIngersollRoss;
pub use definition::{DefaultGrid, Definition, Parameter};
pub use equation::{
    AsyncPathExecutor, DefaultScheme, DifferentiableCoefficients, EquationCoefficients,
    EquationModel, EquationModelError, PathExecutor, PathTask,
};
pub use fractional_langevin::FractionalLangevin;
pub use fractional_ornstein_uhlenbeck::FractionalOrnsteinUhlenbeck;
pub use geometric_brownian::GeometricBrownian;
pub use inertial_langevin::InertialLangevin;
pub use model::{Known, Model, ModelSystem, Observed, ObservedShard, Variate};
pub use noises::{
    BrownianMotion, ColouredNoise, CompoundPoissonProcess, FractionalBrownianMotion,
    RiemannLiouvilleBrownianMotion, StableLevyMotion,
};
pub use ornstein_uhlenbeck::OrnsteinUhlenbeck;
pub use rough_bergomi::RoughBergomi;
pub use rough_heston::RoughHeston;
