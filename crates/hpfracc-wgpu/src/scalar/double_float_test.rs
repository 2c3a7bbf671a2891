//! What proves double-float arithmetic on a device.

use super::ShaderScalar;
use super::double_float::{DoubleFloat, HighLow, joined};
use crate::gpu::{Binding, Uniform};
use crate::{DirectDf64, FftDf64, GemmDf64, Gpu, GpuError};
use hpfracc_backend::{Backend, BackendError, Reference, Workload};

impl Gpu {
    /// Double-float arithmetic on this device, after a self-test.
    ///
    /// The arithmetic lives on rounding errors, which compilers of shaders are allowed to optimise
    /// away. The test compares a few thousand exact sums and products with the host's, bit by bit,
    /// then sums and products of pairs and long sums of products, and last a small map of each
    /// backend, since a compiler may see through one shader and not through another.
    ///
    /// # Errors
    /// [`GpuError::SelfTest`] if the device computes wrongly.
    pub fn double_float(&self) -> Result<DoubleFloat, GpuError> {
        self.wait(self.request_double_float())
    }

    /// As [`Gpu::double_float`], for programs that must not block. In a browser there is no other
    /// way.
    ///
    /// # Errors
    /// As there.
    pub async fn request_double_float(&self) -> Result<DoubleFloat, GpuError> {
        let bindings = [Binding::Read, Binding::Write, Binding::Uniform];
        let pipeline = self.pipeline(&test_source(), "self_test", &bindings)?;
        // Sizes so near that the exact sum of two f32 is an f64.
        let spread = |i: usize| (0.618 * i as f64).sin() * 2f64.powi(i as i32 * 7 % 21 - 10);
        let numbers: Vec<f64> = (0..2 * TESTED).map(spread).collect();
        let parts: Vec<HighLow> = numbers.iter().map(|&x| HighLow::narrow(x)).collect();
        let sizes = Uniform::new(self, [TESTED, 0, 0, 0]);
        let mut found = vec![[0.0; 2]; RESULTS * TESTED];
        let test = self.call(&parts, &mut found, 1, |pass, chunk| {
            let buffers = [chunk.input, chunk.output, sizes.buffer()];
            self.dispatch(pass, &pipeline, &buffers, [TESTED.div_ceil(64) as u32, 1]);
            Ok(())
        });
        test.await?;
        let numbers: Vec<f64> = parts.iter().map(|&x| joined(x)).collect();
        for (i, found) in found.chunks_exact(RESULTS).enumerate() {
            self.check_results(i, &parts, &numbers, found)?;
        }
        self.check_maps().await
    }

    async fn check_maps(&self) -> Result<DoubleFloat, GpuError> {
        let proof = DoubleFloat::untested(self);
        let len = 300;
        let convolution = Workload::CausalConvolution { len, batch: 2 };
        let product = Workload::Dense { rows: 5, cols: len, batch: 2 };
        let backends: [(&dyn Backend<f64>, Workload); 3] = [
            (&FftDf64::new(&proof), convolution),
            (&DirectDf64::new(&proof), convolution),
            (&GemmDf64::new(&proof), product),
        ];
        for (backend, workload) in backends {
            let failed = |error| self.failed(error);
            let found = small_map(backend, workload).await.map_err(failed)?;
            let right = small_map(&Reference, workload).await.map_err(failed)?;
            let size = right.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            for (n, (found, right)) in found.iter().zip(&right).enumerate() {
                if !near(*found, *right, size) {
                    let name = backend.name();
                    return Err(self.wrong(format!(
                        "result {n} of {name} for {workload} is {found:e} there, here {right:e}"
                    )));
                }
            }
        }
        Ok(proof)
    }

    /// A device that is lost or full has not computed wrongly.
    fn failed(&self, error: BackendError) -> GpuError {
        match error {
            BackendError::Device { source, .. } => match source.downcast() {
                Ok(fault) => *fault,
                Err(source) => self.wrong(source),
            },
            error => self.wrong(error),
        }
    }

    fn wrong(&self, detail: impl ToString) -> GpuError {
        let (device, detail) = (self.name().to_owned(), detail.to_string());
        GpuError::SelfTest { device, scalar: "double-float", detail }
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
            if !near(found, right, size) {
                let detail = format!("{what} number {i} is {found:e} there, here {right:e}");
                return Err(self.wrong(detail));
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

/// Within four of the 48 bits, which NaN is not.
fn near(found: f64, right: f64, size: f64) -> bool {
    (found - right).abs() <= size * TOLERANCE
}

/// The results of one map, the same in every call.
async fn small_map(
    backend: &dyn Backend<f64>,
    workload: Workload,
) -> Result<Vec<f64>, BackendError> {
    let sample = |i: usize| ((i * i % 997) as f64 * 0.61).cos();
    let kernel: Vec<f64> = (0..workload.kernel_len()).map(sample).collect();
    let x: Vec<f64> = (0..workload.signal_len() * workload.batch()).map(sample).collect();
    let mut y = vec![f64::NAN; workload.output_len() * workload.batch()];
    backend.plan(workload)?.bind(&kernel)?.apply_async(&x, &mut y).await?;
    Ok(y)
}

pub(super) fn test_source() -> String {
    [HighLow::ARITHMETIC, &HighLow::sums(false), include_str!("double_float_test.wgsl")].concat()
}
