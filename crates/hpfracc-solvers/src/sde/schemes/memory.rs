//! The memory of a tile of paths: `sum_{m >= 1} w_m u_{n-m}` for each lane, one row at a time.

use crate::SolveError;
use crate::error::out_of_range;
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
pub(super) enum Weights<T> {
    /// By lag, from 1.
    Direct(Vec<T>),
    /// `w_m = sum_k factor_k (1 - loss_k)^(m-1)`
    Exponentials { losses: Vec<T>, factors: Vec<T> },
}

/// What the memory of a component knows of a tile.
#[derive(Debug, Clone)]
pub(super) enum Past<T> {
    /// All rows so far.
    Direct(Vec<T>),
    /// One row for each exponential.
    Exponentials(Vec<T>),
}

impl<T: Real> Weights<T> {
    /// Of `b_m = h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)`, the cells of the kernel.
    pub(super) fn of_cells(
        memory: PathMemory,
        cells: &[f64],
        (alpha, h): (f64, f64),
    ) -> Result<Self, SolveError> {
        let narrow = |v: Vec<f64>| v.into_iter().map(T::narrow).collect();
        let PathMemory::Exponentials { tolerance } = memory else {
            return Ok(Self::Direct(narrow(cells.iter().skip(1).copied().collect())));
        };
        if !(1e-12..=1e-2).contains(&tolerance) {
            let what = "the tolerance of a memory";
            return Err(out_of_range(what, tolerance, "1e-12 to 1e-2"));
        }
        // The first cell is exact elsewhere: lags reach from h to n h.
        let longest = h * cells.len().max(2) as f64;
        let power = SumOfExponentials::of_power(1.0 - alpha, (h, longest), tolerance)?;
        let losses = power.rates().iter().map(|p| -(-p * h).exp_m1()).collect();
        let scale = recip_gamma(alpha);
        let decays = power.decays(h);
        let factors = power.cells(h).into_iter().zip(decays).map(|(c, decay)| scale * c * decay);
        Ok(Self::Exponentials { losses: narrow(losses), factors: narrow(factors.collect()) })
    }

    pub(super) fn start(&self, lanes: usize) -> Past<T> {
        match self {
            Self::Direct(weights) => Past::Direct(Vec::with_capacity(weights.len() * lanes)),
            Self::Exponentials { losses, .. } => {
                Past::Exponentials(vec![T::zero(); losses.len() * lanes])
            }
        }
    }

    /// Writes the memory of the rows before `u` to `sum` and takes `u` in.
    #[inline(always)]
    pub(super) fn step(&self, past: &mut Past<T>, u: &[T], sum: &mut [T]) {
        match (self, past) {
            (Self::Direct(weights), Past::Direct(rows)) => {
                sum.fill(T::zero());
                for (row, weight) in rows.chunks_exact(u.len()).rev().zip(weights) {
                    for (sum, u) in sum.iter_mut().zip(row) {
                        *sum += *weight * *u;
                    }
                }
                rows.extend_from_slice(u);
            }
            (Self::Exponentials { losses, factors }, Past::Exponentials(rows)) => {
                exponentials(losses, factors, rows, u, sum);
            }
            _ => {}
        }
    }
}

/// All lanes: most of them many at a time, so that the sums of the exponentials stay in registers.
#[inline(always)]
fn exponentials<T: Real>(losses: &[T], factors: &[T], rows: &mut [T], u: &[T], sum: &mut [T]) {
    let mut at = 0;
    while at + 64 <= u.len() {
        some_lanes::<T, 64>((losses, factors), rows, at, u, sum);
        at += 64;
    }
    while at + 16 <= u.len() {
        some_lanes::<T, 16>((losses, factors), rows, at, u, sum);
        at += 16;
    }
    for at in at..u.len() {
        some_lanes::<T, 1>((losses, factors), rows, at, u, sum);
    }
}

/// The lanes `at` to `at + W`: z <- z + (u - loss z), which loses nothing where the loss is tiny.
#[inline(always)]
fn some_lanes<T: Real, const W: usize>(
    (losses, factors): (&[T], &[T]),
    rows: &mut [T],
    at: usize,
    u: &[T],
    sum: &mut [T],
) {
    let lanes = u.len();
    let (mut now, mut total) = ([T::zero(); W], [T::zero(); W]);
    now.copy_from_slice(&u[at..at + W]);
    for (k, (loss, factor)) in losses.iter().zip(factors).enumerate() {
        let row = &mut rows[k * lanes + at..][..W];
        for ((z, u), total) in row.iter_mut().zip(&now).zip(&mut total) {
            *total += *factor * *z;
            *z += *u - *loss * *z;
        }
    }
    sum[at..at + W].copy_from_slice(&total);
}
