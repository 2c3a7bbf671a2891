//! Equations, their solutions and gradients.

mod allen_cahn;
mod diagonal;
mod gradients;
mod linear;
mod models;
mod reference;
mod refusals;
mod several_orders;
mod steps;
mod steps_of_orders;
mod systems;
mod waves;
