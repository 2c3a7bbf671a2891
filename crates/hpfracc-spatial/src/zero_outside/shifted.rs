//! Shifted solves `(z + A) x = b` of all operators here: a Krylov method with the sine
//! preconditioner.

use crate::error::{require, require_finite, require_len};
use crate::krylov::reductions::{axpy, norm, update};
use crate::krylov::{
    Convergence, Gmres, Parts, RealMaps, Stopping, preconditioned_conjugate_gradients, solve_parts,
};
use crate::{Result, ShiftedSolver, SpatialError};
use num_complex::Complex64;

/// Operator A with a preconditioner that sines diagonalise.
pub(crate) trait Preconditioned: Send + Sync {
    /// Number of values of a field.
    fn size(&self) -> usize;
    /// `y = A x`.
    fn multiply(&self, x: &[f64], y: &mut [f64]);
    /// Number of sines.
    fn mode_count(&self) -> usize {
        self.eigenvalues().len()
    }
    /// Coefficients of a field in sines.
    fn to_modes(&self, x: &[f64], modes: &mut [f64]);
    /// Field of coefficients, without [`scale`](Self::scale).
    fn to_values(&self, modes: &[f64], x: &mut [f64]);
    /// Factor after which the two transforms are inverse to each other.
    fn scale(&self) -> f64;
    /// Eigenvalues of the preconditioner.
    fn eigenvalues(&self) -> &[f64];
    /// Whether A is symmetric: conjugate gradients in place of GMRES.
    fn symmetric(&self) -> bool;
    /// When solves stop.
    fn stopping(&self) -> Stopping;
    /// A bound that the spectrum of the symmetric part exceeds, or 0.
    fn lower_bound(&self) -> f64;
    /// A bound of the moduli of the eigenvalues.
    fn upper_bound(&self) -> f64;
}

/// Solves `(z + A) x = b`.
pub(crate) fn solve<A: Preconditioned + ?Sized, T: RealMaps>(
    operator: &A,
    z: Complex64,
    b: &[T],
    x: &mut [T],
) -> Result<Convergence> {
    let (z, scale, eigenvalues) = (T::of_shift(z), operator.scale(), operator.eigenvalues());
    let [mut parts, mut parts_of_modes] = [Parts::default(), Parts::default()];
    let mut modes = vec![T::default(); operator.mode_count()];
    let apply = |x: &[T], y: &mut [T]| {
        T::map(x, y, &mut parts, |x, y| operator.multiply(x, y));
        axpy(z, x, y);
    };
    let mut precondition = |x: &[T], y: &mut [T]| {
        T::map(x, &mut modes, &mut parts_of_modes, |x, modes| operator.to_modes(x, modes));
        update(&mut modes, |i, mode| *mode = mode.scale(scale) / (z + eigenvalues[i].into()));
        T::map(&modes, y, &mut parts_of_modes, |modes, y| operator.to_values(modes, y));
    };
    if operator.symmetric() {
        x.fill(T::default());
        let precondition = |x: &[T], y: &mut [T]| {
            precondition(x, y);
            Ok(())
        };
        preconditioned_conjugate_gradients(None, apply, precondition, b, x, operator.stopping())
    } else {
        let done = Gmres::default().solve(apply, precondition, b, x, operator.stopping());
        let size = z.norm_sqr().sqrt() + operator.upper_bound();
        at_rounding(done, norm(b), ROUNDING * size * norm(x))
    }
}

/// Backward error that is taken for the rounding of products, relative to the bound of the matrix.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The state of GMRES, if it has converged or its residual is at most the rounding of a product:
/// smaller tolerances are out of reach.
fn at_rounding(done: Result<Convergence>, size: f64, rounding: f64) -> Result<Convergence> {
    match done {
        Err(SpatialError::NotConverged { iterations, residual, .. })
            if residual * size <= rounding =>
        {
            Ok(Convergence { iterations, residual })
        }
        done => done,
    }
}

/// The operator with a shift.
pub(crate) struct KrylovSolver<'a, A: ?Sized> {
    operator: &'a A,
    z: Complex64,
}

impl<'a, A: Preconditioned + ?Sized> KrylovSolver<'a, A> {
    pub(crate) fn new(operator: &'a A, z: Complex64) -> Result<Self> {
        let finite = z.re.is_finite() && z.im.is_finite();
        require(finite, "shift z", if z.re.is_finite() { z.im } else { z.re }, "finite numbers")?;
        let definite = z.im != 0.0 || z.re > -operator.lower_bound() || z.re == 0.0;
        require(definite, "real shift z", z.re, "z above minus the lower bound of the spectrum")?;
        Ok(Self { operator, z })
    }

    fn solve_in_place<T: RealMaps>(&self, x: &mut [T]) -> Result<()> {
        let b = x.to_vec();
        solve(self.operator, self.z, &b, x).map(drop)
    }
}

impl<A: Preconditioned + ?Sized> ShiftedSolver for KrylovSolver<'_, A> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        if self.z.im == 0.0 {
            solve_parts(x, |part: &mut [f64]| self.solve_in_place(part))
        } else {
            solve_parts(x, |part: &mut [Complex64]| self.solve_in_place(part))
        }
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of the shift", self.z.im, "0 for real fields")?;
        self.solve_in_place(x)
    }
}

/// Solution of `A u = f`.
#[derive(Debug, Clone, PartialEq)]
pub struct PoissonSolution {
    /// Values of u at the nodes.
    pub values: Vec<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// Norm of the residual, relative to that of f: as conjugate gradients update it, or by its
    /// definition for GMRES, where it may exceed the tolerance by the rounding of `A u`.
    pub residual: f64,
}

/// Solves `A u = f` after checks of f.
pub(crate) fn poisson<A: Preconditioned>(operator: &A, f: &[f64]) -> Result<PoissonSolution> {
    check_field("right-hand side f", f, operator.size())?;
    let mut values = vec![0.0; f.len()];
    let Convergence { iterations, residual } = solve(operator, Complex64::ZERO, f, &mut values)?;
    Ok(PoissonSolution { values, iterations, residual })
}

/// Refuses a field of another length than the operator's, and values that are not finite.
pub(crate) fn check_field(what: &'static str, x: &[f64], expected: usize) -> Result<()> {
    require_len(what, x.len(), expected)?;
    require_finite(what, x)
}

/// Checks the order of a Laplacian.
pub(crate) fn check_order(alpha: f64) -> Result<()> {
    require(alpha > 0.0 && alpha < 2.0, "order alpha", alpha, "above 0 and below 2")
}
