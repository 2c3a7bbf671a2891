//! The memory of a tile of paths, `sum_{m >= 1} w_m u_{n-m}` for each lane: online causal sums with
//! the weights of a power-law kernel.

use crate::SdeError;
use crate::error::in_range;
use hpfracc_lanes::causal::{ExponentialRows, Online};
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::recip_gamma;
use hpfracc_types::Real;

/// How the memory of the paths is summed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PathMemory {
    /// All earlier steps: n^2 in time, n in memory, exact to rounding.
    Direct,
    /// Transforms of blocks of steps: n log^2 n in time, 2 to 3 n in memory, exact to rounding.
    /// Faster than [`Direct`](Self::Direct) from some hundreds of steps on.
    Blocked,
    /// A sum of exponentials within this relative error of each weight: n K in time, K in memory.
    Exponentials {
        /// Relative error, 1e-12 to 1e-2.
        tolerance: f64,
    },
}

impl Default for PathMemory {
    /// Exponentials within 1e-6: a thousandth of the sampling error of 1e6 paths.
    fn default() -> Self {
        Self::Exponentials { tolerance: 1e-6 }
    }
}

/// Memory of a component as a sum of exponentials: with `u = f + g dZ/h`,
///
/// ```text
/// X_{n+1} = X_0 + (nearest u_n + sum_k factor_k z_k) + sum_m weight_m (g dZ)_{n-m},  then  z_k += u_n - loss_k z_k
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MemoryRecurrence<T> {
    /// Weight of the present step.
    pub nearest: T,
    /// Loss and factor of each exponential.
    pub exponentials: Vec<(T, T)>,
    /// Noises whose latest increments have weights of their own.
    pub near: Vec<NearNoises<T>>,
    /// Correction of the drift of a predictor-corrector method.
    pub corrector: Option<CorrectorRecurrence<T>>,
}

/// Correction of the drift of a component, X_{n+1} above being the predicted value P:
///
/// ```text
/// X_{n+1} = P + ((sum_k factor_k y_k + (nearest f_n + start_{n+1} f_0)) + newest f(t_{n+1}, P)),  then  y_k += f_n - loss_k y_k
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CorrectorRecurrence<T> {
    /// Weight of the drift at the predicted value.
    pub newest: T,
    /// Weight of the drift at the start of the step.
    pub nearest: T,
    /// Loss and factor of each exponential.
    pub exponentials: Vec<(T, T)>,
    /// Weights of the first drift, by node.
    pub starts: Vec<T>,
}

impl<T: Real> MemoryRecurrence<T> {
    /// The same numbers in double precision.
    pub(crate) fn widened(self) -> MemoryRecurrence<f64> {
        let near = |near: NearNoises<T>| NearNoises {
            sources: near.sources,
            weights: near.weights.into_iter().map(T::widen).collect(),
        };
        let pair = |(loss, factor): (T, T)| (loss.widen(), factor.widen());
        MemoryRecurrence {
            nearest: self.nearest.widen(),
            exponentials: self.exponentials.into_iter().map(pair).collect(),
            near: self.near.into_iter().map(near).collect(),
            corrector: self.corrector.map(CorrectorRecurrence::widened),
        }
    }
}

impl<T: Real> CorrectorRecurrence<T> {
    fn widened(self) -> CorrectorRecurrence<f64> {
        let pair = |(loss, factor): (T, T)| (loss.widen(), factor.widen());
        CorrectorRecurrence {
            newest: self.newest.widen(),
            nearest: self.nearest.widen(),
            exponentials: self.exponentials.into_iter().map(pair).collect(),
            starts: self.starts.into_iter().map(T::widen).collect(),
        }
    }
}

/// Noises whose latest increments have weights of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct NearNoises<T> {
    /// Noises, each with its row of the diffusion.
    pub sources: Vec<(usize, usize)>,
    /// Weights of this step and of earlier ones.
    pub weights: Vec<T>,
}

/// The kernel `t^(alpha-1)/Gamma(alpha)` on steps of length h.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PowerKernel {
    pub(crate) alpha: f64,
    pub(crate) h: f64,
}

/// The online sum with weights by lag, from 1, that are integrals of the kernel over intervals that
/// begin h or more before the present and end at most `longest` before it. For exponentials
/// `factors` are the weights at lag 1 of each of them, on a time axis that begins where the weight
/// of lag 1 does.
pub(crate) fn power_law_memory<T: Real>(
    memory: PathMemory,
    weights: &[f64],
    PowerKernel { alpha, h }: PowerKernel,
    longest: f64,
    factors: impl FnOnce(&SumOfExponentials) -> Vec<f64>,
) -> Result<Online<T>, SdeError> {
    let tolerance = match memory {
        PathMemory::Direct => return Ok(Online::direct(weights)),
        PathMemory::Blocked => return Ok(Online::blocked(weights)),
        PathMemory::Exponentials { tolerance } => tolerance,
    };
    let what = "the tolerance of a memory";
    in_range((1e-12..=1e-2).contains(&tolerance), what, tolerance, "1e-12 to 1e-2")?;
    let power = SumOfExponentials::of_power(1.0 - alpha, (h, longest.max(2.0 * h)), tolerance)?;
    let losses = power.rates().iter().map(|p| -(-p * h).exp_m1());
    let scale = recip_gamma(alpha);
    let decays = power.decays(h);
    let factors = factors(&power).into_iter().zip(decays).map(|(c, decay)| scale * c * decay);
    Ok(Online::Exponentials(ExponentialRows::new(losses, factors)))
}
