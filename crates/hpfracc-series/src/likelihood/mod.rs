//! Likelihoods of Gaussian series and their maxima.

pub(crate) mod innovations;
pub(crate) mod minimise;
pub(crate) mod profile;
pub(crate) mod stationary;
