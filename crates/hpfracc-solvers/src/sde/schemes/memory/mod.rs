//! The memory of a tile of paths: `sum_{m >= 1} w_m u_{n-m}` for each lane, one row at a time.

pub(in crate::sde) mod exponentials;
mod rows;

pub(in crate::sde) use rows::add_weighted;

use crate::SolveError;
use crate::error::out_of_range;
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
pub(in crate::sde) enum Weights<T> {
    /// By lag, from 1.
    Direct(Vec<T>),
    Exponentials(Exponentials<T>),
}

/// What the memory of a component knows of a tile.
#[derive(Debug, Clone)]
pub(in crate::sde) enum Past<T> {
    /// All rows so far.
    Direct(Vec<T>),
    /// One row for each exponential.
    Exponentials(Vec<T>),
}

impl<T: Real> Weights<T> {
    /// Of `b_m = h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)`, the cells of the kernel, given for
    /// m = 0, 1, ...
    pub(super) fn of_cells(
        memory: PathMemory,
        cells: &[f64],
        (alpha, h): (f64, f64),
    ) -> Result<Self, SolveError> {
        let factors = |power: &SumOfExponentials| power.cells(h);
        Self::new(memory, &cells[cells.len().min(1)..], (alpha, h), factors)
    }

    /// Of weights by lag, from 1, or with the factors that they have at lag 0 for each exponential.
    fn new(
        memory: PathMemory,
        weights: &[f64],
        (alpha, h): (f64, f64),
        factors: impl FnOnce(&SumOfExponentials) -> Vec<f64>,
    ) -> Result<Self, SolveError> {
        let PathMemory::Exponentials { tolerance } = memory else {
            return Ok(Self::Direct(weights.iter().map(|w| T::narrow(*w)).collect()));
        };
        if !(1e-12..=1e-2).contains(&tolerance) {
            let what = "the tolerance of a memory";
            return Err(out_of_range(what, tolerance, "1e-12 to 1e-2"));
        }
        // The first cell is exact elsewhere: lags reach from h to n h.
        let longest = h * (weights.len() + 1).max(2) as f64;
        let power = SumOfExponentials::of_power(1.0 - alpha, (h, longest), tolerance)?;
        let losses = power.rates().iter().map(|p| -(-p * h).exp_m1());
        let scale = recip_gamma(alpha);
        let decays = power.decays(h);
        let factors = factors(&power).into_iter().zip(decays).map(|(c, decay)| scale * c * decay);
        Ok(Self::Exponentials(Exponentials::new(losses, factors)))
    }

    pub(in crate::sde) fn start(&self, lanes: usize) -> Past<T> {
        match self {
            Self::Direct(weights) => Past::Direct(Vec::with_capacity(weights.len() * lanes)),
            Self::Exponentials(sum) => Past::Exponentials(vec![T::zero(); sum.rows() * lanes]),
        }
    }

    /// Bytes that a tile holds for each lane.
    pub(super) fn bytes_per_lane(&self) -> usize {
        let rows = match self {
            Self::Direct(weights) => weights.len(),
            Self::Exponentials(sum) => sum.rows(),
        };
        rows * size_of::<T>()
    }

    /// Writes the memory of the rows before `u` to `sum` and takes `u` in.
    #[inline(always)]
    pub(in crate::sde) fn step(&self, past: &mut Past<T>, u: &[T], sum: &mut [T]) {
        match (self, past) {
            (Self::Direct(weights), Past::Direct(rows)) => {
                sum.fill(T::zero());
                let newest_first = rows.chunks_exact(u.len()).rev();
                add_weighted(weights.iter().copied().zip(newest_first), sum);
                // The last row would be of use to nobody.
                if rows.len() < rows.capacity() {
                    rows.extend_from_slice(u);
                }
            }
            (Self::Exponentials(of), Past::Exponentials(rows)) => of.step(rows, u, sum),
            _ => {}
        }
    }
}
