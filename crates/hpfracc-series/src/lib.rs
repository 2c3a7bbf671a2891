//! Time series with long memory: fractional differencing, and estimates of the Hurst exponent H or of the
//! memory parameter d = H - 1/2 with standard errors.
//!
//! | question | answer | assumes | cost |
//! |---|---|---|---|
//! | remove or add memory | [`difference`], [`integrate`], [`DifferenceStream`] | | n log n |
//! | H of a noise | [`FractionalGaussianNoise`] | exact self-similarity | n² or n log n |
//! | d with short memory besides | [`Arfima`] | a rational spectrum besides the power | n² or n log n |
//! | D and α of particles | [`fit_tracks`] | fractional Brownian motion and localisation noise | n² |
//! | d of anything | [`LocalWhittle`], [`GewekePorterHudak`], [`Wavelet`] | a power law at low frequencies | n log n |
//! | R/S, DFA | [`rescaled_range`], [`detrended_fluctuations`] | descriptions, not estimates | n log n |
//!
//! A [`Series`] is a checked time series; the caller states by [`Record`] whether its values are a noise or a path.
//! Estimators return a [`Fit`], whose `Display` is a table. All likelihoods are Gaussian. Time steps are equal and values complete:
//! NaN is an error with its place.
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod arfima;
mod descriptions;
mod differencing;
mod error;
mod fit;
mod fractional_gaussian_noise;
mod likelihood;
mod periodogram;
mod semiparametric;
mod series;
mod tracks;

pub use arfima::Arfima;
pub use descriptions::{Description, Expected, detrended_fluctuations, rescaled_range};
pub use differencing::{DifferenceStream, difference, integrate};
pub use error::SeriesError;
pub use fit::{Estimate, Fit, Outcome};
pub use fractional_gaussian_noise::FractionalGaussianNoise;
pub use likelihood::stationary::{Likelihood, Mean};
pub use semiparametric::{GewekePorterHudak, LocalWhittle, Wavelet};
pub use series::{Record, Series};
pub use tracks::fit_tracks;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
