use crate::causal_convolution::TransformPlan;
use crate::fourier::planners::Transforms;
use crate::planning::concrete::{self, MakePlan};
use crate::planning::plan_cache::PlanCache;
use crate::spectral_multiplier::SpectralPlan;
use crate::trigonometric_multiplier::TrigonometricPlan;
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_lanes::Lanes;
use hpfracc_types::Real;
use std::sync::Arc;

/// Causal convolutions, spectral and trigonometric multipliers through the Fourier transform,
/// `cpu-fft`, on the calling thread.
///
/// `y = Re(a^-n F^-1 (F(a^n w) F(a^n x)))` with a = exp(i pi / (2 M)), M >= N: a complex transform
/// of length M whose wrap-around falls into the imaginary part, in place of a real one of length
/// 2N. Long series are transformed as a matrix, columns and rows. Spectral multipliers are
/// `F^-1 (m F x)` with real transforms along the last axis. Trigonometric multipliers `S (m S' x)`
/// take two lines of values as the real and the imaginary part of one, and one complex transform
/// of n points for each line of n: `2 d - 1` passes over a signal of d axes. A signal of one axis
/// is one line, which takes twice the operations.
///
/// Cost: O(N log N) per signal, for a causal convolution less than one forward and one inverse real
/// transform of length 2N. Memory (f64): 16 M bytes for the weights' spectrum, once or twice as
/// much for scratch, and tables of at most that size; M exceeds N by a few per cent.
///
/// Accuracy: the error of any entry of a convolution is a small multiple of
/// `eps log2(N) |w|_2 |x|_2`, norms being over the whole series; measured: at most 0.2 of that, for
/// decaying and growing weights, smooth, random and late signals, N from 300 to 32768, f32 and f64.
/// For a multiplier, `max |m|` stands in place of `|w|_2`. This is a few units of rounding of the
/// largest entry where that is as large as the product of the norms, and can be far more than the
/// result elsewhere:
///
/// - entries small against the largest one, above all the early ones under the growing weights of
///   an integral of order above 1;
/// - an event late in the time series: earlier entries should be zero, but are rounding of that
///   size;
/// - a derivative of a smooth series from its plain samples, where weights times samples cancel.
///   Without the constant or polynomial part of the samples, less cancels.
///
/// [`Direct`](crate::Direct) errs relative to `sum |w[k] x[n-k]` of each entry, and nothing leaks
/// backwards: prefer it where small entries matter. Over the large ones of a long smooth series
/// the transform is the more accurate.
///
/// Range: the transforms overflow, and results are NaN or infinite, unless
/// `N max|x| max(1, |w|_1)` stays below an eighth of the largest scalar (for a multiplier with
/// `max |m|` in place of `|w|_1`), though the result itself may be finite: half a derivative of 1e5
/// samples of 1e304 is NaN. Scale such signals. NaN or infinity in a signal reaches all of its
/// results.
///
/// Sources: R. E. Crandall and B. Fagin, Math. Comp. 62 (1994) 305, doi:10.1090/S0025-5718-1994-1185244-1,
/// for the weighted transform; D. H. Bailey, J. Supercomput. 4 (1990) 23, doi:10.1007/BF00162341,
/// for the matrix form; J. Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28 (1980) 27,
/// doi:10.1109/TASSP.1980.1163351, for sines and cosines.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
/// use hpfracc_cpu::Fft;
///
/// let sums = Fft::new().plan(Workload::CausalConvolution { len: 4, batch: 1 })?.bind(&[1.0; 4])?;
/// let mut y = [0.0_f64; 4];
/// sums.apply(&[1.0, 2.0, 3.0, 4.0], &mut y)?;
/// assert!(y.iter().zip([1.0, 3.0, 6.0, 10.0]).all(|(y, expected)| (y - expected).abs() < 1e-14));
/// # Ok::<(), BackendError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fft(Plans);

/// The algorithms of [`Fft`] on the threads of the current rayon pool, `cpu-parallel-fft`.
///
/// Threads share the signals of a batch; if these are few and long, the columns and rows of each
/// (but not of a spectral multiplier).
/// Every result has the bits that [`Fft`] gives, for any number of threads. Cost and memory are
/// those of [`Fft`], with scratch memory for each thread that has a signal or a part of one:
/// [`Plan::bytes`] counts it for the pool that it is called in.
#[derive(Debug, Clone, Default)]
pub struct ParallelFft(Plans);

impl Fft {
    /// The backend, with empty caches.
    pub fn new() -> Self {
        Self::default()
    }
}

impl ParallelFft {
    /// The backend, with empty caches.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Real> Backend<T> for Fft {
    fn name(&self) -> &str {
        "cpu-fft"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        self.0.plan("cpu-fft", workload, false)
    }
}

impl<T: Real> Backend<T> for ParallelFft {
    fn name(&self) -> &str {
        "cpu-parallel-fft"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        self.0.plan("cpu-parallel-fft", workload, true)
    }
}

/// The caches of a backend: transforms and plans.
#[derive(Debug, Clone, Default)]
struct Plans {
    transforms: Transforms,
    cache: PlanCache,
}

impl Plans {
    fn plan<T: Real>(
        &self,
        name: &str,
        workload: Workload,
        parallel: bool,
    ) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        let transforms = &self.transforms;
        match workload {
            Workload::CausalConvolution { .. } => Ok(self.cache.get_or(workload, || {
                concrete::plan(Convolution { workload, parallel, transforms })
            })),
            Workload::SpectralMultiplier { shape, .. } => Ok(self.cache.get_or(workload, || {
                Arc::new(SpectralPlan::<T>::new(workload, shape, parallel, transforms))
            })),
            Workload::TrigonometricMultiplier { axes, .. } => {
                Ok(self.cache.get_or(workload, || {
                    Arc::new(TrigonometricPlan::<T>::new(workload, axes, parallel, transforms))
                }))
            }
            _ => {
                Err(BackendError::unsupported(name, workload, "it has no Fourier transform in it"))
            }
        }
    }
}

struct Convolution<'a> {
    workload: Workload,
    parallel: bool,
    transforms: &'a Transforms,
}

impl MakePlan for Convolution<'_> {
    fn make<T: Lanes>(self) -> Arc<dyn Plan<T>> {
        Arc::new(TransformPlan::<T>::new(self.workload, self.parallel, self.transforms))
    }
}
