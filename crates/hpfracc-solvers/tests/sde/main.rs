//! Ensembles of stochastic equations: their laws, and what must not depend on how they are computed.

mod adaptive_steps;
mod bits;
mod errors;
mod exact;
mod implicit_and_tamed;
mod law;
mod schemes;
mod strong_orders;
mod systems;
