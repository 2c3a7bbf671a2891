//! Stochastic models: their distributions against what is known exactly, and their parameters.

mod distribution;
mod exact;
mod flags;
mod gaussian;
mod noises;
mod parameters;
mod positive;
mod volatility;
