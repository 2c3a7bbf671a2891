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
//!
//! An ensemble of a model that is ready; equations of one's own are under [`sde::StochasticProblem`]:
//!
//! ```
//! use hpfracc_solvers::sde::models::{FractionalLangevin, Model};
//! use hpfracc_solvers::sde::{Ensemble, Moments};
//!
//! // A particle in a viscoelastic bath: E x^2 = 2 kT/gamma t^alpha / Gamma(1+alpha)
//! let model = FractionalLangevin::default().alpha(0.5)?;
//! let ensemble = Ensemble::new(5_000, 100)?; // paths, steps
//! let found = model.simulate::<f64, _>(&ensemble, (0.0, 4.0), 7, &Moments)?;
//! let exact = model.variance(4.0)?;
//! assert!((found.covariance[[0, 0, 0]] / exact - 1.0).abs() < 0.1);
//! # Ok::<(), hpfracc_solvers::SolveError>(())
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
