//! Gauss-Lobatto-Legendre points, and the Galerkin method on them.

use crate::boxes::Boundary;
use nalgebra::DMatrix;

/// Galerkin discretisation with the Lagrange polynomials of the Gauss-Lobatto-Legendre points of
/// degree N, scaled to an axis: `A = W^-1 (D' W D + boundary terms)`.
///
/// The stiffness is exact, because the quadrature is up to degree 2N - 1. Points with a Dirichlet
/// boundary are eliminated.
///
/// Source: C. Canuto, M. Y. Hussaini, A. Quarteroni and T. A. Zang, Spectral Methods (2006),
/// doi:10.1007/978-3-540-30726-6, sections 2.3 and 3.8.
pub(crate) struct Legendre {
    /// All points of the axis, both ends included.
    points: Vec<f64>,
    weights: Vec<f64>,
    boundaries: [Boundary; 2],
}

impl Legendre {
    /// With n values, without the ends that are eliminated.
    pub(crate) fn new([from, to]: [f64; 2], n: usize, boundaries: [Boundary; 2]) -> Self {
        let eliminated = boundaries.iter().filter(|b| **b == Boundary::Dirichlet).count();
        let half = 0.5 * (to - from);
        let (x, w) = gauss_lobatto(n + eliminated - 1);
        let points = x.iter().map(|x| {
            // From the nearer end, which is then exact.
            if *x < 0.0 { from + (1.0 + x) * half } else { to - (1.0 - x) * half }
        });
        Self { points: points.collect(), weights: w.iter().map(|w| w * half).collect(), boundaries }
    }

    /// Positions of the values among all points.
    fn kept(&self) -> std::ops::Range<usize> {
        let [lower, upper] = self.boundaries.map(|b| usize::from(b == Boundary::Dirichlet));
        lower..self.points.len() - upper
    }

    pub(crate) fn points_and_weights(&self) -> (Vec<f64>, Vec<f64>) {
        (self.points[self.kept()].to_vec(), self.weights[self.kept()].to_vec())
    }

    /// The factor B of the stiffness `B' B` on all points: `W^(1/2) D`, and a row for each Robin
    /// boundary.
    fn factor(&self) -> DMatrix<f64> {
        let last = self.points.len() - 1;
        let slopes = differentiation(&self.points);
        let mut b = DMatrix::zeros(last + 3, last + 1);
        for (i, w) in self.weights.iter().enumerate() {
            for j in 0..=last {
                b[(i, j)] = w.sqrt() * slopes[i * (last + 1) + j];
            }
        }
        for (side, boundary) in self.boundaries.iter().enumerate() {
            if let Boundary::Robin(beta) = boundary {
                b[(last + 1 + side, side * last)] = beta.sqrt();
            }
        }
        b
    }

    /// The matrix A, row-major, and for each end the contribution of a boundary value 1 to the
    /// right-hand side.
    pub(super) fn matrix_and_ends(&self) -> (Vec<f64>, [Vec<f64>; 2]) {
        let b = self.factor();
        let stiffness = b.tr_mul(&b);
        let (kept, last) = (self.kept(), self.points.len() - 1);
        let mut matrix = Vec::with_capacity(kept.len() * kept.len());
        for i in kept.clone() {
            matrix.extend(kept.clone().map(|j| stiffness[(i, j)] / self.weights[i]));
        }
        let ends = [0, 1].map(|side| {
            let end = side * last;
            let contribution = |i: usize| match self.boundaries[side] {
                Boundary::Dirichlet => -stiffness[(i, end)] / self.weights[i],
                _ if i == end => 1.0 / self.weights[i],
                _ => 0.0,
            };
            kept.clone().map(contribution).collect()
        });
        (matrix, ends)
    }

    /// Eigenvalues, increasing, and eigenvectors in rows, orthonormal in the weights: squares of
    /// the singular values of `B W^(-1/2)`, whose rounding is that of the square root of A.
    pub(super) fn eigen(&self) -> (Vec<f64>, Vec<f64>) {
        let (kept, n) = (self.kept(), self.kept().len());
        let mut b = self.factor().columns_range(kept.clone()).into_owned();
        for (mut column, w) in b.column_iter_mut().zip(&self.weights[kept.clone()]) {
            column /= w.sqrt();
        }
        let svd = b.svd(false, true);
        let rows = svd.v_t.unwrap_or_else(|| DMatrix::identity(n, n));
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| svd.singular_values[*a].total_cmp(&svd.singular_values[*b]));
        let mut eigenvalues: Vec<f64> =
            order.iter().map(|k| svd.singular_values[*k].powi(2)).collect();
        if self.boundaries.iter().all(|b| b.keeps_constants()) {
            eigenvalues[0] = 0.0;
        }
        let mut eigenvectors = Vec::with_capacity(n * n);
        for k in order {
            let scaled = rows.row(k);
            let weights = &self.weights[kept.clone()];
            eigenvectors.extend(scaled.iter().zip(weights).map(|(v, w)| v / w.sqrt()));
        }
        (eigenvalues, eigenvectors)
    }
}

/// Points and weights of the Gauss-Lobatto-Legendre quadrature of degree N on [-1, 1].
fn gauss_lobatto(degree: usize) -> (Vec<f64>, Vec<f64>) {
    let n = degree as f64;
    let mut points = vec![0.0; degree + 1];
    let mut weights = vec![0.0; degree + 1];
    for j in 0..=degree / 2 {
        let mut x = -(std::f64::consts::PI * j as f64 / n).cos();
        if 2 * j == degree {
            x = 0.0;
        }
        // Zeros of q = P_(N+1) - P_(N-1), whose derivative is (2N + 1) P_N.
        for _ in 0..50 {
            let [below, value, above] = legendre_polynomials(degree, x);
            let step = (above - below) / ((2.0 * n + 1.0) * value);
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        if j == 0 {
            x = -1.0;
        }
        let [_, value, _] = legendre_polynomials(degree, x);
        (points[j], points[degree - j]) = (x, -x);
        weights[j] = 2.0 / (n * (n + 1.0) * value * value);
        weights[degree - j] = weights[j];
    }
    (points, weights)
}

/// P_(N-1), P_N, P_(N+1) at x, by the recurrence, N >= 1.
fn legendre_polynomials(degree: usize, x: f64) -> [f64; 3] {
    let (mut below, mut value) = (1.0, x);
    let mut above = 1.5 * x * x - 0.5;
    for k in 2..=degree {
        let next = ((2 * k + 1) as f64 * x * above - k as f64 * value) / (k + 1) as f64;
        (below, value, above) = (value, above, next);
    }
    [below, value, above]
}

/// Matrix of the derivatives of the Lagrange polynomials at the points, row-major, by barycentric
/// weights; the diagonal is minus the sum of its row, so that constants have the derivative 0.
///
/// Source: J.-P. Berrut and L. N. Trefethen, SIAM Rev. 46 (2004) 501,
/// doi:10.1137/S0036144502417715.
fn differentiation(points: &[f64]) -> Vec<f64> {
    let n = points.len();
    // Differences over a quarter of the length: products of n of them neither over- nor underflow.
    let quarter = 0.25 * (points[n - 1] - points[0]);
    let barycentric = |j: usize| -> f64 {
        let others = points.iter().enumerate().filter(|(i, _)| *i != j);
        others.map(|(_, x)| quarter / (points[j] - x)).product()
    };
    let weights: Vec<f64> = (0..n).map(barycentric).collect();
    let mut slopes = vec![0.0; n * n];
    for (i, row) in slopes.chunks_exact_mut(n).enumerate() {
        for j in (0..n).filter(|j| *j != i) {
            row[j] = weights[j] / weights[i] / (points[i] - points[j]);
        }
        row[i] = -row.iter().sum::<f64>();
    }
    slopes
}
