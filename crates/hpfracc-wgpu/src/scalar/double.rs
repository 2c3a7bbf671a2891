use crate::gpu::{Binding, Uniform};
use crate::{Gpu, GpuError};
use hpfracc_types::Real;
use wgpu::Features;

/// A device that computes in double precision: the proof that it has it, and that it is right.
#[derive(Debug, Clone)]
pub struct Double {
    gpu: Gpu,
}

impl Gpu {
    /// Double precision on this device, after a self-test.
    ///
    /// The test compares products, sums, quotients, square roots, whole parts and multiples by powers
    /// of two of a few thousand numbers with the host's: all that shaders here make use of. (Not
    /// exponentials and other functions of WGSL: in double precision no device has them, and some
    /// answer nonsense without a word. No shader here calls them.)
    ///
    /// # Errors
    /// [`GpuError::MissingFeature`] if the device has none, [`GpuError::SelfTest`] if it computes
    /// wrongly.
    pub fn double(&self) -> Result<Double, GpuError> {
        if !self.inner.features.contains(Features::SHADER_F64) {
            let feature = "double precision in shaders";
            return Err(GpuError::MissingFeature { device: self.name().to_owned(), feature });
        }
        self.self_test()?;
        Ok(Double { gpu: self.clone() })
    }

    fn self_test(&self) -> Result<(), GpuError> {
        let bindings = [Binding::Read, Binding::Write, Binding::Uniform];
        let pipeline = self.pipeline(include_str!("double_test.wgsl"), "self_test", &bindings)?;
        // Pairs of every size, also beyond the range of single precision.
        let spread = |i: usize| (0.618 * i as f64).sin() * 10f64.powi(i as i32 % 80 - 40);
        let pairs: Vec<f64> = (0..2 * TESTED).map(spread).collect();
        let shape = Uniform::new(self, [TESTED, 0, 0, 0]);
        let mut found = vec![0.0; RESULTS * TESTED];
        let test = self.call(&pairs, &mut found, 1, |pass, chunk| {
            let buffers = [chunk.input, chunk.output, shape.buffer()];
            self.dispatch(pass, &pipeline, &buffers, [TESTED.div_ceil(64) as u32, 1]);
            Ok(())
        });
        self.wait(test)?;
        for (pair, found) in pairs.chunks_exact(2).zip(found.chunks_exact(RESULTS)) {
            let (a, b) = (pair[0], pair[1]);
            let (whole, sum) = (a.floor(), a.abs().mul_add(b.abs(), b.abs()));
            let shifted = b * 2f64.powi(if whole.abs() > 300.0 { 7 } else { whole as i32 });
            let exact = [a + b, a * b, a / b, a.abs().sqrt(), sum, whole, shifted];
            for (found, exact) in found.iter().zip(exact) {
                // Vulkan lets a quotient and a root be off by a few units in the last place.
                if (found - exact).abs() > 4.0 * f64::EPSILON * exact.abs() {
                    let detail = format!("of {a:e} and {b:e} it made {found:e}, not {exact:e}");
                    let device = self.name().to_owned();
                    return Err(GpuError::SelfTest { device, scalar: f64::NAME, detail });
                }
            }
        }
        Ok(())
    }
}

const TESTED: usize = 4096;

/// Numbers that the self-test makes of each pair.
const RESULTS: usize = 7;

impl Double {
    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}
