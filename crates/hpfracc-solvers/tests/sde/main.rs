//! Ensembles of stochastic equations: their laws, and what must not depend on how they are computed.

mod antithetic;
mod bits;
mod checkpoints;
mod drift;
mod ensembles;
mod errors;
mod gradients;
mod kinds_of_noise;
mod law;
mod multilevel;
mod noises;
mod systems;
