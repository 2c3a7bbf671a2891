use crate::error::require;
use crate::solve::{Stopping, complex_conjugate_gradients, conjugate_gradients};
use crate::{NullSpace, Result, ShiftedSolver, SpatialOperator};
use num_complex::Complex64;

/// Solves `(z + A) x = b` by [`conjugate_gradients`] for a real z > 0, and by
/// [`complex_conjugate_gradients`] for a complex one. The initial guess is 0.
pub struct IterativeSolver<'a> {
    operator: &'a dyn SpatialOperator,
    z: Complex64,
    diagonal: Option<&'a [f64]>,
    stopping: Stopping,
}

impl<'a> IterativeSolver<'a> {
    /// Solver for the shift z. `diagonal` is that of A, for the Jacobi preconditioner.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for a real z below 0, and for 0 if A is
    /// singular.
    pub fn new(
        operator: &'a dyn SpatialOperator,
        z: Complex64,
        diagonal: Option<&'a [f64]>,
        stopping: Stopping,
    ) -> Result<Self> {
        require(z.is_finite(), "modulus of the shift z", z.norm(), "a finite number")?;
        require(z.im != 0.0 || z.re >= 0.0, "real shift z", z.re, "at least 0")?;
        let zero = z.norm() == 0.0;
        let singular = zero && operator.spectrum().null_space != NullSpace::Zero;
        require(!singular, "shift z of a singular operator", 0.0, "a number other than 0")?;
        Ok(Self { operator, z, diagonal, stopping })
    }
}

impl ShiftedSolver for IterativeSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        let (z, diagonal) = (self.z, self.diagonal);
        complex_conjugate_gradients(self.operator, z, diagonal, x, self.stopping).map(drop)
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of z", self.z.im, "0 in a real solve")?;
        let b = x.to_vec();
        x.fill(0.0);
        let (z, diagonal) = (self.z.re, self.diagonal);
        conjugate_gradients(self.operator, z, diagonal, &b, x, self.stopping).map(drop)
    }
}
