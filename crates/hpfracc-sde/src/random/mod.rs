//! Counter-based random numbers: functions of a seed, a stream, a path and a step.

#[cfg(test)]
pub(crate) mod drawn;
mod normal;
mod stream;

pub(crate) use hpfracc_lanes::random::unit;
pub use hpfracc_lanes::random::{Gaussian, Philox};
pub use normal::{Normals, STEPS};
pub use stream::{Purpose, Source, Stream};
