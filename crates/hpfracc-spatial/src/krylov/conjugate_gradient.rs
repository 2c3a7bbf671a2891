use super::reductions::{axpy, update, weighted_dot, weighted_norm};
use super::{Convergence, Parts, RealMaps, Stopping};
use crate::error::{require, require_finite, require_len};
use crate::operator::require_self_adjoint;
use crate::scalar::Scalar;
use crate::{Result, SpatialOperator};
use num_complex::Complex64;

/// Solves `A x = b` by preconditioned conjugate gradients. x is the initial guess and the solution.
///
/// A and the preconditioner are symmetric in the form `sum_i w_i x_i y_i` without conjugation: for
/// complex numbers it is the conjugate orthogonal method (COCG). Source: H. A. van der Vorst, J. B.
/// M. Melissen, IEEE Trans. Magn. 26 (1990) 706, doi:10.1109/20.106415.
pub(crate) fn preconditioned_conjugate_gradients<T: Scalar>(
    weights: Option<&[f64]>,
    mut apply: impl FnMut(&[T], &mut [T]),
    mut precondition: impl FnMut(&[T], &mut [T]) -> Result<()>,
    b: &[T],
    x: &mut [T],
    stopping: Stopping,
) -> Result<Convergence> {
    let size = weighted_norm(weights, b);
    if size == 0.0 {
        x.fill(T::default());
        return Ok(Convergence::AT_ONCE);
    }
    let mut residual = b.to_vec();
    let mut product = vec![T::default(); b.len()];
    if x.iter().any(|x| *x != T::default()) {
        apply(x, &mut product);
        axpy(T::from(-1.0), &product, &mut residual);
    }
    let mut direction = product.clone();
    precondition(&residual, &mut direction)?;
    let mut rho = weighted_dot(weights, &residual, &direction);
    let mut state =
        Convergence { iterations: 0, residual: weighted_norm(weights, &residual) / size };
    while state.residual > stopping.tolerance && state.iterations < stopping.iterations {
        apply(&direction, &mut product);
        let step = rho / weighted_dot(weights, &direction, &product);
        axpy(step, &direction, x);
        axpy(-step, &product, &mut residual);
        state.iterations += 1;
        state.residual = weighted_norm(weights, &residual) / size;
        if state.residual <= stopping.tolerance {
            break;
        }
        // The product is needed no more.
        let preconditioned = &mut product;
        precondition(&residual, preconditioned)?;
        let next = weighted_dot(weights, &residual, preconditioned);
        let ratio = next / rho;
        update(&mut direction, |i, d| *d = preconditioned[i] + ratio * *d);
        rho = next;
    }
    // False for NaN, at which the loop ends too.
    if state.residual <= stopping.tolerance {
        Ok(state)
    } else {
        Err(state.failure("conjugate gradients"))
    }
}

/// Conjugate gradients for `z + A` with the Jacobi preconditioner of a diagonal of A.
pub(super) fn shifted_conjugate_gradients<T: RealMaps, A: SpatialOperator + ?Sized>(
    operator: &A,
    z: Complex64,
    diagonal: Option<&[f64]>,
    b: &[T],
    x: &mut [T],
    stopping: Stopping,
) -> Result<Convergence> {
    let (z, mut parts) = (T::of_shift(z), Parts::default());
    let apply = |x: &[T], y: &mut [T]| {
        T::map(x, y, &mut parts, |x, y| operator.apply(x, y));
        axpy(z, x, y);
    };
    let precondition = |residual: &[T], out: &mut [T]| {
        match diagonal {
            None => out.copy_from_slice(residual),
            Some(d) => update(out, |i, out| {
                let pivot = z + d[i].into();
                *out = if pivot == T::default() { residual[i] } else { residual[i] / pivot };
            }),
        }
        Ok(())
    };
    let weights = operator.weights();
    preconditioned_conjugate_gradients(weights, apply, precondition, b, x, stopping)
}

/// Solves `(z + A) x = b` for a real z >= 0 by conjugate gradients, in the inner product of the
/// weights of A, with the diagonal of A as (Jacobi) preconditioner if it is given.
///
/// x is the initial guess and the solution. For z = 0 and a singular A, b must be orthogonal to the
/// null space; the solution then has the part of the initial guess in it.
///
/// Cost: one product with A and five vector operations an iteration; the number of iterations is
/// about `sqrt(kappa) ln(2/tolerance) / 2` with the condition number kappa of z + A. Sums are taken
/// in a fixed order. Source: M. R. Hestenes, E. Stiefel, J. Res. Nat. Bur. Standards 49 (1952) 409,
/// doi:10.6028/jres.049.044.
///
/// # Errors
/// [`Unsupported`](crate::SpatialError::Unsupported) for an operator that is not self-adjoint,
/// [`OutOfRange`](crate::SpatialError::OutOfRange) for a negative z or a bad stopping rule,
/// [`Length`](crate::SpatialError::Length) and [`NotFinite`](crate::SpatialError::NotFinite) for b or
/// x, [`NotConverged`](crate::SpatialError::NotConverged) after the largest number of iterations.
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, Stopping, conjugate_gradients};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(4)?)?;
/// let mut x = [0.0; 4];
/// let b = [1.0, 0.0, 0.0, 0.0];
/// conjugate_gradients(&laplacian, 1.0, None, &b, &mut x, Stopping::default())?;
/// assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-14); // the Laplacian conserves the sum
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn conjugate_gradients<A: SpatialOperator + ?Sized>(
    operator: &A,
    z: f64,
    diagonal: Option<&[f64]>,
    b: &[f64],
    x: &mut [f64],
    stopping: Stopping,
) -> Result<Convergence> {
    require_self_adjoint(operator, "conjugate gradients")?;
    require(z >= 0.0 && z.is_finite(), "shift z", z, "a finite number of at least 0")?;
    let (n, stopping) = (operator.len(), stopping.checked()?);
    require_len("diagonal", diagonal.map_or(n, <[f64]>::len), n)?;
    require_len("right-hand side b", b.len(), n)?;
    require_len("solution x", x.len(), n)?;
    require_finite("right-hand side b", b)?;
    require_finite("initial guess x", x)?;
    shifted_conjugate_gradients(operator, z.into(), diagonal, b, x, stopping)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpatialError;

    #[test]
    fn complex_symmetric_systems_are_solved() {
        let entry = |i: usize, j: usize| {
            let off = 1.0 / (1.0 + (i + 2 * j.min(i) + j) as f64);
            let diagonal = if i == j { Complex64::new(4.0 + i as f64, 2.0) } else { 0.0.into() };
            diagonal + Complex64::new(off, 0.1)
        };
        let apply = |x: &[Complex64], y: &mut [Complex64]| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = (0..20).map(|j| entry(i.max(j), i.min(j)) * x[j]).sum();
            }
        };
        let copy = |x: &[Complex64], y: &mut [Complex64]| {
            y.copy_from_slice(x);
            Ok(())
        };
        let b: Vec<Complex64> = (0..20).map(|i| Complex64::new(1.0, i as f64)).collect();
        let (mut x, mut y) = (vec![Complex64::default(); 20], vec![Complex64::default(); 20]);
        let stopping = Stopping { tolerance: 1e-13, iterations: 25 };
        preconditioned_conjugate_gradients(None, apply, copy, &b, &mut x, stopping).unwrap();
        apply(&x, &mut y);
        axpy(-Complex64::ONE, &b, &mut y);
        assert!(weighted_norm(None, &y) < 1e-12 * weighted_norm(None, &b));
    }

    #[test]
    fn numbers_that_are_not_finite_end_a_solve() {
        let apply = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
        let copy = |x: &[f64], y: &mut [f64]| {
            y.copy_from_slice(x);
            Ok(())
        };
        let (b, mut x) = ([f64::NAN, 1.0], [0.0; 2]);
        let stopping = Stopping::default();
        let found = preconditioned_conjugate_gradients(None, apply, copy, &b, &mut x, stopping);
        assert!(matches!(found, Err(SpatialError::NotConverged { iterations: 0, .. })));
    }
}
