//! Shifted solves `(z + A) x = b` of all operators here: a Krylov method with the sine
//! preconditioner.

use super::krylov::{Iterations, Limits, Scalar, conjugate_gradient, gmres};
use crate::error::require;
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
    /// Field of coefficients, times [`scale`](Self::scale); overwrites the coefficients.
    fn to_values(&self, modes: &mut [f64], x: &mut [f64]);
    /// Factor after which the two transforms are inverse to each other.
    fn scale(&self) -> f64;
    /// Eigenvalues of the preconditioner.
    fn eigenvalues(&self) -> &[f64];
    /// Whether A is symmetric: conjugate gradients in place of GMRES.
    fn symmetric(&self) -> bool;
    /// Tolerance and number of iterations.
    fn limits(&self) -> Limits;
    /// A bound that the spectrum of the symmetric part exceeds, or 0.
    fn lower_bound(&self) -> f64;
}

/// Numbers whose fields are one or two real ones.
pub(crate) trait Field: Scalar {
    /// Applies a real linear map to a field.
    fn map(x: &[Self], y: &mut [Self], map: impl FnMut(&[f64], &mut [f64]));
    /// Writes `y = S (z + eigenvalues)^-1 S x`.
    fn precondition<A: Preconditioned + ?Sized>(of: &A, z: Complex64, x: &[Self], y: &mut [Self]);
    /// The shift as a number of this type.
    fn shift(z: Complex64) -> Self;
}

impl Field for f64 {
    fn map(x: &[Self], y: &mut [Self], mut map: impl FnMut(&[f64], &mut [f64])) {
        map(x, y);
    }

    fn precondition<A: Preconditioned + ?Sized>(of: &A, z: Complex64, x: &[Self], y: &mut [Self]) {
        let mut modes = vec![0.0; of.mode_count()];
        of.to_modes(x, &mut modes);
        let scale = of.scale();
        for (mode, eigenvalue) in modes.iter_mut().zip(of.eigenvalues()) {
            *mode *= scale / (z.re + eigenvalue);
        }
        of.to_values(&mut modes, y);
    }

    fn shift(z: Complex64) -> Self {
        z.re
    }
}

impl Field for Complex64 {
    fn map(x: &[Self], y: &mut [Self], mut map: impl FnMut(&[f64], &mut [f64])) {
        let (mut part, mut image) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        part.iter_mut().zip(x).for_each(|(part, x)| *part = x.re);
        map(&part, &mut image);
        y.iter_mut().zip(&image).for_each(|(y, image)| y.re = *image);
        part.iter_mut().zip(x).for_each(|(part, x)| *part = x.im);
        map(&part, &mut image);
        y.iter_mut().zip(&image).for_each(|(y, image)| y.im = *image);
    }

    fn precondition<A: Preconditioned + ?Sized>(of: &A, z: Complex64, x: &[Self], y: &mut [Self]) {
        let [mut re, mut im] = [(); 2].map(|()| vec![0.0; of.mode_count()]);
        let mut part: Vec<f64> = x.iter().map(|x| x.re).collect();
        of.to_modes(&part, &mut re);
        part.iter_mut().zip(x).for_each(|(part, x)| *part = x.im);
        of.to_modes(&part, &mut im);
        let scale = of.scale();
        for ((re, im), eigenvalue) in re.iter_mut().zip(&mut im).zip(of.eigenvalues()) {
            let quotient = Complex64::new(*re, *im) * scale / (z + eigenvalue);
            (*re, *im) = (quotient.re, quotient.im);
        }
        of.to_values(&mut re, &mut part);
        y.iter_mut().zip(&part).for_each(|(y, part)| y.re = *part);
        of.to_values(&mut im, &mut part);
        y.iter_mut().zip(&part).for_each(|(y, part)| y.im = *part);
    }

    fn shift(z: Complex64) -> Self {
        z
    }
}

/// Solves `(z + A) x = b`.
pub(crate) fn solve<A: Preconditioned + ?Sized, T: Field>(
    operator: &A,
    z: Complex64,
    b: &[T],
    x: &mut [T],
) -> Result<Iterations> {
    let shift = T::shift(z);
    let apply = |x: &[T], y: &mut [T]| {
        T::map(x, y, |x, y| operator.multiply(x, y));
        y.iter_mut().zip(x).for_each(|(y, x)| *y = *y + shift * *x);
    };
    let precondition = |x: &[T], y: &mut [T]| T::precondition(operator, z, x, y);
    if operator.symmetric() {
        conjugate_gradient(apply, precondition, b, x, operator.limits())
    } else {
        gmres(apply, precondition, b, x, operator.limits())
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
}

impl<A: Preconditioned + ?Sized> ShiftedSolver for KrylovSolver<'_, A> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        let b = x.to_vec();
        solve(self.operator, self.z, &b, x).map(drop)
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "imaginary part of the shift", self.z.im, "0 for real fields")?;
        let b = x.to_vec();
        solve(self.operator, self.z, &b, x).map(drop)
    }
}

/// Solution of `A u = f`.
#[derive(Debug, Clone, PartialEq)]
pub struct PoissonSolution {
    /// Values of u at the nodes.
    pub values: Vec<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// Norm of the residual, relative to that of f, as the iteration updates it.
    pub residual: f64,
}

/// Solves `A u = f` after checks of f.
pub(crate) fn poisson<A: Preconditioned>(operator: &A, f: &[f64]) -> Result<PoissonSolution> {
    check_field("right-hand side f", f, operator.size())?;
    let mut values = vec![0.0; f.len()];
    let Iterations { count, residual } = solve(operator, Complex64::default(), f, &mut values)?;
    Ok(PoissonSolution { values, iterations: count, residual })
}

/// Refuses a field of another length than the operator's, and values that are not finite.
pub(crate) fn check_field(what: &'static str, x: &[f64], expected: usize) -> Result<()> {
    if x.len() != expected {
        return Err(SpatialError::Length { what, found: x.len(), expected });
    }
    match x.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(SpatialError::NotFinite { what, index, value: x[index] }),
        None => Ok(()),
    }
}

/// Checks the tolerance and the number of iterations of a solver.
pub(crate) fn checked_limits(tolerance: f64, max_iterations: usize) -> Result<Limits> {
    let inside = tolerance > 0.0 && tolerance < 1.0;
    require(inside, "tolerance of the residual", tolerance, "above 0 and below 1")?;
    require(max_iterations > 0, "number of iterations", max_iterations as f64, "at least 1")?;
    Ok(Limits { tolerance, max_iterations })
}

/// Checks the order of a Laplacian.
pub(crate) fn check_order(alpha: f64) -> Result<()> {
    require(alpha > 0.0 && alpha < 2.0, "order alpha", alpha, "above 0 and below 2")
}
