use super::conjugate_gradient::shifted_conjugate_gradients;
use super::{RealMaps, Stopping, solve_parts};
use crate::error::{require, require_len};
use crate::operator::require_self_adjoint;
use crate::{NullSpace, Result, ShiftedSolver, SpatialOperator};
use num_complex::Complex64;

/// Solves `(z + A) x = b` by conjugate gradients, for an operator A that is self-adjoint in its
/// weights. Operators without a faster solver return it from [`shifted`](SpatialOperator::shifted).
///
/// The initial guess is 0. For a complex z it is the method without conjugation (COCG), for the real
/// and the imaginary part of b one after the other. Source: H. A. van der Vorst, J. B. M. Melissen,
/// IEEE Trans. Magn. 26 (1990) 706, doi:10.1109/20.106415.
///
/// ```
/// use hpfracc_spatial::{
///     Complex64, Graph, GraphLaplacian, IterativeSolver, ShiftedSolver, Stopping,
/// };
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(3)?)?;
/// let stopping = Stopping { tolerance: 1e-10, iterations: 100 };
/// let solver = IterativeSolver::new(&laplacian, Complex64::I, None, stopping)?;
/// let mut x = [2.0, -1.0, -1.0].map(Complex64::from); // an eigenvector of the eigenvalue 3
/// solver.solve(&mut x)?;
/// assert!((x[0] - 2.0 / Complex64::new(3.0, 1.0)).norm() < 1e-10);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
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
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for a real z below 0, for 0 if A is singular,
    /// and for a bad stopping rule; [`Unsupported`](crate::SpatialError::Unsupported) for an operator
    /// that is not self-adjoint; [`Length`](crate::SpatialError::Length) for the diagonal.
    pub fn new(
        operator: &'a dyn SpatialOperator,
        z: Complex64,
        diagonal: Option<&'a [f64]>,
        stopping: Stopping,
    ) -> Result<Self> {
        require_self_adjoint(operator, "conjugate gradients")?;
        require(z.is_finite(), "modulus of the shift z", z.norm(), "a finite number")?;
        require(z.im != 0.0 || z.re >= 0.0, "real shift z", z.re, "at least 0")?;
        let zero = z.norm() == 0.0;
        let singular = zero && operator.spectrum().null_space != NullSpace::Zero;
        require(!singular, "shift z of a singular operator", 0.0, "a number other than 0")?;
        let n = operator.len();
        require_len("diagonal", diagonal.map_or(n, <[f64]>::len), n)?;
        Ok(Self { operator, z, diagonal, stopping: stopping.checked()? })
    }

    fn solve_in_place<T: RealMaps>(&self, x: &mut [T]) -> Result<()> {
        let Self { operator, z, diagonal, stopping } = *self;
        let b = x.to_vec();
        x.fill(T::default());
        shifted_conjugate_gradients(operator, z, diagonal, &b, x, stopping).map(drop)
    }
}

impl ShiftedSolver for IterativeSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        if self.z.im == 0.0 {
            solve_parts(x, |part: &mut [f64]| self.solve_in_place(part))
        } else {
            solve_parts(x, |part: &mut [Complex64]| self.solve_in_place(part))
        }
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of z", self.z.im, "0 in a real solve")?;
        self.solve_in_place(x)
    }
}
