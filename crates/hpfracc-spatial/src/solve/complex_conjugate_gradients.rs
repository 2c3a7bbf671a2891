use crate::error::{require, require_len};
use crate::solve::reductions::{complex_dot, complex_norm, update};
use crate::solve::{Convergence, Stopping};
use crate::{Result, SpatialError, SpatialOperator};
use num_complex::Complex64;

/// Solves `(z + A) x = b` for a complex z by the conjugate orthogonal conjugate gradient method
/// (COCG): conjugate gradients with the bilinear form `sum_i w_i x_i y_i` without conjugation, for
/// which `z + A` is symmetric.
///
/// b is overwritten with the solution; `diagonal` is that of A, for the Jacobi preconditioner. Cost:
/// two real products with A an iteration. Source: H. A. van der Vorst, J. B. M. Melissen, IEEE
/// Trans. Magn. 26 (1990) 706, doi:10.1109/20.106415.
///
/// # Errors
/// [`OutOfRange`](SpatialError::OutOfRange) for a z that is NaN, infinite, or real and negative,
/// [`Length`](SpatialError::Length) for b, [`NotConverged`](SpatialError::NotConverged) after the
/// largest number of iterations or at a breakdown.
pub fn complex_conjugate_gradients<A: SpatialOperator + ?Sized>(
    operator: &A,
    z: Complex64,
    diagonal: Option<&[f64]>,
    b: &mut [Complex64],
    stopping: Stopping,
) -> Result<Convergence> {
    let n = operator.len();
    require_len("right-hand side b", b.len(), n)?;
    require(z.is_finite(), "modulus of the shift z", z.norm(), "a finite number")?;
    require(z.im != 0.0 || z.re >= 0.0, "real shift z", z.re, "at least 0")?;
    let weights = operator.weights();
    let size = complex_norm(weights, b);
    let mut residual = b.to_vec();
    b.fill(Complex64::ZERO);
    if size == 0.0 {
        return Ok(Convergence { iterations: 0, residual: 0.0 });
    }
    let precondition = |residual: &[Complex64], out: &mut [Complex64]| match diagonal {
        None => out.copy_from_slice(residual),
        Some(d) => update(out, |i, out| *out = residual[i] / (z + d[i])),
    };
    let mut preconditioned = residual.clone();
    precondition(&residual, &mut preconditioned);
    let mut direction = preconditioned.clone();
    let mut product = ComplexProduct::new(n);
    let mut rho = complex_dot(weights, &residual, &preconditioned);
    let mut reached = 1.0;
    for iterations in 1..=stopping.iterations {
        let image = product.shifted(operator, z, &direction);
        let step = rho / complex_dot(weights, &direction, image);
        update(b, |i, b| *b += step * direction[i]);
        update(&mut residual, |i, r| *r -= step * image[i]);
        reached = complex_norm(weights, &residual) / size;
        if reached <= stopping.tolerance {
            return Ok(Convergence { iterations, residual: reached });
        }
        if !reached.is_finite() {
            break;
        }
        precondition(&residual, &mut preconditioned);
        let next = complex_dot(weights, &residual, &preconditioned);
        let ratio = next / rho;
        update(&mut direction, |i, d| *d = preconditioned[i] + ratio * *d);
        rho = next;
    }
    let (what, iterations) = ("complex conjugate gradients", stopping.iterations);
    Err(SpatialError::NotConverged { what, iterations, residual: reached })
}

/// Scratch of products of A with complex vectors.
struct ComplexProduct {
    part: Vec<f64>,
    image: [Vec<f64>; 2],
    product: Vec<Complex64>,
}

impl ComplexProduct {
    fn new(n: usize) -> Self {
        let image = [vec![0.0; n], vec![0.0; n]];
        Self { part: vec![0.0; n], image, product: vec![Complex64::ZERO; n] }
    }

    /// `(z + A) x`.
    fn shifted<A: SpatialOperator + ?Sized>(
        &mut self,
        operator: &A,
        z: Complex64,
        x: &[Complex64],
    ) -> &[Complex64] {
        let [real, imaginary] = &mut self.image;
        update(&mut self.part, |i, part| *part = x[i].re);
        operator.apply(&self.part, real);
        update(&mut self.part, |i, part| *part = x[i].im);
        operator.apply(&self.part, imaginary);
        update(&mut self.product, |i, y| *y = z * x[i] + Complex64::new(real[i], imaginary[i]));
        &self.product
    }
}
