//! Stochastic differential equations and ensembles of their paths.

mod collect;
mod ensemble;
mod euler_maruyama;
mod moments;
mod paths;
mod problem;
mod scheme;
mod system;

pub use collect::{Collect, Layout, Place};
pub use ensemble::Ensemble;
pub use euler_maruyama::EulerMaruyama;
pub use moments::{MeanAndCovariance, Moments, Sums};
pub use paths::Paths;
pub use problem::StochasticProblem;
pub use scheme::{Calculus, Step, StochasticScheme};
pub use system::{Coupling, StochasticSystem};
