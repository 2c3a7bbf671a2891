//! Equations, their solutions and gradients.

mod allen_cahn;
mod gradients;
mod linear;
mod models;
mod refusals;
