//! Time series with long memory.
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod arfima;
mod differencing;
mod error;
mod fit;
mod fractional_gaussian_noise;
mod innovations;
mod minimise;
mod periodogram;
mod profile;
mod series;
mod stationary;
mod tracks;

pub use arfima::Arfima;
pub use differencing::{DifferenceStream, difference, integrate};
pub use error::SeriesError;
pub use fit::{Estimate, Fit, Outcome};
pub use fractional_gaussian_noise::FractionalGaussianNoise;
pub use series::{Record, Series};
pub use stationary::{Likelihood, Mean};
pub use tracks::fit_tracks;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
