//! Equations, their solutions and gradients.

mod allen_cahn;
mod gradients;
mod linear;
mod models;
mod reference;
mod refusals;
mod steps;
mod systems;
