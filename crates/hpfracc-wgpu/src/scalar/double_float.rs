use super::{ShaderScalar, times_power_of_two};
use crate::call::Chunk;
use crate::gpu::{Binding, Uniform};
use crate::{Gpu, GpuError};
use wgpu::CommandEncoder;

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

impl Gpu {
    /// Double-float arithmetic on this device, after a self-test.
    ///
    /// The arithmetic lives on rounding errors, which compilers of shaders are allowed to optimise
    /// away. The test compares a few thousand exact sums and products with the host's, bit by bit,
    /// then sums and products of pairs and long sums of products in the form that the shaders use.
    ///
    /// # Errors
    /// [`GpuError::SelfTest`] if the device computes wrongly.
    pub fn double_float(&self) -> Result<DoubleFloat, GpuError> {
        let bindings = [Binding::Read, Binding::Write, Binding::Uniform];
        let pipeline = self.pipeline(&test_source(), "self_test", &bindings)?;
        // Sizes so near that the exact sum of two f32 is an f64.
        let spread = |i: usize| (0.618 * i as f64).sin() * 2f64.powi(i as i32 * 7 % 21 - 10);
        let numbers: Vec<f64> = (0..2 * TESTED).map(spread).collect();
        let parts: Vec<HighLow> = numbers.iter().map(|&x| HighLow::narrow(x)).collect();
        let sizes = Uniform::new(self, [TESTED, 0, 0, 0]);
        let mut found = vec![[0.0; 2]; RESULTS * TESTED];
        self.call(&parts, &mut found, 1, |encoder, chunk| {
            let buffers = [chunk.input, chunk.output, sizes.buffer()];
            self.dispatch(encoder, &pipeline, &buffers, [TESTED.div_ceil(64) as u32, 1]);
            Ok(())
        })?;
        let numbers: Vec<f64> = parts.iter().map(|&x| joined(x)).collect();
        for (i, found) in found.chunks_exact(RESULTS).enumerate() {
            self.check_results(i, &parts, &numbers, found)?;
        }
        Ok(DoubleFloat { gpu: self.clone() })
    }

    /// Compares the results of pair i with the host's.
    fn check_results(
        &self,
        i: usize,
        parts: &[HighLow],
        numbers: &[f64],
        found: &[HighLow],
    ) -> Result<(), GpuError> {
        let (a, b) = (numbers[2 * i], numbers[2 * i + 1]);
        let [p, q] = [parts[2 * i][0], parts[2 * i + 1][0]];
        let exact = |high: f32, whole: f64| [high, (whole - f64::from(high)) as f32];
        let (whole_sum, whole_product) = (f64::from(p) + f64::from(q), f64::from(p) * f64::from(q));
        let (mut sum, mut size) = (0.0, 0.0);
        for k in 0..=i {
            let term = numbers[k] * numbers[i - k];
            sum += term;
            size += term.abs();
        }
        let cases = [
            ("exact sum", joined(found[0]), joined(exact(p + q, whole_sum)), 0.0),
            ("exact product", joined(found[1]), joined(exact(p * q, whole_product)), 0.0),
            ("sum", joined(found[2]), a + b, (a + b).abs()),
            ("product", joined(found[3]), a * b, (a * b).abs()),
            ("long sum of products", joined(found[4]), sum, size),
        ];
        for (what, found, right, size) in cases {
            // NaN is wrong too.
            if !((found - right).abs() <= size * TOLERANCE) {
                let detail = format!("{what} number {i} is {found:e} there, here {right:e}");
                let device = self.name().to_owned();
                return Err(GpuError::SelfTest { device, scalar: "double-float", detail });
            }
        }
        Ok(())
    }
}

/// Pairs of numbers in the self-test, and terms of the longest sum.
const TESTED: usize = 2048;

/// Numbers that the self-test makes of each pair.
const RESULTS: usize = 5;

/// 2^-44: four of the 48 bits may be lost.
const TOLERANCE: f64 = 1.0 / (1u64 << 44) as f64;

impl DoubleFloat {
    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

fn test_source() -> String {
    [HighLow::ARITHMETIC, &HighLow::sums(false), include_str!("double_float_test.wgsl")].concat()
}

/// A number as the sum of its nearest f32 and the f32 nearest to what is left.
pub(crate) type HighLow = [f32; 2];

fn joined([high, low]: HighLow) -> f64 {
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
    fn call(
        gpu: &Gpu,
        exponent: i32,
        signals: usize,
        x: &[f64],
        y: &mut [f64],
        record: impl FnOnce(&mut CommandEncoder, &Chunk<'_>) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        let (from, to) = (x.len() / signals, y.len() / signals);
        let exponents: Vec<i32> = x.chunks_exact(from).map(exponent_of_largest).collect();
        let scaled = |(x, e): (&[f64], &i32)| -> Vec<Self> {
            x.iter().map(|&x| Self::narrow(times_power_of_two(x, -e))).collect()
        };
        let parts: Vec<Self> = x.chunks_exact(from).zip(&exponents).flat_map(scaled).collect();
        // A pair takes as many bytes as the number it becomes.
        gpu.call::<Self>(&parts, bytemuck::cast_slice_mut(y), signals, record)?;
        for (y, e) in y.chunks_exact_mut(to).zip(exponents) {
            for y in y {
                *y = times_power_of_two(joined(bytemuck::cast(*y)), e + exponent);
            }
        }
        Ok(())
    }
}
