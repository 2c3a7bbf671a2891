//! Ensembles of stochastic equations: their laws, and what must not depend on how they are computed.

mod bits;
mod drift;
mod errors;
mod gradients;
mod kinds_of_noise;
mod law;
mod noises;
mod systems;
