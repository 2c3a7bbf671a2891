//! The self-test of double-float arithmetic.

use crate::precision::{Arithmetic, HighLow, joined};
use crate::{Direct, DoubleFloat, Fft, Gemm, Gpu, GpuError};
use hpfracc_backend::{Backend, BackendError, Reference, Workload};

/// Tested pairs of numbers, and terms of the longest sum.
const PAIRS: usize = 2048;

/// Results of the self-test for each pair.
const RESULTS: usize = 5;

/// 2^-44: four of the 48 bits may be lost.
const TOLERANCE: f64 = 1.0 / (1u64 << 44) as f64;

impl Gpu {
    /// Double-float arithmetic on this device, after a self-test.
    ///
    /// The arithmetic relies on rounding errors, which a shader compiler is permitted to optimise
    /// away. The test compares a few thousand exact sums and products with those of the host bit by
    /// bit, then sums and products of pairs and long sums of products, and last a small map of each
    /// backend, because a compiler may simplify one shader and not another.
    ///
    /// # Errors
    /// [`GpuError::SelfTest`] if a result is wrong.
    pub fn double_float(&self) -> Result<DoubleFloat, GpuError> {
        self.block_on(self.request_double_float())
    }

    /// [`Gpu::double_float`] as a future, for programs that must not block, such as those in a
    /// browser.
    ///
    /// # Errors
    /// Those of [`Gpu::double_float`].
    pub async fn request_double_float(&self) -> Result<DoubleFloat, GpuError> {
        let pipeline = self.pipeline(&source(), "self_test")?;
        // Magnitudes so close that the exact sum of two f32 is an f64.
        let spread = |i: usize| (0.618 * i as f64).sin() * 2f64.powi(i as i32 * 7 % 21 - 10);
        let parts: Vec<HighLow> = (0..2 * PAIRS).map(|i| DoubleFloat::narrow(spread(i))).collect();
        let sizes = self.uniform([PAIRS, 0, 0, 0]);
        let mut computed = vec![[0.0; 2]; RESULTS * PAIRS];
        let test = self.call(&parts, &mut computed, |pass, [input, output]| {
            let grid = [PAIRS.div_ceil(64) as u32, 1];
            self.dispatch(pass, &pipeline, &[input, output, &sizes], grid);
        });
        test.await?;
        let numbers: Vec<f64> = parts.iter().map(|&x| joined(x)).collect();
        for (i, computed) in computed.chunks_exact(RESULTS).enumerate() {
            self.check_results(i, &parts, &numbers, computed)?;
        }
        let untested = DoubleFloat { gpu: self.clone() };
        self.check_maps(&untested).await?;
        Ok(untested)
    }

    async fn check_maps(&self, untested: &DoubleFloat) -> Result<(), GpuError> {
        let len = 300;
        let convolution = Workload::CausalConvolution { len, batch: 2 };
        let product = Workload::Dense { rows: 5, cols: len, batch: 2 };
        let backends: [(&dyn Backend<f64>, Workload); 3] = [
            (&Fft::new(untested), convolution),
            (&Direct::new(untested), convolution),
            (&Gemm::new(untested), product),
        ];
        for (backend, workload) in backends {
            let failed = |error| self.failed(error);
            let computed = small_map(backend, workload).await.map_err(failed)?;
            let expected = small_map(&Reference, workload).await.map_err(failed)?;
            let scale = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            for (n, (computed, expected)) in computed.iter().zip(&expected).enumerate() {
                if !is_close(*computed, *expected, scale) {
                    let name = backend.name();
                    return Err(self.wrong(format!(
                        "result {n} of {name} for {workload} is {computed:e}, not {expected:e}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The error of a map: a lost or full device has not computed wrongly.
    fn failed(&self, error: BackendError) -> GpuError {
        match error {
            BackendError::Device { source, .. } => match source.downcast() {
                Ok(error) => *error,
                Err(source) => self.wrong(source),
            },
            error => self.wrong(error),
        }
    }

    fn wrong(&self, detail: impl ToString) -> GpuError {
        let (device, detail) = (self.name().to_owned(), detail.to_string());
        GpuError::SelfTest { device, precision: "double-float", detail }
    }

    /// Compares the results of pair i with those of the host.
    fn check_results(
        &self,
        i: usize,
        parts: &[HighLow],
        numbers: &[f64],
        computed: &[HighLow],
    ) -> Result<(), GpuError> {
        let (a, b) = (numbers[2 * i], numbers[2 * i + 1]);
        let [p, q] = [parts[2 * i][0], parts[2 * i + 1][0]];
        let exact = |high: f32, exact: f64| joined([high, (exact - f64::from(high)) as f32]);
        let (exact_sum, exact_product) = (f64::from(p) + f64::from(q), f64::from(p) * f64::from(q));
        let (mut sum, mut scale) = (0.0, 0.0);
        for k in 0..=i {
            let term = numbers[k] * numbers[i - k];
            sum += term;
            scale += term.abs();
        }
        let cases = [
            ("exact sum", exact(p + q, exact_sum), 0.0),
            ("exact product", exact(p * q, exact_product), 0.0),
            ("sum", a + b, (a + b).abs()),
            ("product", a * b, (a * b).abs()),
            ("long sum of products", sum, scale),
        ];
        for ((what, expected, scale), &computed) in cases.into_iter().zip(computed) {
            let computed = joined(computed);
            if !is_close(computed, expected, scale) {
                let detail = format!("{what} number {i} is {computed:e}, not {expected:e}");
                return Err(self.wrong(detail));
            }
        }
        Ok(())
    }
}

/// Whether the difference is within the tolerance; `false` for NaN.
fn is_close(computed: f64, expected: f64, scale: f64) -> bool {
    (computed - expected).abs() <= scale * TOLERANCE
}

/// The results of a map with a fixed kernel and fixed signals.
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

pub(super) fn source() -> String {
    [DoubleFloat::WGSL, &DoubleFloat::sums(false), include_str!("double_float.wgsl")].concat()
}
