//! Stochastic models: their laws against what is known exactly, and their parameters.

mod exact;
mod flags;
mod gaussian;
mod law;
mod parameters;
mod positive;
mod volatility;
