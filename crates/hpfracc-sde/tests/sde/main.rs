//! Ensembles of stochastic equations: their laws, and what must not depend on how they are
//! computed.

mod adaptive_steps;
mod antithetic;
mod bits;
mod checkpoints;
mod drift;
mod ensembles;
mod errors;
mod exact;
mod gradients;
mod implicit_and_tamed;
mod kinds_of_noise;
mod law;
mod law_continuum;
mod law_fractional;
mod multilevel;
mod noises;
mod schemes;
mod statistics;
mod strong_fractional;
mod strong_orders;
mod systems;
