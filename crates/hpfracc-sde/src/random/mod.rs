//! Counter-based random numbers: functions of a seed, a stream, a path and a step.

#[cfg(test)]
pub(crate) mod drawn;
mod normal;
mod philox;
mod scalar;
mod stream;

pub use normal::{Normals, STEPS};
pub use philox::Philox;
pub use scalar::Gaussian;
pub(crate) use scalar::unit;
pub use stream::{Purpose, Source, Stream};
