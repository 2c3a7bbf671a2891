//! Scalar types that shaders compute in.

mod double;
mod double_float;
mod double_float_test;

pub use double::Double;
pub use double_float::DoubleFloat;
pub(crate) use double_float::HighLow;

use crate::call::Chunk;
use crate::memory::Lent;
use crate::{Gpu, GpuError};
use bytemuck::Pod;
use hpfracc_types::Real;
use std::future::Future;
use wgpu::ComputePass;

/// A scalar as it lies in the device's memory, and the arithmetic of shaders with it.
pub(crate) trait ShaderScalar: Pod + Send + Sync {
    /// What the host has in its place.
    type Host: Real + Pod;

    /// Whether an invocation can hold four sums side by side: not where each takes forty operations
    /// a term, written out.
    const SIDE_BY_SIDE: bool;

    /// Points of a Fourier transform that an invocation holds, a power of two from 4 to 16.
    const HELD: usize;

    /// Declares `real`, `complex`, `quad` and their arithmetic: see native.wgsl.
    const ARITHMETIC: &'static str;

    /// Declares `value`, a real or four of them side by side, and long sums: see native_sums.wgsl.
    fn sums(four: bool) -> String;

    /// A real number in a shader, to its last digit.
    fn literal(x: f64) -> String;

    /// The nearest number.
    fn narrow(x: f64) -> Self;

    /// The power of two that a kernel is divided by on the device, so that its range suffices.
    fn exponent(kernel: &[f64]) -> i32;

    /// Takes signals to the device, lets `record` say what happens there, and brings the results
    /// back, times 2^`exponent` of the kernel.
    fn call(
        gpu: &Gpu,
        exponent: i32,
        signals: usize,
        x: &[Self::Host],
        y: &mut [Self::Host],
        record: impl FnOnce(&mut ComputePass<'_>, &Chunk<'_>) -> Result<(), GpuError> + Send,
    ) -> impl Future<Output = Result<(), GpuError>> + Send;
}

/// Implements the trait for a scalar that devices have themselves.
macro_rules! native {
    ($scalar:ident, $suffix:literal) => {
        impl ShaderScalar for $scalar {
            type Host = Self;

            const ARITHMETIC: &'static str =
                concat!("alias real = ", stringify!($scalar), ";\n", include_str!("native.wgsl"));

            const SIDE_BY_SIDE: bool = true;

            const HELD: usize = 16;

            fn sums(four: bool) -> String {
                let value = if four { "quad" } else { "real" };
                format!("alias value = {value};\n{}", include_str!("native_sums.wgsl"))
            }

            fn literal(x: f64) -> String {
                format!(concat!("{:e}", $suffix), x as $scalar)
            }

            fn narrow(x: f64) -> Self {
                x as $scalar
            }

            fn exponent(_: &[f64]) -> i32 {
                0
            }

            async fn call(
                gpu: &Gpu,
                _: i32,
                signals: usize,
                x: &[Self],
                y: &mut [Self],
                record: impl FnOnce(&mut ComputePass<'_>, &Chunk<'_>) -> Result<(), GpuError> + Send,
            ) -> Result<(), GpuError> {
                gpu.call(x, y, signals, record).await
            }
        }
    };
}

native!(f32, "f");
native!(f64, "lf");

/// The shaders of the self-tests, and whether they need double precision.
#[cfg(test)]
pub(crate) fn self_tests() -> [(&'static str, bool, String); 2] {
    let double = include_str!("double_test.wgsl").to_owned();
    [("f64", true, double), ("df64", false, double_float_test::test_source())]
}

/// Numbers that stay on the device, divided by a power of two if that is allowed.
pub(crate) struct Kernel {
    values: Lent,
    exponent: i32,
}

impl Kernel {
    pub(crate) fn new<T: ShaderScalar>(gpu: &Gpu, values: &[f64]) -> Result<Self, GpuError> {
        Self::divided::<T>(gpu, values, T::exponent(values))
    }

    /// Of a map whose results are not in proportion to its kernel.
    pub(crate) fn unscaled<T: ShaderScalar>(gpu: &Gpu, values: &[f64]) -> Result<Self, GpuError> {
        Self::divided::<T>(gpu, values, 0)
    }

    fn divided<T: ShaderScalar>(
        gpu: &Gpu,
        values: &[f64],
        exponent: i32,
    ) -> Result<Self, GpuError> {
        let scaled: Vec<T> =
            values.iter().map(|&x| T::narrow(times_power_of_two(x, -exponent))).collect();
        Ok(Self { values: gpu.upload(&scaled)?, exponent })
    }

    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        self.values.buffer()
    }

    /// What the results of [`ShaderScalar::call`] have to be multiplied by, as a power of two.
    pub(crate) fn exponent(&self) -> i32 {
        self.exponent
    }
}

/// As numbers of the host in double precision.
pub(crate) fn widened<R: Real>(values: &[R]) -> Vec<f64> {
    values.iter().map(|x| x.widen()).collect()
}

/// `x 2^exponent`, exact unless the result is below the normal numbers; |exponent| <= 3000.
fn times_power_of_two(x: f64, exponent: i32) -> f64 {
    // In three parts: one alone may be beyond the range although the product is not.
    let third = power_of_two(exponent / 3);
    x * third * third * power_of_two(exponent - 2 * (exponent / 3))
}

/// 2^exponent, |exponent| <= 1022.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
