use crate::blocks::{dot, update};

/// Number of vectors after which the method restarts.
const RESTART: usize = 40;
/// Number of iterations at which it ends.
const ITERATIONS: usize = 400;
/// Tolerance above which the residual of the recurrence counts: Newton's iteration computes its
/// own. Below, the residual is computed from x before a solve ends.
const LOOSE: f64 = 1e-8;

/// Generalised minimal residual method (GMRES), preconditioned from the right, with restarts.
/// Vectors are reused by later solves.
///
/// Source: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, doi:10.1137/0907058.
#[derive(Default)]
pub(crate) struct Gmres {
    basis: Vec<Vec<f64>>,
    preconditioned: Vec<f64>,
    product: Vec<f64>,
    /// Sum of the corrections of all restarts.
    x: Vec<f64>,
    hessenberg: Hessenberg,
}

impl Gmres {
    /// Overwrites b with the solution x of `M x = b`, and returns its relative residual: at most
    /// the tolerance if it converged. Ends without convergence after a fixed number of iterations,
    /// and when a restart does not halve the residual.
    pub(crate) fn solve(
        &mut self,
        mut apply: impl FnMut(&[f64], &mut [f64]),
        mut precondition: impl FnMut(&mut [f64]),
        b: &mut [f64],
        tolerance: f64,
    ) -> f64 {
        let n = b.len();
        let scale = dot(b, b).sqrt();
        if scale == 0.0 {
            return 0.0;
        }
        for vector in [&mut self.preconditioned, &mut self.product, &mut self.x] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        let mut residual = 1.0;
        // Residual by its definition at the last restart.
        let mut before = f64::INFINITY;
        let mut count = 0;
        while count < ITERATIONS {
            self.vector(0, n).copy_from_slice(b);
            if count > 0 {
                apply(&self.x, &mut self.product);
                let product = &self.product;
                update(&mut self.basis[0], |i, r| r - product[i]);
            }
            let beta = dot(&self.basis[0], &self.basis[0]).sqrt();
            residual = beta / scale;
            let stalls = residual > 0.5 * before;
            before = residual;
            if residual <= tolerance || !residual.is_finite() || stalls {
                break;
            }
            update(&mut self.basis[0], |_, r| r / beta);
            self.hessenberg.restart(beta);
            let mut m = 0;
            while m < RESTART && count < ITERATIONS && residual > tolerance {
                self.preconditioned.copy_from_slice(&self.basis[m]);
                precondition(&mut self.preconditioned);
                self.vector(m + 1, n);
                let (basis, rest) = self.basis.split_at_mut(m + 1);
                let w = &mut rest[0];
                apply(&self.preconditioned, w);
                let column = self.hessenberg.column(m);
                for (v, h) in basis.iter().zip(&mut *column) {
                    let product = dot(v, w);
                    update(w, |i, w| w - product * v[i]);
                    *h = product;
                }
                let length = dot(w, w).sqrt();
                column[m + 1] = length;
                if length > 0.0 {
                    update(w, |_, w| w / length);
                }
                residual = self.hessenberg.rotate(m) / scale;
                (m, count) = (m + 1, count + 1);
                if !residual.is_finite() {
                    return f64::INFINITY;
                }
            }
            self.preconditioned.fill(0.0);
            for (v, c) in self.basis.iter().zip(self.hessenberg.solve(m)) {
                update(&mut self.preconditioned, |i, sum| sum + c * v[i]);
            }
            precondition(&mut self.preconditioned);
            let correction = &self.preconditioned;
            update(&mut self.x, |i, x| x + correction[i]);
            if tolerance > LOOSE && residual <= tolerance {
                break;
            }
        }
        b.copy_from_slice(&self.x);
        residual
    }

    /// Vector k of the basis, with n values.
    fn vector(&mut self, k: usize, n: usize) -> &mut [f64] {
        if self.basis.len() <= k {
            self.basis.push(Vec::new());
        }
        self.basis[k].resize(n, 0.0);
        &mut self.basis[k]
    }
}

/// Rows of a column of the Hessenberg matrix.
const ROWS: usize = RESTART + 1;

/// Least squares problem of the Hessenberg matrix, made triangular by Givens rotations.
#[derive(Default)]
struct Hessenberg {
    /// Columns of [`ROWS`] entries.
    entries: Vec<f64>,
    rotations: Vec<(f64, f64)>,
    right: Vec<f64>,
}

impl Hessenberg {
    /// Discards all columns; beta is the norm of the residual.
    fn restart(&mut self, beta: f64) {
        self.entries.resize(RESTART * ROWS, 0.0);
        self.rotations.clear();
        self.right.clear();
        self.right.push(beta);
    }

    fn column(&mut self, m: usize) -> &mut [f64] {
        &mut self.entries[m * ROWS..][..ROWS]
    }

    /// Makes column m triangular, and returns the norm of the residual.
    fn rotate(&mut self, m: usize) -> f64 {
        let column = &mut self.entries[m * ROWS..][..ROWS];
        for (i, (c, s)) in self.rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            (column[i], column[i + 1]) = (c * upper + s * lower, c * lower - s * upper);
        }
        let radius = column[m].hypot(column[m + 1]);
        let (c, s) = (column[m] / radius, column[m + 1] / radius);
        column[m] = radius;
        let g = self.right[m];
        self.right[m] = c * g;
        self.right.push(-s * g);
        self.rotations.push((c, s));
        (s * g).abs()
    }

    /// Weights of the first m basis vectors.
    fn solve(&mut self, m: usize) -> &[f64] {
        for i in (0..m).rev() {
            self.right[i] /= self.entries[i * ROWS + i];
            for j in 0..i {
                self.right[j] -= self.entries[i * ROWS + j] * self.right[i];
            }
        }
        &self.right[..m]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_that_are_not_symmetric_are_solved_with_restarts() {
        let n = 120;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 1.0 + i as f64 / 10.0,
            1 if j > i => -1.0,
            _ => 0.5 / (1.0 + (i * 3 + j) as f64),
        };
        let apply = |x: &[f64], y: &mut [f64]| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = (0..n).map(|j| entry(i, j) * x[j]).sum();
            }
        };
        let right: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 2.0).collect();
        let mut x = right.clone();
        let mut gmres = Gmres::default();
        assert!(gmres.solve(apply, |_| (), &mut x, 1e-13) < 1e-12);
        let mut product = vec![0.0; n];
        apply(&x, &mut product);
        for (p, b) in product.iter().zip(&right) {
            assert!((p - b).abs() < 1e-11, "{p} {b}");
        }
    }

    /// The Laplacian of a chain needs more than one cycle of iterations.
    #[test]
    fn loose_tolerances_restart_as_well() {
        let n = 400;
        let apply = |x: &[f64], y: &mut [f64]| {
            for i in 0..n {
                let before = if i > 0 { x[i - 1] } else { 0.0 };
                let after = if i + 1 < n { x[i + 1] } else { 0.0 };
                y[i] = 2.02 * x[i] - before - after;
            }
        };
        let right: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin() + 0.5).collect();
        let mut x = right.clone();
        let mut products = 0;
        let counted = |x: &[f64], y: &mut [f64]| {
            products += 1;
            apply(x, y);
        };
        let residual = Gmres::default().solve(counted, |_| (), &mut x, 1e-5);
        assert!(products > RESTART + 1, "{products}");
        assert!(residual <= 1e-5, "{residual:e}");
        let mut product = vec![0.0; n];
        apply(&x, &mut product);
        let distance: f64 = product.iter().zip(&right).map(|(p, b)| (p - b).powi(2)).sum();
        let size: f64 = right.iter().map(|b| b * b).sum();
        assert!((distance / size).sqrt() <= 1.001e-5);
    }

    /// A cyclic permutation: the residual stays until iteration n.
    #[test]
    fn a_solve_that_stalls_reports_its_residual() {
        let apply = |x: &[f64], y: &mut [f64]| {
            y.copy_from_slice(x);
            y.rotate_right(1);
        };
        let mut x = vec![0.0; 100];
        x[0] = 1.0;
        let residual = Gmres::default().solve(apply, |_| (), &mut x, 1e-4);
        assert!(residual > 0.9);
    }
}
