//! Nonlinear least squares: models with exact derivatives, fitted to data of any size, with uncertainties.
//!
//! A fit sees its data through triangular factors of [J r], the Jacobian matrix beside the residuals ([`Factor`]):
//! computed for blocks of rows and merged as a tree. From that one factor follow the step, the stop, bounds, the
//! covariance and identifiability. Memory does not grow with the data, and the bits of the result do not depend on
//! the number of threads. [`sample`] draws from posterior distributions, [`bootstrap`] refits resampled data.
#![forbid(unsafe_code)]

pub mod bootstrap;
pub mod catalogue;
mod data;
mod error;
mod factor;
mod fit;
mod found;
mod minimise;
mod model;
mod parameters;
mod pass;
pub mod sample;

pub use catalogue::{CatalogueError, CatalogueModel};
pub use data::{Column, RawFile, Set, Source, Spool, Spooled};
pub use error::{FitError, SourceError};
pub use factor::Factor;
pub use fit::{Batch, BatchColumn, BatchFound, CurveFailure, Fit, FitPlan};
pub use found::{
    Criteria, CrossValidation, DetachedFound, Discretisation, Estimate, FitDensity, Found, HeldBy,
    Interval, ParameterRole, Profile, ResidualTests, WeakDirection,
};
pub use minimise::{Outcome, Progress, StartSearch};
#[cfg(feature = "ode")]
pub use model::EquationModel;
#[cfg(feature = "pde")]
pub use model::FieldModel;
pub use model::{Bound, Declared, FormulaModel, Function, FunctionModel, Grid, Model, Separable};
pub use pass::Loss;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
