//! Elimination with partial pivoting.

use super::{Tridiagonal, check_pivot};
use crate::Result;
use crate::scalar::Scalar;

/// LU factors with partial pivoting: the upper factor has two diagonals above its own.
pub(super) struct Pivoted<T> {
    /// Multiplier of the elimination of each row but the first.
    multipliers: Vec<T>,
    /// Reciprocal pivots.
    inverses: Vec<T>,
    upper: Vec<T>,
    /// The second diagonal above, and whether a row was swapped with the next.
    swaps: Vec<(bool, T)>,
}

impl<T: Scalar> Pivoted<T> {
    /// Factors of the leading n rows and columns.
    pub(super) fn new(a: &Tridiagonal, z: T, n: usize) -> Result<Self> {
        let mut multipliers = Vec::with_capacity(n - 1);
        let mut inverses = Vec::with_capacity(n);
        let mut upper = Vec::with_capacity(n);
        let mut swaps = Vec::with_capacity(n - 1);
        let mut pivot = z + T::from(a.diagonal[0]);
        let mut above = T::from(a.upper[0]);
        for i in 1..n {
            let below = T::from(a.lower[i]);
            let (diagonal, next) = (z + T::from(a.diagonal[i]), T::from(a.upper[i]));
            let swap = below.norm_sqr() > pivot.norm_sqr();
            if swap {
                let multiplier = pivot / below;
                multipliers.push(multiplier);
                inverses.push(T::from(1.0) / below);
                upper.push(diagonal);
                swaps.push((true, next));
                (pivot, above) = (above - multiplier * diagonal, -(multiplier * next));
            } else {
                check_pivot(pivot)?;
                let inverse = T::from(1.0) / pivot;
                let multiplier = below * inverse;
                multipliers.push(multiplier);
                inverses.push(inverse);
                upper.push(above);
                swaps.push((false, T::default()));
                (pivot, above) = (diagonal - multiplier * above, next);
            }
        }
        check_pivot(pivot)?;
        inverses.push(T::from(1.0) / pivot);
        upper.push(T::default());
        Ok(Self { multipliers, inverses, upper, swaps })
    }

    pub(super) fn len(&self) -> usize {
        self.inverses.len()
    }

    pub(super) fn solve(&self, x: &mut [T]) {
        let n = x.len();
        for i in 0..n - 1 {
            if self.swaps[i].0 {
                x.swap(i, i + 1);
            }
            let eliminated = self.multipliers[i] * x[i];
            x[i + 1] -= eliminated;
        }
        for i in (0..n).rev() {
            let mut value = x[i];
            if i + 1 < n {
                value -= self.upper[i] * x[i + 1];
            }
            if i + 2 < n {
                value -= self.swaps[i].1 * x[i + 2];
            }
            x[i] = value * self.inverses[i];
        }
    }
}
