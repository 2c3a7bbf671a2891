//! The memory of a tile of paths: `sum_{m >= 1} w_m u_{n-m}` for each lane, one row at a time.

mod blocked;
pub(crate) mod exponentials;
mod rows;
mod transform;

pub(crate) use rows::add_weighted;

use crate::SdeError;
use crate::error::out_of_range;
use crate::rows::zeros;
use blocked::Blocked;
use exponentials::Exponentials;
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::recip_gamma;
use hpfracc_types::Real;

/// How the memory of the paths is summed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PathMemory {
    /// All earlier steps: n^2 in time, n in memory, exact to rounding.
    Direct,
    /// Transforms of blocks of steps: n log^2 n in time, 2 to 3 n in memory, exact to rounding. Quicker than
    /// [`Direct`](Self::Direct) from some hundreds of steps on.
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

/// The weights `w_m`, m = 1, 2, .. of one component, prepared.
#[derive(Debug, Clone)]
pub(crate) enum Weights<T> {
    /// By lag, from 1.
    Direct(Vec<T>),
    Blocked(Blocked<T>),
    Exponentials(Exponentials<T>),
}

/// What the memory of a component knows of a tile.
#[derive(Debug, Clone)]
pub(crate) enum Past<T> {
    /// All rows so far.
    Direct(Vec<T>),
    Blocked(blocked::Rows<T>),
    /// One row for each exponential.
    Exponentials(Vec<T>),
}

/// The kernel `t^(alpha-1)/Gamma(alpha)` on steps of length h.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PowerKernel {
    pub(crate) alpha: f64,
    pub(crate) h: f64,
}

impl<T: Real> Weights<T> {
    /// Of weights by lag, from 1, that are integrals of the kernel over what begins h or more before
    /// the present and ends at most `longest` before it. For exponentials `factors` are the weights at
    /// lag 1 of each of them, on a time axis that begins where the weight of lag 1 does.
    pub(crate) fn new(
        memory: PathMemory,
        weights: &[f64],
        PowerKernel { alpha, h }: PowerKernel,
        longest: f64,
        factors: impl FnOnce(&SumOfExponentials) -> Vec<f64>,
    ) -> Result<Self, SdeError> {
        let tolerance = match memory {
            PathMemory::Direct => {
                return Ok(Self::Direct(weights.iter().map(|w| T::narrow(*w)).collect()));
            }
            PathMemory::Blocked => return Ok(Self::Blocked(Blocked::new(weights))),
            PathMemory::Exponentials { tolerance } => tolerance,
        };
        if !(1e-12..=1e-2).contains(&tolerance) {
            let what = "the tolerance of a memory";
            return Err(out_of_range(what, tolerance, "1e-12 to 1e-2"));
        }
        let power = SumOfExponentials::of_power(1.0 - alpha, (h, longest.max(2.0 * h)), tolerance)?;
        let losses = power.rates().iter().map(|p| -(-p * h).exp_m1());
        let scale = recip_gamma(alpha);
        let decays = power.decays(h);
        let factors = factors(&power).into_iter().zip(decays).map(|(c, decay)| scale * c * decay);
        Ok(Self::Exponentials(Exponentials::new(losses, factors)))
    }

    pub(crate) fn start(&self, lanes: usize) -> Past<T> {
        match self {
            Self::Direct(weights) => Past::Direct(Vec::with_capacity(weights.len() * lanes)),
            Self::Blocked(blocked) => Past::Blocked(blocked.start(lanes)),
            Self::Exponentials(sum) => Past::Exponentials(vec![T::zero(); sum.rows() * lanes]),
        }
    }

    /// Makes the past of another tile an empty one.
    pub(crate) fn restart(&self, past: &mut Past<T>, lanes: usize) {
        match (self, past) {
            (Self::Direct(weights), Past::Direct(rows)) => {
                rows.clear();
                rows.reserve(weights.len() * lanes);
            }
            (Self::Blocked(blocked), Past::Blocked(rows)) => blocked.restart(rows, lanes),
            (Self::Exponentials(sum), Past::Exponentials(rows)) => zeros(rows, sum.rows() * lanes),
            (_, past) => *past = self.start(lanes),
        }
    }

    /// Bytes that a tile holds for each lane.
    pub(super) fn bytes_per_lane(&self) -> usize {
        let rows = match self {
            Self::Direct(weights) => weights.len(),
            Self::Blocked(blocked) => blocked.rows(),
            Self::Exponentials(sum) => sum.rows(),
        };
        rows * size_of::<T>()
    }

    /// Writes the memory of the rows before `u` to `sum` and takes `u` in.
    #[inline(always)]
    pub(crate) fn step(&self, past: &mut Past<T>, u: &[T], sum: &mut [T]) {
        match (self, past) {
            (Self::Direct(weights), Past::Direct(rows)) => {
                sum.fill(T::zero());
                let newest_first = rows.chunks_exact(u.len()).rev();
                add_weighted(weights.iter().copied().zip(newest_first), sum);
                // The last row would be of use to nobody.
                if rows.len() < weights.len() * u.len() {
                    rows.extend_from_slice(u);
                }
            }
            (Self::Blocked(blocked), Past::Blocked(rows)) => blocked.step(rows, u, sum),
            (Self::Exponentials(of), Past::Exponentials(rows)) => of.step(rows, u, sum),
            _ => {}
        }
    }
}
