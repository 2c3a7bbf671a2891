use super::{ShaderScalar, times_power_of_two};
use crate::call::Chunk;
use crate::{Gpu, GpuError};
use wgpu::ComputePass;

/// A device that computes with pairs of f32 what others compute in double precision: the proof that
/// it does so rightly.
///
/// A number is the unevaluated sum of two f32, 48 bits in the range of f32, and every operation is
/// made of ten to forty of f32. For devices without double precision (Metal, DX12, browsers); where
/// there is a [`Double`](crate::Double), that is the better choice.
///
/// The host takes a power of two out of each signal and each kernel before they go to the device and
/// puts it back into the results, so that f64 of any size goes through. What f32 has no exponent for
/// then rounds to an error of about 2^-126 of the largest sample of the signal times the largest
/// entry of the kernel (or of its spectrum), far below the rounding of what is beside it; results
/// that are as small as that themselves are lost. NaN is NaN, and an infinity, which has no second
/// half, becomes NaN too.
#[derive(Debug, Clone)]
pub struct DoubleFloat {
    gpu: Gpu,
}

impl DoubleFloat {
    /// Before the self-test has been passed.
    pub(super) fn untested(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone() }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

/// A number as the sum of its nearest f32 and the f32 nearest to what is left.
pub(crate) type HighLow = [f32; 2];

pub(super) fn joined([high, low]: HighLow) -> f64 {
    f64::from(high) + f64::from(low)
}

/// The exponent of the largest number; infinities and NaN do not count.
fn exponent_of_largest(values: &[f64]) -> i32 {
    let largest = values.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    // Below the normal numbers the leading digit is further down.
    let normal = exponent > -1023 || largest == 0.0;
    if normal {
        exponent.max(-1022)
    } else {
        exponent - largest.to_bits().leading_zeros() as i32 + 12
    }
}

impl ShaderScalar for HighLow {
    type Host = f64;

    const ARITHMETIC: &'static str = include_str!("double_float.wgsl");

    const SIDE_BY_SIDE: bool = false;

    /// Written out for 16 points, passes of radix 16 would be tens of thousands of instructions:
    /// more than instruction caches hold, and seconds for a compiler. Radix 4 has as many
    /// operations for each point and only meets more often in workgroup memory.
    const HELD: usize = 4;

    fn sums(four: bool) -> String {
        let text = if four {
            include_str!("double_float_vectors.wgsl")
        } else {
            include_str!("double_float_sums.wgsl")
        };
        text.to_owned()
    }

    fn literal(x: f64) -> String {
        let [high, low] = Self::narrow(x);
        format!("real({high:e}f, {low:e}f)")
    }

    fn narrow(x: f64) -> Self {
        let high = x as f32;
        [high, (x - f64::from(high)) as f32]
    }

    fn exponent(kernel: &[f64]) -> i32 {
        exponent_of_largest(kernel)
    }

    /// Each signal is scaled by itself: no other signal of the batch changes a bit of its results.
    async fn call(
        gpu: &Gpu,
        exponent: i32,
        signals: usize,
        x: &[f64],
        y: &mut [f64],
        record: impl FnOnce(&mut ComputePass<'_>, &Chunk<'_>) -> Result<(), GpuError> + Send,
    ) -> Result<(), GpuError> {
        let (from, to) = (x.len() / signals, y.len() / signals);
        let exponents: Vec<i32> = x.chunks_exact(from).map(exponent_of_largest).collect();
        let scaled = |(x, e): (&[f64], &i32)| -> Vec<Self> {
            x.iter().map(|&x| Self::narrow(times_power_of_two(x, -e))).collect()
        };
        let parts: Vec<Self> = x.chunks_exact(from).zip(&exponents).flat_map(scaled).collect();
        // A pair takes as many bytes as the number it becomes.
        gpu.call::<Self>(&parts, bytemuck::cast_slice_mut(y), signals, record).await?;
        for (y, e) in y.chunks_exact_mut(to).zip(exponents) {
            for y in y {
                *y = times_power_of_two(joined(bytemuck::cast(*y)), e + exponent);
            }
        }
        Ok(())
    }
}
