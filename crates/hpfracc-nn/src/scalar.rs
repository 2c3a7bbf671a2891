use crate::network::Layered;
use hpfracc_lanes::{Elementary, Lanes};
use hpfracc_sde::PrecompiledScalar;

/// A scalar that networks compute in: `f32` or `f64`.
pub trait Scalar: Lanes + Elementary + PrecompiledScalar + Layered {
    /// The smallest positive number with all its digits.
    const LEAST: f64;
}

impl Scalar for f32 {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
}

impl Scalar for f64 {
    const LEAST: f64 = f64::MIN_POSITIVE;
}
