//! Spectral multipliers of several axes, as a [`Grid`]. Those of one axis are Toeplitz matrices:
//! see right_angle.rs. Those in sines and cosines are [`Trigonometric`].

mod axis;
mod grid;
mod innermost;
mod symbol;
mod trigonometric;

pub(crate) use grid::Grid;
pub(crate) use symbol::impulse_response;
pub(crate) use trigonometric::Trigonometric;
