//! The self-test of double precision.

use crate::{F64, Gpu, GpuError};
use wgpu::Features;

/// Tested pairs of numbers.
const PAIRS: usize = 4096;

/// Results of the self-test for each pair.
const RESULTS: usize = 7;

impl Gpu {
    /// Double precision on this device, after a self-test.
    ///
    /// The test compares products, sums, quotients, square roots, floors and multiples by powers of
    /// two of a few thousand numbers with those of the host: all operations that the shaders of
    /// this crate use. (Not exponentials and other functions of WGSL: in double precision no device
    /// has them, and some return wrong values without an error. No shader of this crate calls
    /// them.)
    ///
    /// # Errors
    /// [`GpuError::MissingFeature`] on a device without double precision, [`GpuError::SelfTest`] if
    /// a result is wrong.
    pub fn f64(&self) -> Result<F64, GpuError> {
        if !self.has(Features::SHADER_F64) {
            let feature = "double precision in shaders";
            return Err(GpuError::MissingFeature { device: self.name().to_owned(), feature });
        }
        let pipeline = self.pipeline(include_str!("f64.wgsl"), "self_test")?;
        // Pairs of every magnitude, also beyond the range of single precision.
        let spread = |i: usize| (0.618 * i as f64).sin() * 10f64.powi(i as i32 % 80 - 40);
        let pairs: Vec<f64> = (0..2 * PAIRS).map(spread).collect();
        let sizes = self.uniform([PAIRS, 0, 0, 0]);
        let mut computed = vec![0.0; RESULTS * PAIRS];
        self.block_on(self.call(&pairs, &mut computed, |pass, [input, output]| {
            let grid = [PAIRS.div_ceil(64) as u32, 1];
            self.dispatch(pass, &pipeline, &[input, output, &sizes], grid);
        }))?;
        for (pair, computed) in pairs.chunks_exact(2).zip(computed.chunks_exact(RESULTS)) {
            self.check_pair(pair[0], pair[1], computed)?;
        }
        Ok(F64 { gpu: self.clone() })
    }

    fn check_pair(&self, a: f64, b: f64, computed: &[f64]) -> Result<(), GpuError> {
        let (floor, sum) = (a.floor(), a.abs().mul_add(b.abs(), b.abs()));
        let shifted = b * 2f64.powi(if floor.abs() > 300.0 { 7 } else { floor as i32 });
        let exact = [a + b, a * b, a / b, a.abs().sqrt(), sum, floor, shifted];
        for (computed, exact) in computed.iter().zip(exact) {
            // Vulkan permits a few units in the last place for quotients and square roots.
            if (computed - exact).abs() > 4.0 * f64::EPSILON * exact.abs() {
                let detail =
                    format!("from {a:e} and {b:e} it computed {computed:e}, not {exact:e}");
                let device = self.name().to_owned();
                return Err(GpuError::SelfTest { device, precision: "f64", detail });
            }
        }
        Ok(())
    }
}
