//! Normalisations of each sample: to mean and variance, and to a sum of 1.

mod moments;
mod softmax;

pub use moments::{LayerNorm, RmsNorm};
pub use softmax::Softmax;
