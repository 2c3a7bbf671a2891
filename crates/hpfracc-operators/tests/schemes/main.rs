//! Weights of the schemes: reference values, observed orders, limits, identities and gradients.

mod convergence;
mod gradients;
mod identities;
mod kernel_weights;
mod limits;
mod weights;
