//! Layers made of layers.

mod each_time;
mod residual;
mod sequential;

pub use each_time::EachTime;
pub use residual::Residual;
pub use sequential::Sequential;
