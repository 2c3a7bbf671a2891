use crate::blocks::{dot, update};

/// Number of vectors after which the method restarts.
const RESTART: usize = 40;
/// Number of iterations at which it ends.
const ITERATIONS: usize = 400;

/// Generalised minimal residual method (GMRES), preconditioned from the right. Vectors are reused by
/// later solves.
///
/// Source: Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, doi:10.1137/0907058.
#[derive(Default)]
pub(crate) struct Gmres {
    basis: Vec<Vec<f64>>,
    preconditioned: Vec<f64>,
    product: Vec<f64>,
    /// Sum of the corrections of all restarts.
    x: Vec<f64>,
}

impl Gmres {
    /// Overwrites b with the solution x of `M x = b`, and returns its relative residual: at most the
    /// tolerance if it converged.
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
        self.preconditioned.resize(n, 0.0);
        self.product.resize(n, 0.0);
        let mut residual = 1.0;
        // Residual by its definition at the last restart.
        let mut before = f64::INFINITY;
        let mut count = 0;
        self.x.clear();
        self.x.resize(n, 0.0);
        while count < ITERATIONS && residual > tolerance {
            let mut r = std::mem::take(self.vector(0, n));
            r.copy_from_slice(b);
            if count > 0 {
                apply(&self.x, &mut self.product);
                r.iter_mut().zip(&self.product).for_each(|(r, p)| *r -= p);
            }
            let beta = dot(&r, &r).sqrt();
            residual = beta / scale;
            // The rounding of the residual is reached.
            let stalls = residual > 0.5 * before;
            before = residual;
            if residual <= tolerance || !residual.is_finite() || stalls {
                self.basis[0] = r;
                break;
            }
            update(&mut r, |_, r| r / beta);
            self.basis[0] = r;
            let mut small = LeastSquares::new(beta);
            while small.columns.len() < RESTART && count < ITERATIONS && residual > tolerance {
                let m = small.columns.len();
                self.preconditioned.copy_from_slice(&self.basis[m]);
                precondition(&mut self.preconditioned);
                let mut w = std::mem::take(self.vector(m + 1, n));
                apply(&self.preconditioned, &mut w);
                let mut column = Vec::with_capacity(m + 2);
                for v in &self.basis[..=m] {
                    let h = dot(v, &w);
                    update(&mut w, |i, w| w - h * v[i]);
                    column.push(h);
                }
                let length = dot(&w, &w).sqrt();
                if length > 0.0 {
                    update(&mut w, |_, w| w / length);
                }
                column.push(length);
                self.basis[m + 1] = w;
                residual = small.push(column) / scale;
                count += 1;
                if !residual.is_finite() {
                    return f64::INFINITY;
                }
            }
            self.preconditioned.fill(0.0);
            let weights = small.solve();
            for (v, c) in self.basis.iter().zip(&weights) {
                update(&mut self.preconditioned, |i, sum| sum + c * v[i]);
            }
            precondition(&mut self.preconditioned);
            update(&mut self.x, |i, x| x + self.preconditioned[i]);
        }
        b.copy_from_slice(&self.x);
        residual
    }

    fn vector(&mut self, k: usize, n: usize) -> &mut Vec<f64> {
        while self.basis.len() <= k {
            self.basis.push(vec![0.0; n]);
        }
        &mut self.basis[k]
    }
}

/// Hessenberg matrix made triangular by Givens rotations.
struct LeastSquares {
    columns: Vec<Vec<f64>>,
    rotations: Vec<(f64, f64)>,
    right: Vec<f64>,
}

impl LeastSquares {
    fn new(beta: f64) -> Self {
        Self { columns: Vec::new(), rotations: Vec::new(), right: vec![beta] }
    }

    /// Adds a column, and returns the norm of the residual.
    fn push(&mut self, mut column: Vec<f64>) -> f64 {
        for (i, (c, s)) in self.rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            (column[i], column[i + 1]) = (c * upper + s * lower, c * lower - s * upper);
        }
        let last = column.len() - 2;
        let radius = column[last].hypot(column[last + 1]);
        let (c, s) = (column[last] / radius, column[last + 1] / radius);
        column.truncate(last + 1);
        column[last] = radius;
        let g = self.right[last];
        self.right[last] = c * g;
        self.right.push(-s * g);
        self.columns.push(column);
        self.rotations.push((c, s));
        (s * g).abs()
    }

    /// Weights of the basis vectors.
    fn solve(&self) -> Vec<f64> {
        let m = self.columns.len();
        let mut y = self.right[..m].to_vec();
        for i in (0..m).rev() {
            y[i] /= self.columns[i][i];
            for j in 0..i {
                y[j] -= self.columns[i][j] * y[i];
            }
        }
        y
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
}
