//! Shifted solves with tridiagonal matrices.

use crate::error::require;
use crate::tridiagonal::{Factors, Tridiagonal};
use crate::{Result, ShiftedSolver};
use num_complex::Complex64;

/// Solver of `(z + A) x = b` for a tridiagonal A.
pub(crate) enum TridiagonalSolver {
    Real(Factors<f64>),
    Complex { factors: Factors<Complex64>, imaginary_part: f64 },
}

impl TridiagonalSolver {
    /// Factors of `z + A`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) if a pivot is 0.
    pub(crate) fn new(matrix: &Tridiagonal, z: Complex64) -> Result<Self> {
        Ok(if z.im == 0.0 {
            Self::Real(matrix.factor(z.re)?)
        } else {
            Self::Complex { factors: matrix.factor(z)?, imaginary_part: z.im }
        })
    }
}

impl ShiftedSolver for TridiagonalSolver {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        match self {
            Self::Complex { factors, .. } => factors.solve(x),
            Self::Real(factors) => {
                let mut re: Vec<f64> = x.iter().map(|x| x.re).collect();
                let mut im: Vec<f64> = x.iter().map(|x| x.im).collect();
                factors.solve(&mut re);
                factors.solve(&mut im);
                for (x, (re, im)) in x.iter_mut().zip(re.into_iter().zip(im)) {
                    *x = Complex64::new(re, im);
                }
            }
        }
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        match self {
            Self::Real(factors) => {
                factors.solve(x);
                Ok(())
            }
            Self::Complex { imaginary_part, .. } => {
                require(false, "the imaginary part of a shift", *imaginary_part, "0")
            }
        }
    }
}
