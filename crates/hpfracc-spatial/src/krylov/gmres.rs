use super::reductions::{axpy, inner, norm, update};
use super::{Convergence, Stopping};
use crate::Result;
use crate::scalar::Scalar;

/// Number of vectors after which GMRES restarts.
const RESTART: usize = 60;

/// Solves `A x = b` with the generalised minimal residual method (GMRES), preconditioned from the
/// right, restarted after 60 iterations. The initial guess is 0.
///
/// Source: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, doi:10.1137/0907058.
pub(crate) fn gmres<T: Scalar>(
    mut apply: impl FnMut(&[T], &mut [T]),
    mut precondition: impl FnMut(&[T], &mut [T]),
    b: &[T],
    x: &mut [T],
    stopping: Stopping,
) -> Result<Convergence> {
    x.fill(T::default());
    let (scale, n) = (norm(None, b), b.len());
    if scale == 0.0 {
        return Ok(Convergence::AT_ONCE);
    }
    let mut state = Convergence { iterations: 0, residual: 1.0 };
    let (mut r, mut z) = (b.to_vec(), vec![T::default(); n]);
    while state.residual > stopping.tolerance {
        let beta = norm(None, &r);
        let mut basis = vec![scaled(&r, 1.0 / beta)];
        let mut least_squares = LeastSquares::new(beta);
        while basis.len() <= RESTART && state.residual > stopping.tolerance {
            if state.iterations == stopping.iterations {
                return Err(state.failure("GMRES"));
            }
            let mut w = vec![T::default(); n];
            precondition(&basis[basis.len() - 1], &mut z);
            apply(&z, &mut w);
            let column = orthogonalise(&basis, &mut w);
            let length = norm(None, &w);
            state.iterations += 1;
            state.residual = least_squares.push(column, length) / scale;
            if !state.residual.is_finite() {
                return Err(state.failure("GMRES"));
            }
            basis.push(scaled(&w, if length > 0.0 { 1.0 / length } else { 0.0 }));
        }
        let mut combination = vec![T::default(); n];
        for (v, c) in basis.iter().zip(least_squares.solve()) {
            axpy(c, v, &mut combination);
        }
        precondition(&combination, &mut z);
        axpy(T::from(1.0), &z, x);
        apply(x, &mut r);
        update(&mut r, |i, r| *r = b[i] - *r);
    }
    Ok(state)
}

/// Subtracts from w its components along an orthonormal basis, and returns them (modified
/// Gram-Schmidt).
fn orthogonalise<T: Scalar>(basis: &[Vec<T>], w: &mut [T]) -> Vec<T> {
    let mut column = Vec::with_capacity(basis.len() + 1);
    for v in basis {
        let h = inner(v, w);
        axpy(-h, v, w);
        column.push(h);
    }
    column
}

/// Least squares problem of GMRES: a Hessenberg matrix made triangular by Givens rotations.
struct LeastSquares<T> {
    columns: Vec<Vec<T>>,
    rotations: Vec<(f64, T)>,
    right: Vec<T>,
}

impl<T: Scalar> LeastSquares<T> {
    fn new(beta: f64) -> Self {
        Self { columns: Vec::new(), rotations: Vec::new(), right: vec![T::from(beta)] }
    }

    /// Adds a column, `length` below its diagonal, and returns the norm of the residual.
    fn push(&mut self, mut column: Vec<T>, length: f64) -> f64 {
        for (i, &(c, s)) in self.rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            column[i] = T::from(c) * upper + s * lower;
            column[i + 1] = T::from(c) * lower - s.conj() * upper;
        }
        let last = column.len() - 1;
        let diagonal = column[last];
        let (size, radius) =
            (diagonal.norm_sqr().sqrt(), (diagonal.norm_sqr() + length * length).sqrt());
        let phase = if size > 0.0 { diagonal / T::from(size) } else { T::from(1.0) };
        let (c, s) = (size / radius, phase * T::from(length / radius));
        column[last] = phase * T::from(radius);
        let g = self.right[last];
        self.right[last] = T::from(c) * g;
        self.right.push(-(s.conj() * g));
        self.columns.push(column);
        self.rotations.push((c, s));
        self.right[last + 1].norm_sqr().sqrt()
    }

    /// Coefficients of the basis vectors.
    fn solve(&self) -> Vec<T> {
        let m = self.columns.len();
        let mut y = self.right[..m].to_vec();
        for i in (0..m).rev() {
            y[i] = y[i] / self.columns[i][i];
            for j in 0..i {
                y[j] = y[j] - self.columns[i][j] * y[i];
            }
        }
        y
    }
}

fn scaled<T: Scalar>(x: &[T], factor: f64) -> Vec<T> {
    x.iter().map(|x| x.scale(factor)).collect()
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
        let state = gmres(apply, |x, y| y.copy_from_slice(x), b, &mut x, STOPPING).unwrap();
        product(a, &x, &mut y);
        axpy(T::from(-1.0), b, &mut y);
        assert!(norm(None, &y) < 2e-12 * norm(None, b), "{state:?}");
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
        assert!(gmres(copy, copy, &[f64::INFINITY, 1.0], &mut x, STOPPING).is_err());
        assert!(gmres(copy, copy, &[f64::NAN, 1.0], &mut x, STOPPING).is_err());
    }
}
