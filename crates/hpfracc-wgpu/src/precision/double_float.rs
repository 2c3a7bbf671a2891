use super::{Arithmetic, Precision, times_power_of_two};
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::NumberFormat;
use wgpu::{Buffer, ComputePass};

/// Double-float arithmetic on a device that passed the self-test: [`Gpu::double_float`].
///
/// A number is the unevaluated sum of two f32: 48 bits in the range of f32. An operation takes ten
/// to forty operations of f32. It serves devices without double precision (Metal, DX12, browsers);
/// where there is [`F64`](crate::F64), that is the better choice.
///
/// The host divides each signal and each kernel by a power of two before the upload and multiplies
/// the results by it, so that f64 of any magnitude can be used. Numbers below the range of f32
/// after the scaling cause an error of about 2^-126 of the largest sample of the signal times the
/// largest entry of the kernel (or of its spectrum), far below the rounding error of the others;
/// results of that magnitude are lost. NaN stays NaN; an infinity has no low half and becomes NaN.
#[derive(Debug, Clone)]
pub struct DoubleFloat {
    pub(crate) gpu: Gpu,
}

/// A number as its nearest f32 and the f32 nearest to the remainder.
pub(crate) type HighLow = [f32; 2];

pub(crate) fn joined([high, low]: HighLow) -> f64 {
    f64::from(high) + f64::from(low)
}

/// Binary exponent of the largest finite number.
fn exponent_of_largest(values: &[f64]) -> i32 {
    let largest = values.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    // A subnormal number has its leading digit in the fraction.
    let normal = exponent > -1023 || largest == 0.0;
    if normal {
        exponent.max(-1022)
    } else {
        exponent - largest.to_bits().leading_zeros() as i32 + 12
    }
}

impl Precision for DoubleFloat {
    fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

impl Arithmetic for DoubleFloat {
    type Host = f64;
    type Device = HighLow;

    const FORMAT: NumberFormat = NumberFormat::DoubleFloat;
    const NATIVE: bool = false;
    /// Written out for 16 points, passes of radix 16 would take tens of thousands of instructions:
    /// more than instruction caches hold, and seconds to compile. Radix 4 has as many operations
    /// for each point and only exchanges points more often.
    const HELD: usize = 4;
    const WGSL: &'static str = include_str!("double_float.wgsl");

    fn sums(vectors: bool) -> String {
        let text = if vectors {
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

    fn narrow(x: f64) -> HighLow {
        let high = x as f32;
        [high, (x - f64::from(high)) as f32]
    }

    fn of_device(x: HighLow) -> f64 {
        joined(x)
    }

    fn exponent(kernel: &[f64]) -> i32 {
        exponent_of_largest(kernel)
    }

    /// Scales each signal by itself: other signals of the batch change no bit of its results.
    async fn call(
        gpu: &Gpu,
        exponent: i32,
        signals: usize,
        x: &[f64],
        y: &mut [f64],
        record: impl FnOnce(&mut ComputePass<'_>, [&Buffer; 2]) + Send,
    ) -> Result<(), GpuError> {
        let (from, to) = (x.len() / signals, y.len() / signals);
        let exponents: Vec<i32> = x.chunks_exact(from).map(exponent_of_largest).collect();
        let scaled = |(x, e): (&[f64], &i32)| -> Vec<HighLow> {
            x.iter().map(|&x| Self::narrow(times_power_of_two(x, -e))).collect()
        };
        let parts: Vec<HighLow> = x.chunks_exact(from).zip(&exponents).flat_map(scaled).collect();
        // A pair has the size of the f64 that replaces it.
        gpu.call::<HighLow>(&parts, bytemuck::cast_slice_mut(y), record).await?;
        for (y, e) in y.chunks_exact_mut(to).zip(exponents) {
            for y in y {
                *y = times_power_of_two(joined(bytemuck::cast(*y)), e + exponent);
            }
        }
        Ok(())
    }
}
