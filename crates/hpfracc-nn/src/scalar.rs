use hpfracc_communicator::Message;
use hpfracc_lanes::{Elementary, Lanes};
use hpfracc_sde::PrecompiledScalar;

/// Scalar type of networks: `f32` or `f64`.
pub trait Scalar: Lanes + Elementary + PrecompiledScalar + Message {
    /// The smallest positive normal number.
    const LEAST: f64;
}

impl Scalar for f32 {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
}

impl Scalar for f64 {
    const LEAST: f64 = f64::MIN_POSITIVE;
}
