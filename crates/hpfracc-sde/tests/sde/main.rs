//! Ensembles of stochastic equations: their distributions, and what must not depend on how they are
//! computed.

mod bits;
mod distributions;
mod ensembles;
mod errors;
mod exact;
mod gradients;
mod noises;
mod schemes;
mod systems;
