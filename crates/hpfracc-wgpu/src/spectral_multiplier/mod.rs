//! Spectral multipliers of several axes, as a [`Grid`]. Those of one axis are Toeplitz matrices:
//! see right_angle.rs.

mod axis;
mod grid;
mod innermost;
mod symbol;

pub(crate) use grid::Grid;
pub(crate) use symbol::impulse_response;
