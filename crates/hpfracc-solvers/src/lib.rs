//! Fractional differential equations `D^alpha y = f(t, y)`, the online convolutions that carry their
//! memory, and stochastic equations with ensembles of their paths.
//!
//! Of [`ode`] five things are chosen one by one: the [problem](ode::Problem), the [scheme](ode::Scheme), the
//! [steps](ode::Steps), how the [memory](history::HistoryChoice) is summed, and what is done
//! [at the nodes](ode::Observer). Adding one of a kind edits none of the others. [`sde`] puts a
//! [system](sde::StochasticSystem), a [scheme](sde::StochasticScheme), a [noise](noise::Noise) and what is
//! [collected](sde::Collect) together in an [ensemble](sde::Ensemble).
//!
//! ```
//! use hpfracc_solvers::ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
//!
//! // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
//! let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
//! let scheme = AdamsBashforthMoulton::default();
//! let solution = solve(&relaxation, &scheme, &Steps::Uniform(1000), Options::default())?;
//! assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod formula;

mod error;
pub mod history;
pub mod noise;
pub mod ode;
pub mod sde;

pub use error::SolveError;
pub use ndarray;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
