use crate::{Backend, BackendError, Direction, Kind, LinearMap, Pending, Plan, Workload};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A backend for `f64` that computes in `f32`, `<inner>-rounded-to-f32`: the input is rounded after
/// all operations of the caller in double precision.
///
/// ```text
/// y = 2^(a+b) widen( narrow(2^-a w) * narrow(2^-b x) )
/// ```
///
/// The powers of two 2^a and 2^b are those of the largest finite entry of the kernel and of each
/// signal, and change no bit: the small range of exponents in `f32` does not matter, and the
/// signals of a batch are independent.
///
/// The weight at lag 0 of a causal convolution stays in double precision: it is the largest one of
/// a derivative, and the dominant one as the order approaches 1. So does the mean of the others
/// where it is most of them, as for orders near 0: its product is a running sum, and transforms
/// round relative to the norm of the weights.
///
/// Accuracy: that of the inner backend in `f32`, and half a unit of rounding of the largest entry
/// for kernel and signal each. Its purpose is differences: fractional operators compute them on the
/// host in the scalar type of their samples, and the difference of two rounded neighbours has an
/// error of `eps |x|`, where the difference itself is of size `h |x'|`; that of samples in `f64`
/// has not. With `cpu-fft` as the inner backend, derivatives of order up to 2 of smooth series by
/// L1, Grünwald-Letnikov, second differences and BDF are within 5e-7 of the largest entry up to
/// 10^6 samples, and gradients with respect to the input too; if the samples are rounded first, the
/// error is up to 1e-2 for orders up to 1, and no digit is right at 1.9. Schemes compute two
/// differences at most: beyond order 2 rounding grows with `h^(2-alpha)` again.
///
/// A recurrence is unsupported: its rates do not scale with its result, and the states of a stream
/// would be rounded at the end of each block, where other maps round once.
///
/// A machine uses it by name only, and its name is in every error and in the `Debug` form of an
/// operator bound to it.
///
/// Cost: in addition to the inner map two passes over the signals and two over the results, on the
/// calling thread. Memory: a copy of both in `f32` for each concurrent call, reused by later ones.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Reference, Rounded, Workload};
///
/// let workload = Workload::CausalConvolution { len: 2, batch: 1 };
/// let sum = Rounded::new(Reference).plan(workload)?.bind(&[1e200, 1e200])?;
/// let mut y = [0.0; 2];
/// sum.apply(&[1e-200, 3e-200], &mut y)?;
/// assert!((y[0] - 1.0).abs() < 1e-6 && (y[1] - 4.0).abs() < 4e-6);
/// # Ok::<(), BackendError>(())
/// ```
#[derive(Clone)]
pub struct Rounded {
    name: Arc<str>,
    inner: Arc<dyn Backend<f32>>,
}

impl Rounded {
    /// A backend for `f64` that computes with `inner` in `f32`.
    pub fn new(inner: impl Backend<f32> + 'static) -> Self {
        let name = format!("{}-rounded-to-f32", inner.name()).into();
        Self { name, inner: Arc::new(inner) }
    }
}

impl Backend<f64> for Rounded {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        if workload.kind() == Kind::Recurrence {
            let reason = "rates cannot be scaled, and states last";
            return Err(BackendError::unsupported(&self.name, workload, reason));
        }
        let inner = self.inner.plan(workload).map_err(|error| error.named(&self.name))?;
        Ok(Arc::new(RoundedPlan { name: Arc::clone(&self.name), inner }))
    }
}

impl fmt::Debug for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rounded").field(&self.name).finish()
    }
}

struct RoundedPlan {
    name: Arc<str>,
    inner: Arc<dyn Plan<f32>>,
}

impl Plan<f64> for RoundedPlan {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    fn bytes(&self) -> usize {
        let workload = self.workload();
        let signal = (workload.signal_len() + workload.output_len()) * size_of::<f32>();
        self.inner.bytes() + workload.batch() * (signal + size_of::<Power>())
    }

    fn bind(&self, kernel: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        // In double precision: rounding hides a symbol that is not quite Hermitian.
        self.workload().check_kernel(kernel)?;
        let mut kernel = kernel.to_vec();
        let at_once = match self.workload() {
            Workload::CausalConvolution { .. } => Some(std::mem::take(&mut kernel[0])),
            _ => None,
        };
        let mean = at_once.map_or(0.0, |_| take_mean(&mut kernel[1..]));
        let power = Power::of(&kernel);
        let mut rounded = vec![0.0; kernel.len()];
        power.narrow(&kernel, &mut rounded);
        let inner = self.inner.bind(&rounded).map_err(|error| error.named(&self.name))?;
        let (name, free) = (Arc::clone(&self.name), Mutex::new(Vec::new()));
        Ok(Box::new(RoundedMap { name, inner, at_once, mean, kernel: power, free }))
    }
}

struct RoundedMap {
    name: Arc<str>,
    inner: Box<dyn LinearMap<f32>>,
    /// The weight at lag 0 of a causal convolution; that of the inner map is zero.
    at_once: Option<f64>,
    /// The mean of its other weights, which are less by it in the inner map.
    mean: f64,
    /// Factor that the kernel was divided by.
    kernel: Power,
    /// Scratch of earlier calls: as many as there were callers at once.
    free: Mutex<Vec<Scratch>>,
}

/// The signals of one call in single precision: x and y.
struct Scratch {
    x: Vec<f32>,
    y: Vec<f32>,
    powers: Vec<Power>,
}

impl Scratch {
    /// Input and output of the inner map, and the powers of the signals.
    fn parts(&mut self, direction: Direction) -> (&mut [f32], &mut [f32], &mut [Power]) {
        match direction {
            Direction::Forward => (&mut self.x, &mut self.y, &mut self.powers),
            Direction::Transpose => (&mut self.y, &mut self.x, &mut self.powers),
        }
    }
}

/// Subtracts the mean of the weights and returns it, if it is most of them; else returns 0.
fn take_mean(weights: &mut [f64]) -> f64 {
    // Each is divided first: the sum of large weights overflows.
    let part = 1.0 / weights.len() as f64;
    let mean: f64 = weights.iter().map(|weight| part * weight).sum();
    let size = |less: f64| weights.iter().map(|weight| (part * (weight - less)).abs()).sum::<f64>();
    // False for NaN and infinity.
    if size(mean) < 0.5 * size(0.0) {
        weights.iter_mut().for_each(|weight| *weight -= mean);
        mean
    } else {
        0.0
    }
}

type Answer = Result<(), BackendError>;

impl RoundedMap {
    /// Rounds the input of a call, in the buffers of an earlier call or in new ones.
    fn begin(&self, direction: Direction, from: &[f64]) -> Scratch {
        let stored = self.free().pop();
        let mut scratch = stored.unwrap_or_else(|| {
            let workload = self.workload();
            let zeros = |len: usize| vec![0.0; len * workload.batch()];
            let (x, y) = (zeros(workload.signal_len()), zeros(workload.output_len()));
            Scratch { x, y, powers: vec![Power(0); workload.batch()] }
        });
        let (rounded, _, powers) = scratch.parts(direction);
        let len = from.len() / powers.len();
        for ((from, to), power) in from.chunks(len).zip(rounded.chunks_mut(len)).zip(powers) {
            *power = Power::of(from);
            power.narrow(from, to);
        }
        scratch
    }

    fn free(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what the weight at lag 0 and the mean of the others make of a signal.
    fn add_lag_0_and_mean(&self, weight: f64, direction: Direction, from: &[f64], to: &mut [f64]) {
        // Sums of a few samples and of all before them: one addition waits for those before.
        const TOGETHER: usize = 4;
        let mut before = 0.0;
        match direction {
            Direction::Forward => {
                for (to, from) in to.chunks_mut(TOGETHER).zip(from.chunks(TOGETHER)) {
                    before += self.add_some(weight, before, to.iter_mut().zip(from));
                }
            }
            Direction::Transpose => {
                for (to, from) in to.rchunks_mut(TOGETHER).zip(from.rchunks(TOGETHER)) {
                    before += self.add_some(weight, before, to.iter_mut().zip(from).rev());
                }
            }
        }
    }

    /// The same for some samples after others with the sum `before`. Returns their own sum.
    #[inline]
    fn add_some<'a>(
        &self,
        weight: f64,
        before: f64,
        samples: impl Iterator<Item = (&'a mut f64, &'a f64)>,
    ) -> f64 {
        samples.fold(0.0, |sum, (to, from)| {
            *to += weight * from + (before + sum);
            sum + self.mean * from
        })
    }

    /// Writes the result of a call whose inner map has answered.
    fn end(
        &self,
        direction: Direction,
        mut scratch: Scratch,
        outcome: Answer,
        (from, to): (&[f64], &mut [f64]),
    ) -> Answer {
        if outcome.is_ok() {
            let (_, rounded, powers) = scratch.parts(direction);
            let len = to.len() / powers.len();
            for ((rounded, to), power) in rounded.chunks(len).zip(to.chunks_mut(len)).zip(powers) {
                Power(self.kernel.0 + power.0).widen(rounded, to);
            }
            if let Some(weight) = self.at_once {
                if self.mean == 0.0 {
                    to.iter_mut().zip(from).for_each(|(to, from)| *to += weight * from);
                } else {
                    let signals = from.chunks(len).zip(to.chunks_mut(len));
                    signals.for_each(|(from, to)| {
                        self.add_lag_0_and_mean(weight, direction, from, to);
                    });
                }
            }
        }
        self.free().push(scratch);
        outcome.map_err(|error| error.named(&self.name))
    }
}

impl LinearMap<f64> for RoundedMap {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }

    fn run(&self, direction: Direction, from: &[f64], to: &mut [f64]) -> Answer {
        let mut scratch = self.begin(direction, from);
        let (rounded, result, _) = scratch.parts(direction);
        let outcome = self.inner.run(direction, rounded, result);
        self.end(direction, scratch, outcome, (from, to))
    }

    // The provided future would wait for the inner map.
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [f64],
        to: &'a mut [f64],
    ) -> Pending<'a> {
        Box::pin(async move {
            let mut scratch = self.begin(direction, from);
            let (rounded, result, _) = scratch.parts(direction);
            let outcome = self.inner.run_async(direction, rounded, result).await;
            self.end(direction, scratch, outcome, (from, to))
        })
    }
}

/// 2^e with an e that may exceed the range of `f64`: a sum of two of its exponents.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Power(i32);

const BIAS: i32 = 1023;
const EXPONENT_BITS: u64 = 0x7ff;

impl Power {
    /// The power of the largest finite entry, which is below 2^(e+1) and, unless it is subnormal,
    /// at least 2^e.
    fn of(values: &[f64]) -> Self {
        let largest = values.iter().fold(0, |largest, value| {
            let exponent = value.to_bits() >> 52 & EXPONENT_BITS;
            if exponent == EXPONENT_BITS { largest } else { largest.max(exponent) }
        });
        Self((largest as i32).max(1) - BIAS)
    }

    /// 2^e as a product of two normal numbers. Multiplying by one after the other is exact, unless
    /// the result is out of range.
    fn halves(self) -> [f64; 2] {
        let normal = |e: i32| f64::from_bits(((e + BIAS) as u64) << 52);
        [normal(self.0 / 2), normal(self.0 - self.0 / 2)]
    }

    /// `2^-e from`, rounded once.
    fn narrow(self, from: &[f64], to: &mut [f32]) {
        let [a, b] = Self(-self.0).halves();
        for (from, to) in from.iter().zip(to) {
            *to = (from * a * b) as f32;
        }
    }

    /// `2^e from`.
    fn widen(self, from: &[f32], to: &mut [f64]) {
        let [a, b] = self.halves();
        for (from, to) in from.iter().zip(to) {
            *to = f64::from(*from) * a * b;
        }
    }
}
