//! Tridiagonal matrices, with corners for periodic axes, and their factorisation.

mod both_ends;
mod pivoted;

use crate::Result;
use crate::error::{require, require_len};
use crate::scalar::Scalar;
use both_ends::BothEnds;
use pivoted::Pivoted;

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

/// Factors of a matrix without corners.
enum Banded<T> {
    BothEnds(Box<BothEnds<T>>),
    Pivoted(Pivoted<T>),
}

impl<T: Scalar> Banded<T> {
    /// Factors of the leading n rows and columns.
    fn new(a: &Tridiagonal, z: T, n: usize) -> Result<Self> {
        match BothEnds::new(a, z, n) {
            Some(factors) => Ok(Self::BothEnds(Box::new(factors))),
            None => Ok(Self::Pivoted(Pivoted::new(a, z, n)?)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::BothEnds(factors) => factors.len(),
            Self::Pivoted(factors) => factors.len(),
        }
    }

    fn solve(&self, x: &mut [T]) {
        match self {
            Self::BothEnds(factors) => factors.solve(x),
            Self::Pivoted(factors) => factors.solve(x),
        }
    }
}

impl<T: Scalar> Factors<T> {
    fn len(&self) -> usize {
        self.banded.len() + usize::from(self.border.is_some())
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

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex64;

    /// Numbers in (-1, 1) without order.
    fn numbers(n: usize, seed: usize) -> Vec<f64> {
        (0..n).map(|i| (1.7 * (i * i + 31 * i + 7 * seed + 1) as f64).sin()).collect()
    }

    fn matrix(n: usize, diagonal: f64, is_cyclic: bool) -> Tridiagonal {
        let (mut lower, mut upper) = (numbers(n, 1), numbers(n, 2));
        if !is_cyclic {
            (lower[0], upper[n - 1]) = (0.0, 0.0);
        }
        let diagonal = numbers(n, 3).iter().map(|d| d + diagonal).collect();
        Tridiagonal { lower, diagonal, upper }
    }

    /// Largest error of the solution of `(z + A) x = b` with b made from x.
    fn error(a: &Tridiagonal, z: Complex64, is_dominant: bool) -> f64 {
        let n = a.len();
        let factors = a.factor(z).unwrap();
        assert_eq!(matches!(factors.banded, Banded::BothEnds(_)), is_dominant);
        let x = numbers(n, 4);
        let mut product = vec![0.0; n];
        a.apply(&x, &mut product);
        let mut found: Vec<_> = product.iter().zip(&x).map(|(p, x)| z * x + p).collect();
        factors.solve(&mut found);
        let errors = found.iter().zip(&x).map(|(found, x)| (found - x).norm());
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn systems_of_any_size_are_solved_from_both_ends_or_with_pivoting() {
        let z = Complex64::new(0.1, 0.2);
        for is_cyclic in [false, true] {
            for n in 3..40 {
                let dominant = error(&matrix(n, 4.0, is_cyclic), z, true);
                assert!(dominant < 1e-14, "{n} rows: {dominant:e}");
            }
            for n in [20, 21, 38, 39] {
                let indefinite = error(&matrix(n, 0.0, is_cyclic), z, false);
                assert!(indefinite < 1e-11, "{n} rows: {indefinite:e}");
            }
        }
    }

    #[test]
    fn a_pivot_of_zero_in_the_middle_is_no_number() {
        let mut a = matrix(7, 4.0, false);
        (a.lower, a.upper) = (vec![0.0; 7], vec![0.0; 7]);
        a.diagonal[3] = 0.0;
        assert!(a.factors().is_err());
        assert!(a.factor(1.0).is_ok());
    }
}
