//! Time- and space-fractional partial differential equations on boxes and graphs.
//!
//! An [`Equation`] has operators of `hpfracc_spatial`, a linear implicit side, and terms, sources
//! and boundary values on the other side:
//!
//! ```text
//! D^alpha u = -c A u + N(t, x, u) + s(t, x),    0 < alpha < 2
//! ```
//!
//! | task | function |
//! |---|---|
//! | linear, autonomous, also of several or distributed orders: values at any times without steps | [`solve_linear`] |
//! | nonlinear, or data that depend on time | [`solve`] |
//! | gradients with respect to orders, parameters and initial values | [`Equation::problem`] |
//! | standard equations | [`models`] |
//! | additive noise in space and time, feature `noise` | `solve_path` |
//!
//! ```
//! use hpfracc_pde::models::AllenCahn;
//! use hpfracc_pde::{Settings, solve};
//! use hpfracc_spatial::{Axis, BoxGrid};
//!
//! let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 128)?])?;
//! let model = AllenCahn { alpha: 0.8, epsilon: 0.05 };
//! let equation = model.equation(grid)?.start_from(|x| 0.1 * (6.3 * x[0]).sin())?;
//! let settings = Settings { save: vec![1.0, 2.0], ..Settings::default() };
//! let solution = solve(&equation, 2.0, settings)?;
//! assert_eq!(solution.times(), [1.0, 2.0]);
//! # Ok::<(), hpfracc_pde::PdeError>(())
//! ```
#![forbid(unsafe_code)]

mod data;
mod equation;
mod error;
mod linear;
mod method_of_lines;
pub mod models;
#[cfg(feature = "noise")]
mod noise;
mod scratch;
mod spectral_power;
mod steps;
mod terms;
mod text;
mod without_steps;

pub use data::BoxOperator;
pub use data::{Points, Site};
pub use equation::Equation;
pub use error::PdeError;
pub use hpfracc_ode;
pub use hpfracc_spatial;
pub use method_of_lines::MethodOfLines;
#[cfg(feature = "noise")]
pub use noise::{SpaceTimeNoise, solve_path};
pub use spectral_power::SpectralPower;
pub use steps::Quantity;
pub use steps::Solution;
pub use steps::{Settings, TimeScheme, graded_steps, solve};
pub use terms::Flux;
pub use terms::{Reaction, ReactionDerivatives};
pub use terms::{State, Term};
pub use text::{FieldProblem, Shown, ZeroOutside, catalogue};
pub use without_steps::solve_linear;

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
