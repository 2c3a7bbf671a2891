//! Ensembles of stochastic equations: their laws, and what must not depend on how they are computed.

mod bits;
mod errors;
mod exact;
mod law;
mod strong_orders;
mod systems;
