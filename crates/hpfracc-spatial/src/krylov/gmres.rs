use super::reductions::{axpy, dot, norm, update};
use super::{Convergence, Stopping};
use crate::Result;
use crate::error::{require_finite, require_len};
use crate::scalar::Scalar;

/// Number of vectors after which GMRES restarts.
const RESTART: usize = 60;

/// Generalised minimal residual method (GMRES) for equations that are not self-adjoint, real or
/// complex, preconditioned from the right, restarted after 60 iterations. Memory is allocated when an
/// iteration needs it first, and reused by later solves.
///
/// The residual of the recurrence is not that of the solution, which stays above it at the limit of
/// rounding or of an inexact preconditioner. Therefore each cycle ends with the residual by its
/// definition, `b - A x`, which decides whether the solve has converged: one product more a cycle.
/// [`inexact`](Self::inexact) solves leave out the last one.
///
/// Cost: one product, one preconditioner and on average 30 inner products of fields an iteration.
/// Sums are taken in a fixed order: the same bits for any number of threads. Source: Y. Saad, M. H.
/// Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, doi:10.1137/0907058.
///
/// ```
/// use hpfracc_spatial::{Gmres, Stopping};
///
/// // A rotation and a stretch, without a preconditioner.
/// let apply = |x: &[f64], y: &mut [f64]| (y[0], y[1]) = (2.0 * x[1], -x[0]);
/// let copy = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
/// let mut x = [0.0; 2];
/// let done = Gmres::default().solve(apply, copy, &[4.0, 1.0], &mut x, Stopping::default())?;
/// assert!((x[0] + 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14 && done.iterations == 2);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Gmres<T = f64> {
    basis: Vec<Vec<T>>,
    residual: Vec<T>,
    combination: Vec<T>,
    preconditioned: Vec<T>,
    least_squares: LeastSquares<T>,
    is_inexact: bool,
}

impl<T: Scalar> Gmres<T> {
    /// For callers that compute residuals of their own, such as Newton's iteration: the residual of
    /// the recurrence decides whether a solve has converged.
    pub fn inexact() -> Self {
        Self { is_inexact: true, ..Self::default() }
    }

    /// Solves `A x = b`, with the initial guess 0. `apply(x, y)` writes `y = A x`;
    /// `precondition(x, y)` writes `y = M x` with M near the inverse of A.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for a bad stopping rule,
    /// [`Length`](crate::SpatialError::Length) and [`NotFinite`](crate::SpatialError::NotFinite) for
    /// b or x. [`NotConverged`](crate::SpatialError::NotConverged) after the largest number of
    /// iterations, for products that are not finite, and at the limit of rounding: if a cycle does
    /// not halve the residual, while its recurrence does. The error has the residual by its
    /// definition, and x holds the last iterate.
    pub fn solve(
        &mut self,
        mut apply: impl FnMut(&[T], &mut [T]),
        mut precondition: impl FnMut(&[T], &mut [T]),
        b: &[T],
        x: &mut [T],
        stopping: Stopping,
    ) -> Result<Convergence> {
        let stopping = stopping.checked()?;
        require_len("solution x", x.len(), b.len())?;
        require_finite("right-hand side b", b)?;
        x.fill(T::default());
        let scale = norm(b);
        if scale == 0.0 {
            return Ok(Convergence::AT_ONCE);
        }
        self.resize(b);
        let mut state = Convergence { iterations: 0, residual: 1.0 };
        while state.residual > stopping.tolerance {
            let before = state.residual;
            self.cycle(&mut apply, &mut precondition, scale, &mut state, stopping)?;
            let predicted = state.residual;
            precondition(&self.combination, &mut self.preconditioned);
            axpy(T::from(1.0), &self.preconditioned, x);
            if self.is_inexact && predicted <= stopping.tolerance {
                return Ok(state);
            }
            apply(x, &mut self.residual);
            update(&mut self.residual, |i, r| *r = b[i] - *r);
            state.residual = norm(&self.residual) / scale;
            let rounding = state.residual > 0.5 * before && predicted < 0.5 * state.residual;
            let ended = state.iterations == stopping.iterations || rounding;
            if state.residual > stopping.tolerance && ended {
                return Err(state.failure("GMRES"));
            }
        }
        // False for NaN, at which the loop ends too.
        if state.residual <= stopping.tolerance { Ok(state) } else { Err(state.failure("GMRES")) }
    }

    /// Vectors of the length of b, and the residual of the initial guess 0.
    fn resize(&mut self, b: &[T]) {
        self.residual.clear();
        self.residual.extend_from_slice(b);
        self.combination.resize(b.len(), T::default());
        self.preconditioned.resize(b.len(), T::default());
        self.basis.iter_mut().for_each(|v| v.resize(b.len(), T::default()));
    }

    /// Basis vector k.
    fn vector(&mut self, k: usize) -> &mut Vec<T> {
        if self.basis.len() == k {
            self.basis.push(vec![T::default(); self.residual.len()]);
        }
        &mut self.basis[k]
    }

    /// Iterations up to a restart: the change of the solution before the preconditioner. The
    /// residual of the state becomes that of the recurrence.
    fn cycle(
        &mut self,
        apply: &mut impl FnMut(&[T], &mut [T]),
        precondition: &mut impl FnMut(&[T], &mut [T]),
        scale: f64,
        state: &mut Convergence,
        stopping: Stopping,
    ) -> Result<()> {
        let beta = norm(&self.residual);
        let mut first = std::mem::take(self.vector(0));
        update(&mut first, |i, v| *v = self.residual[i].scale(1.0 / beta));
        self.basis[0] = first;
        self.least_squares.restart(beta);
        let mut count = 0;
        while count < RESTART
            && state.residual > stopping.tolerance
            && state.iterations < stopping.iterations
        {
            let mut w = std::mem::take(self.vector(count + 1));
            precondition(&self.basis[count], &mut self.preconditioned);
            apply(&self.preconditioned, &mut w);
            count += 1;
            orthogonalise(&self.basis[..count], &mut w, self.least_squares.column(count - 1));
            let length = norm(&w);
            state.iterations += 1;
            state.residual = self.least_squares.rotate(count - 1, length) / scale;
            if !state.residual.is_finite() {
                return Err(state.failure("GMRES"));
            }
            let factor = if length > 0.0 { 1.0 / length } else { 0.0 };
            update(&mut w, |_, w| *w = w.scale(factor));
            self.basis[count] = w;
        }
        self.combination.fill(T::default());
        for (v, c) in self.basis.iter().zip(self.least_squares.solve(count)) {
            axpy(*c, v, &mut self.combination);
        }
        Ok(())
    }
}

/// Subtracts from w its components along an orthonormal basis, and writes them to a column (modified
/// Gram-Schmidt).
fn orthogonalise<T: Scalar>(basis: &[Vec<T>], w: &mut [T], column: &mut Vec<T>) {
    for v in basis {
        let h = dot(v, w);
        axpy(-h, v, w);
        column.push(h);
    }
}

/// Least squares problem of GMRES: a Hessenberg matrix made triangular by Givens rotations.
#[derive(Debug, Clone, Default)]
struct LeastSquares<T> {
    columns: Vec<Vec<T>>,
    rotations: Vec<(f64, T)>,
    right: Vec<T>,
}

impl<T: Scalar> LeastSquares<T> {
    /// Discards all columns; beta is the norm of the residual.
    fn restart(&mut self, beta: f64) {
        self.rotations.clear();
        self.right.clear();
        self.right.push(T::from(beta));
    }

    /// Empty column m.
    fn column(&mut self, m: usize) -> &mut Vec<T> {
        if self.columns.len() == m {
            self.columns.push(Vec::new());
        }
        self.columns[m].clear();
        &mut self.columns[m]
    }

    /// Makes column m triangular, `length` below its diagonal, and returns the norm of the residual.
    fn rotate(&mut self, m: usize, length: f64) -> f64 {
        let column = &mut self.columns[m];
        for (i, &(c, s)) in self.rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            column[i] = T::from(c) * upper + s * lower;
            column[i + 1] = T::from(c) * lower - s.conj() * upper;
        }
        let diagonal = column[m];
        let (size, radius) =
            (diagonal.norm_sqr().sqrt(), (diagonal.norm_sqr() + length * length).sqrt());
        let phase = if size > 0.0 { diagonal / T::from(size) } else { T::from(1.0) };
        let (c, s) = (size / radius, phase * T::from(length / radius));
        column[m] = phase * T::from(radius);
        let g = self.right[m];
        self.right[m] = T::from(c) * g;
        self.right.push(-(s.conj() * g));
        self.rotations.push((c, s));
        self.right[m + 1].norm_sqr().sqrt()
    }

    /// Coefficients of the first m basis vectors.
    fn solve(&mut self, m: usize) -> &[T] {
        for i in (0..m).rev() {
            self.right[i] = self.right[i] / self.columns[i][i];
            for j in 0..i {
                self.right[j] = self.right[j] - self.columns[i][j] * self.right[i];
            }
        }
        &self.right[..m]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex64;

    const STOPPING: Stopping = Stopping { tolerance: 1e-12, iterations: 1000 };

    fn product<T: Scalar>(a: &[Vec<T>], x: &[T], y: &mut [T]) {
        for (y, row) in y.iter_mut().zip(a) {
            *y = row.iter().zip(x).map(|(a, x)| *a * *x).sum();
        }
    }

    /// Solves without a preconditioner, and checks the residual.
    fn solve<T: Scalar>(a: &[Vec<T>], b: &[T]) -> Convergence {
        let (mut x, mut y) = (vec![T::default(); b.len()], vec![T::default(); b.len()]);
        let apply = |x: &[T], y: &mut [T]| product(a, x, y);
        let copy = |x: &[T], y: &mut [T]| y.copy_from_slice(x);
        let mut gmres = Gmres::default();
        let state = gmres.solve(apply, copy, b, &mut x, STOPPING).unwrap();
        product(a, &x, &mut y);
        axpy(T::from(-1.0), b, &mut y);
        assert!(norm(&y) < 2e-12 * norm(b), "{state:?}");
        let found = norm(&y) / norm(b);
        assert!((state.residual - found).abs() < 1e-3 * found, "{state:?} {found:e}");
        state
    }

    #[test]
    fn real_and_complex_systems_are_solved_with_restarts() {
        let n = 150;
        let real = |i: usize, j: usize| match (i + 1, j) {
            (below, j) if below == j => -1.0,
            _ if i == j => 1.0 + i as f64 / 10.0,
            _ => 0.5 / (1.0 + (i * 3 + j) as f64),
        };
        let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| real(i, j)).collect()).collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 2.0).collect();
        assert!(solve(&a, &b).iterations > RESTART);

        let rotated = |v: &f64| Complex64::new(*v, 0.3 * v * v);
        let a: Vec<Vec<Complex64>> =
            a[..40].iter().map(|row| row[..40].iter().map(rotated).collect()).collect();
        solve(&a, &b[..40].iter().map(rotated).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_that_are_not_finite_end_a_solve() {
        let copy = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
        let mut x = [0.0; 2];
        for b in [[f64::INFINITY, 1.0], [f64::NAN, 1.0]] {
            assert!(Gmres::default().solve(copy, copy, &b, &mut x, STOPPING).is_err());
        }
    }
}
