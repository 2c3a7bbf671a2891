//! Preconditioned conjugate gradients.

use super::sums::{dot, norm};
use super::value::Value;
use crate::{Result, SpatialError};

/// Stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stop {
    /// Norm of the residual, relative to that of the right-hand side.
    pub(crate) tolerance: f64,
    pub(crate) most_iterations: usize,
}

/// Overwrites a right-hand side with the solution of `A x = b`, and returns the number of
/// iterations. A and the preconditioner are symmetric, not Hermitian: for complex numbers this is
/// the conjugate orthogonal method (COCG).
///
/// Source: H. A. van der Vorst and J. B. M. Melissen, IEEE Trans. Magn. 26 (1990) 706,
/// doi:10.1109/20.106415.
pub(crate) fn conjugate_gradient<T: Value>(
    apply: impl Fn(&[T], &mut [T]),
    precondition: impl Fn(&[T], &mut [T]) -> Result<()>,
    b: &mut [T],
    stop: Stop,
) -> Result<usize> {
    let size = norm(b);
    let mut residual = b.to_vec();
    let x = b;
    x.fill(T::default());
    if size == 0.0 {
        return Ok(0);
    }
    let mut direction = vec![T::default(); x.len()];
    let mut product = direction.clone();
    precondition(&residual, &mut direction)?;
    let mut rho = dot(&residual, &direction);
    for iteration in 1..=stop.most_iterations {
        apply(&direction, &mut product);
        let step = rho / dot(&direction, &product);
        for i in 0..x.len() {
            x[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        let relative = norm(&residual) / size;
        if relative <= stop.tolerance {
            return Ok(iteration);
        }
        if !relative.is_finite() {
            return Err(not_converged(iteration, relative));
        }
        precondition(&residual, &mut product)?;
        let next = dot(&residual, &product);
        let factor = next / rho;
        rho = next;
        for (p, z) in direction.iter_mut().zip(&product) {
            *p = *z + factor * *p;
        }
    }
    Err(not_converged(stop.most_iterations, norm(&residual) / size))
}

fn not_converged(iterations: usize, residual: f64) -> SpatialError {
    SpatialError::NotConverged { what: "conjugate gradients", iterations, residual }
}
