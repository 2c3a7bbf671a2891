//! Attention of a sequence to itself: the kernel, and the layer around it.

mod backward;
mod forward;
mod heads;
mod mask;
mod softmax;
mod tile;

pub use heads::{Attention, AttentionTape};
pub use mask::Mask;
