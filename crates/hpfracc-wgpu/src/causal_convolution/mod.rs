//! Causal convolutions: direct sums in tiles, and the right-angle convolution by Fourier
//! transforms, which also serves spectral multipliers of one axis.

mod direct;
mod direct_tile;
mod four_step;
mod one_pass;
mod right_angle;

/// Sizes of a batch of signals, as shaders read them.
const SHAPE: &str = include_str!("shape.wgsl");

pub use direct::Direct;
#[cfg(test)]
pub(crate) use direct_tile::Tile;
pub(crate) use four_step::FourStep;
pub(crate) use one_pass::OnePass;
