//! Tridiagonal matrices, with corners for periodic axes, and their factorisation.

use crate::Result;
use crate::error::{require, require_len};
use crate::scalar::Scalar;

/// Tridiagonal matrix with corners: row i is `lower[i] x_(i-1) + diagonal[i] x_i + upper[i] x_(i+1)`.
///
/// `lower[0]` couples the first value to the last one, `upper[n - 1]` the last to the first. The
/// three vectors have n values each.
///
/// ```
/// use hpfracc_spatial::Tridiagonal;
///
/// let matrix = Tridiagonal {
///     lower: vec![0.0, -1.0, -1.0],
///     diagonal: vec![2.0; 3],
///     upper: vec![-1.0, -1.0, 0.0],
/// };
/// let mut x = [1.0, 0.0, 1.0];
/// matrix.factors()?.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-15));
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tridiagonal {
    /// Entries below the diagonal.
    pub lower: Vec<f64>,
    /// Entries of the diagonal.
    pub diagonal: Vec<f64>,
    /// Entries above the diagonal.
    pub upper: Vec<f64>,
}

/// LU factors of a [`Tridiagonal`] matrix, with partial pivoting.
pub struct TridiagonalFactors(Factors<f64>);

impl TridiagonalFactors {
    /// Overwrites the right-hand side b of `A x = b` with x.
    ///
    /// # Panics
    /// If x has not n values.
    pub fn solve(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.0.len(), "values of the right-hand side");
        self.0.solve(x);
    }
}

impl Tridiagonal {
    /// LU factors, in n operations.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) if the matrix is singular or has fewer than 3
    /// rows, [`Length`](crate::SpatialError::Length) if the vectors differ in length.
    pub fn factors(&self) -> Result<TridiagonalFactors> {
        let n = self.len();
        require(n >= 3, "the number of rows of a tridiagonal matrix", n as f64, "at least 3")?;
        require_len("lower entries", self.lower.len(), n)?;
        require_len("upper entries", self.upper.len(), n)?;
        Ok(TridiagonalFactors(self.factor(0.0)?))
    }
}

impl Tridiagonal {
    pub(crate) fn zeros(n: usize) -> Self {
        Self { lower: vec![0.0; n], diagonal: vec![0.0; n], upper: vec![0.0; n] }
    }

    pub(crate) fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn is_cyclic(&self) -> bool {
        self.lower[0] != 0.0 || self.upper[self.len() - 1] != 0.0
    }

    /// Writes `y = A x`.
    pub(crate) fn apply(&self, x: &[f64], y: &mut [f64]) {
        let n = self.len();
        for i in 0..n {
            let (before, after) =
                (if i == 0 { n - 1 } else { i - 1 }, if i + 1 == n { 0 } else { i + 1 });
            y[i] = self.lower[i] * x[before] + self.diagonal[i] * x[i] + self.upper[i] * x[after];
        }
    }

    /// The transposed matrix.
    pub(crate) fn transposed(&self) -> Self {
        let mut upper = self.lower.clone();
        upper.rotate_left(1);
        let mut lower = self.upper.clone();
        lower.rotate_right(1);
        Self { lower, diagonal: self.diagonal.clone(), upper }
    }

    /// Factors of `z + A`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) if a pivot is 0.
    pub(crate) fn factor<T: Scalar>(&self, z: T) -> Result<Factors<T>> {
        let n = self.len();
        if !self.is_cyclic() {
            return Ok(Factors { banded: Banded::new(self, z, n)?, border: None });
        }
        // The last value is eliminated by its own equation.
        let banded = Banded::new(self, z, n - 1)?;
        let mut column = vec![T::default(); n - 1];
        column[0] += T::from(self.lower[0]);
        column[n - 2] += T::from(self.upper[n - 2]);
        banded.solve(&mut column);
        let row = [self.upper[n - 1], self.lower[n - 1]];
        let pivot = z + T::from(self.diagonal[n - 1])
            - column[0].scale(row[0])
            - column[n - 2].scale(row[1]);
        check_pivot(pivot)?;
        let inverse = T::from(1.0) / pivot;
        Ok(Factors { banded, border: Some(Border { column, row, inverse }) })
    }
}

fn check_pivot<T: Scalar>(pivot: T) -> Result<()> {
    let size = pivot.norm_sqr();
    let holds = size > 0.0 && size.is_finite();
    require(
        holds,
        "a pivot of a shifted operator",
        size.sqrt(),
        "not 0: the shift is no eigenvalue",
    )
}

/// Factors of a shifted tridiagonal matrix.
pub(crate) struct Factors<T> {
    banded: Banded<T>,
    border: Option<Border<T>>,
}

/// The last row and column of a cyclic matrix: the column multiplied by the inverse of the rest,
/// the first and last entry of the row, and the inverse of the Schur complement.
struct Border<T> {
    column: Vec<T>,
    row: [f64; 2],
    inverse: T,
}

impl<T: Scalar> Factors<T> {
    fn len(&self) -> usize {
        self.banded.inverses.len() + usize::from(self.border.is_some())
    }

    /// Overwrites a right-hand side with the solution.
    pub(crate) fn solve(&self, x: &mut [T]) {
        let Some(border) = &self.border else {
            return self.banded.solve(x);
        };
        let n = x.len();
        let (rest, last) = x.split_at_mut(n - 1);
        self.banded.solve(rest);
        let [first_entry, last_entry] = border.row;
        let value =
            (last[0] - rest[0].scale(first_entry) - rest[n - 2].scale(last_entry)) * border.inverse;
        last[0] = value;
        rest.iter_mut().zip(&border.column).for_each(|(x, c)| *x -= *c * value);
    }
}

/// LU factors with partial pivoting: the upper factor has two diagonals above its own.
struct Banded<T> {
    /// Multiplier of the elimination of each row but the first.
    multipliers: Vec<T>,
    /// Reciprocal pivots.
    inverses: Vec<T>,
    upper: Vec<T>,
    /// The second diagonal above, and whether a row was swapped with the next. Empty without swaps.
    swaps: Vec<(bool, T)>,
}

impl<T: Scalar> Banded<T> {
    /// Factors of the leading n rows and columns.
    fn new(a: &Tridiagonal, z: T, n: usize) -> Result<Self> {
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
        if !swaps.iter().any(|(swap, _)| *swap) {
            swaps.clear();
        }
        Ok(Self { multipliers, inverses, upper, swaps })
    }

    fn solve(&self, x: &mut [T]) {
        if self.swaps.is_empty() { self.solve_in_order(x) } else { self.solve_swapped(x) }
    }

    fn solve_in_order(&self, x: &mut [T]) {
        let mut value = x[0];
        for (x, m) in x[1..].iter_mut().zip(&self.multipliers) {
            value = *x - *m * value;
            *x = value;
        }
        value = T::default();
        for ((x, u), inverse) in x.iter_mut().zip(&self.upper).zip(&self.inverses).rev() {
            value = (*x - *u * value) * *inverse;
            *x = value;
        }
    }

    fn solve_swapped(&self, x: &mut [T]) {
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
