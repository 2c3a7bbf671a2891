//! Spectral multipliers of one axis are Toeplitz matrices (right_angle.rs); of several, a [`Grid`].

mod axis;
mod grid;
mod innermost;
mod symbol;

pub(crate) use grid::Grid;
pub(crate) use symbol::impulse_response;
