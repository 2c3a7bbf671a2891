//! Precisions: the arithmetic that shaders compute in, and the proofs that a device has it.

mod double_float;
mod native;

pub use double_float::DoubleFloat;
pub(crate) use double_float::{HighLow, joined};
pub use native::{F32, F64};

use crate::{Gpu, GpuError};
use bytemuck::Pod;
use hpfracc_equation::wgsl::NumberFormat;
use hpfracc_types::Real;
use std::fmt;
use std::future::Future;
use wgpu::{Buffer, ComputePass};

/// A precision that a device computes in: [`F32`], [`F64`] or [`DoubleFloat`].
///
/// A value is the proof that its device has the precision, so that backends made from it need no
/// further check. [`Gpu::f32`] always succeeds, [`Gpu::f64`] and [`Gpu::double_float`] run a
/// self-test.
pub trait Precision: Arithmetic + Clone + fmt::Debug {
    /// The device.
    fn gpu(&self) -> &Gpu;
}

/// The arithmetic of a precision, in shaders and on the way to them. Sealed: its module is private.
pub trait Arithmetic: Send + Sync + 'static {
    /// The scalar of signals, kernels and results on the host.
    type Host: Real + Pod;

    /// The scalar in device memory.
    type Device: Pod + Send + Sync;

    /// The format in generated shaders.
    const FORMAT: NumberFormat;

    /// Whether devices have the arithmetic themselves, with vectors of four.
    const NATIVE: bool;

    /// Points of a Fourier transform that an invocation holds: a power of two from 4 to 16.
    const HELD: usize;

    /// WGSL of `real`, `complex`, `quad` and their arithmetic; see native.wgsl.
    const WGSL: &'static str;

    /// Size of a scalar in device memory.
    const BYTES: usize = size_of::<Self::Device>();

    /// The name of a backend: the first for native arithmetic, the second for double-float.
    fn name([native, double_float]: [&'static str; 2]) -> &'static str {
        if Self::NATIVE { native } else { double_float }
    }

    /// WGSL of `value`, a real or a vector of four, and of long sums; see native_sums.wgsl.
    fn sums(vectors: bool) -> String;

    /// A real number as a WGSL literal with all digits.
    fn literal(x: f64) -> String;

    /// The nearest number.
    fn narrow(x: f64) -> Self::Device;

    /// The number of the host that is nearest to one of the device.
    fn of_device(x: Self::Device) -> Self::Host;

    /// Power of two that divides a kernel on the device, so that the range of the scalar suffices.
    fn exponent(kernel: &[f64]) -> i32;

    /// Uploads `signals` signals, runs the compute pass that `record` records for the input and
    /// output buffer, and reads the results times 2^`exponent` of the kernel.
    fn call(
        gpu: &Gpu,
        exponent: i32,
        signals: usize,
        x: &[Self::Host],
        y: &mut [Self::Host],
        record: impl FnOnce(&mut ComputePass<'_>, [&Buffer; 2]) + Send,
    ) -> impl Future<Output = Result<(), GpuError>> + Send;
}

/// Numbers as f64.
pub(crate) fn widened<R: Real>(values: &[R]) -> Vec<f64> {
    values.iter().map(|x| x.widen()).collect()
}

/// `x 2^exponent`, exact unless the result is subnormal; |exponent| <= 3000.
pub(crate) fn times_power_of_two(x: f64, exponent: i32) -> f64 {
    // Three factors: one alone may be out of range although the product is not.
    let third = power_of_two(exponent / 3);
    x * third * third * power_of_two(exponent - 2 * (exponent / 3))
}

/// 2^exponent, |exponent| <= 1022.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
