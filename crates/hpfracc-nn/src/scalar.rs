use crate::models::Compiled;
use crate::network::Layered;
use hpfracc_simd::{Elementary, Lanes};
use hpfracc_solvers::noise::Gaussian;

/// A scalar that networks compute in: `f32` or `f64`.
pub trait Scalar: Lanes + Elementary + Gaussian + Compiled + Layered {}

impl Scalar for f32 {}
impl Scalar for f64 {}
