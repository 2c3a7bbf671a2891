//! Ensembles of stochastic equations: their laws, and what must not depend on how they are computed.

mod antithetic;
mod bits;
mod checkpoints;
mod ensembles;
mod errors;
mod law;
mod multilevel;
mod systems;
