//! Estimators against simulated series, dense likelihoods and tables.

mod arfima;
mod fractional_gaussian_noise;
mod gaussian;
mod semiparametric;
mod tracks;
