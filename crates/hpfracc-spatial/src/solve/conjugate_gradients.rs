use crate::error::{require, require_finite, require_len};
use crate::solve::reductions::{axpy, dot, norm, update};
use crate::{Result, SpatialError, SpatialOperator};

/// When an iterative solver stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// Norm of the residual relative to that of the right-hand side.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub iterations: usize,
}

impl Default for Stopping {
    /// 1e-12 and 10 000 iterations.
    fn default() -> Self {
        Self { tolerance: 1e-12, iterations: 10_000 }
    }
}

/// Iterations taken by a solver and the residual it has reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// Number of iterations, each with one product.
    pub iterations: usize,
    /// Norm of the residual of the recurrence relative to that of the right-hand side.
    pub residual: f64,
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
/// [`OutOfRange`](SpatialError::OutOfRange) for a negative z or tolerance,
/// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for b or x,
/// [`NotConverged`](SpatialError::NotConverged) after the largest number of iterations.
///
/// ```
/// use hpfracc_spatial::graph::{Graph, GraphLaplacian};
/// use hpfracc_spatial::solve::{Stopping, conjugate_gradients};
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
    check(operator.len(), z, b, x, stopping)?;
    let weights = operator.weights();
    let size = norm(weights, b);
    if size == 0.0 {
        x.fill(0.0);
        return Ok(Convergence { iterations: 0, residual: 0.0 });
    }
    let n = x.len();
    let mut product = vec![0.0; n];
    operator.apply(x, &mut product);
    let mut residual: Vec<f64> = (0..n).map(|i| b[i] - z * x[i] - product[i]).collect();
    let mut preconditioned = residual.clone();
    let precondition = |residual: &[f64], out: &mut [f64]| match diagonal {
        None => out.copy_from_slice(residual),
        Some(d) => update(out, |i, out| {
            let pivot = z + d[i];
            *out = if pivot > 0.0 { residual[i] / pivot } else { residual[i] };
        }),
    };
    precondition(&residual, &mut preconditioned);
    let mut direction = preconditioned.clone();
    let mut rho = dot(weights, &residual, &preconditioned);
    let mut reached = norm(weights, &residual) / size;
    for iterations in 0..=stopping.iterations {
        if reached <= stopping.tolerance {
            return Ok(Convergence { iterations, residual: reached });
        }
        if iterations == stopping.iterations || !reached.is_finite() {
            break;
        }
        operator.apply(&direction, &mut product);
        axpy(z, &direction, &mut product);
        let step = rho / dot(weights, &direction, &product);
        axpy(step, &direction, x);
        axpy(-step, &product, &mut residual);
        precondition(&residual, &mut preconditioned);
        let next = dot(weights, &residual, &preconditioned);
        let ratio = next / rho;
        update(&mut direction, |i, d| *d = preconditioned[i] + ratio * *d);
        rho = next;
        reached = norm(weights, &residual) / size;
    }
    let iterations = stopping.iterations;
    Err(SpatialError::NotConverged { what: "conjugate gradients", iterations, residual: reached })
}

fn check(n: usize, z: f64, b: &[f64], x: &[f64], stopping: Stopping) -> Result<()> {
    require(z >= 0.0 && z.is_finite(), "shift z", z, "a finite number of at least 0")?;
    let tolerance = stopping.tolerance;
    require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
    require_len("right-hand side b", b.len(), n)?;
    require_len("solution x", x.len(), n)?;
    require_finite("right-hand side b", b)?;
    require_finite("initial guess x", x)
}
