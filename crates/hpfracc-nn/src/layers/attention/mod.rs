//! Self-attention: the kernel, and the layer around it.

mod backward;
mod forward;
mod heads;
mod layer;
mod mask;
mod multi_head;
mod rotary;
mod sequences;
mod softmax;
mod tile;

pub use heads::{Attention, AttentionTape};
pub use mask::Mask;
pub use multi_head::MultiHeadAttention;
pub use rotary::{Rotary, Times};
