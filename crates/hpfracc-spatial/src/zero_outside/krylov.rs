//! Preconditioned Krylov methods for real and complex systems, given as closures. Reductions run
//! over fixed chunks in a fixed order: the same bits for any number of threads.

use crate::{Result, SpatialError};
use num_complex::Complex64;
use rayon::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Length of a partial sum.
const CHUNK: usize = 4096;
/// Length from which vectors are worth several threads.
const PARALLEL: usize = 1 << 16;
/// Number of vectors after which GMRES restarts.
const RESTART: usize = 60;

/// Real or complex number.
pub(crate) trait Scalar:
    Copy
    + Send
    + Sync
    + Default
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Sum
{
    fn conj(self) -> Self;
    fn norm_sqr(self) -> f64;
}

impl Scalar for f64 {
    fn conj(self) -> Self {
        self
    }

    fn norm_sqr(self) -> f64 {
        self * self
    }
}

impl Scalar for Complex64 {
    fn conj(self) -> Self {
        Complex64::conj(&self)
    }

    fn norm_sqr(self) -> f64 {
        Complex64::norm_sqr(&self)
    }
}

/// Number of iterations of a solve and the relative residual that it ends with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Iterations {
    pub(crate) count: usize,
    pub(crate) residual: f64,
}

/// Relative residual at which a solve ends, and the number of iterations at which it fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: usize,
}

/// Solves `A x = b` for `A' = A` with the preconditioned conjugate gradient method. All products are
/// unconjugated: for complex numbers it is the method for complex symmetric matrices (COCG).
///
/// Source: van der Vorst and Melissen, IEEE Trans. Magn. 26 (1990) 706, DOI 10.1109/20.106415.
pub(crate) fn conjugate_gradient<T: Scalar>(
    mut apply: impl FnMut(&[T], &mut [T]),
    mut precondition: impl FnMut(&[T], &mut [T]),
    b: &[T],
    x: &mut [T],
    limits: Limits,
) -> Result<Iterations> {
    x.fill(T::default());
    let (scale, n) = (norm(b), b.len());
    if scale == 0.0 {
        return Ok(Iterations { count: 0, residual: 0.0 });
    }
    let (mut r, mut z, mut q) = (b.to_vec(), vec![T::default(); n], vec![T::default(); n]);
    precondition(&r, &mut z);
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    let mut state = Iterations { count: 0, residual: 1.0 };
    while state.count < limits.max_iterations {
        apply(&p, &mut q);
        let step = rz / dot(&p, &q);
        add_multiple(x, step, &p);
        add_multiple(&mut r, -step, &q);
        state = Iterations { count: state.count + 1, residual: norm(&r) / scale };
        if state.residual <= limits.tolerance {
            return Ok(state);
        }
        if !state.residual.is_finite() {
            break;
        }
        precondition(&r, &mut z);
        let next = dot(&r, &z);
        let ratio = next / rz;
        rz = next;
        for (p, z) in p.iter_mut().zip(&z) {
            *p = *z + ratio * *p;
        }
    }
    Err(not_converged("conjugate gradient", state))
}

/// Solves `A x = b` with the generalised minimal residual method (GMRES), preconditioned from the
/// right, restarted after 60 iterations.
///
/// Source: Saad and Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, DOI 10.1137/0907058.
pub(crate) fn gmres<T: Scalar>(
    mut apply: impl FnMut(&[T], &mut [T]),
    mut precondition: impl FnMut(&[T], &mut [T]),
    b: &[T],
    x: &mut [T],
    limits: Limits,
) -> Result<Iterations> {
    x.fill(T::default());
    let (scale, n) = (norm(b), b.len());
    let mut state = Iterations { count: 0, residual: if scale == 0.0 { 0.0 } else { 1.0 } };
    let (mut r, mut z) = (b.to_vec(), vec![T::default(); n]);
    while state.residual > limits.tolerance {
        let beta = norm(&r);
        let mut basis = vec![scaled(&r, 1.0 / beta)];
        let mut least_squares = LeastSquares::new(beta);
        while basis.len() <= RESTART && state.residual > limits.tolerance {
            if state.count == limits.max_iterations {
                return Err(not_converged("GMRES", state));
            }
            let mut w = vec![T::default(); n];
            precondition(&basis[basis.len() - 1], &mut z);
            apply(&z, &mut w);
            let column = orthogonalise(&basis, &mut w);
            let length = norm(&w);
            state.count += 1;
            state.residual = least_squares.push(column, length) / scale;
            if !state.residual.is_finite() {
                return Err(not_converged("GMRES", state));
            }
            basis.push(scaled(&w, if length > 0.0 { 1.0 / length } else { 0.0 }));
        }
        let mut combination = vec![T::default(); n];
        for (v, c) in basis.iter().zip(least_squares.solve()) {
            add_multiple(&mut combination, c, v);
        }
        precondition(&combination, &mut z);
        add_multiple(x, T::from(1.0), &z);
        apply(x, &mut r);
        for (r, b) in r.iter_mut().zip(b) {
            *r = *b - *r;
        }
    }
    Ok(state)
}

/// Subtracts from w its components along an orthonormal basis, and returns them (modified
/// Gram-Schmidt).
fn orthogonalise<T: Scalar>(basis: &[Vec<T>], w: &mut [T]) -> Vec<T> {
    let mut column = Vec::with_capacity(basis.len() + 1);
    for v in basis {
        let h = sum_of(v, w, |v, w| v.conj() * w);
        add_multiple(w, -h, v);
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

fn not_converged(what: &'static str, state: Iterations) -> SpatialError {
    SpatialError::NotConverged { what, iterations: state.count, residual: state.residual }
}

fn scaled<T: Scalar>(x: &[T], factor: f64) -> Vec<T> {
    x.iter().map(|x| *x * T::from(factor)).collect()
}

/// `y += a x`.
fn add_multiple<T: Scalar>(y: &mut [T], a: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = *y + a * *x;
    }
}

/// `x' y`, not conjugated.
pub(crate) fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    sum_of(x, y, |x, y| x * y)
}

/// Euclidean norm.
pub(crate) fn norm<T: Scalar>(x: &[T]) -> f64 {
    sum_of(x, x, |x, _| x.norm_sqr()).sqrt()
}

/// Sum of `term(x_i, y_i)`, by chunks.
fn sum_of<T: Scalar, S: Scalar>(x: &[T], y: &[T], term: impl Fn(T, T) -> S + Sync) -> S {
    let part = |(x, y): (&[T], &[T])| x.iter().zip(y).map(|(x, y)| term(*x, *y)).sum::<S>();
    if x.len() < PARALLEL {
        x.chunks(CHUNK).zip(y.chunks(CHUNK)).map(part).sum()
    } else {
        let parts: Vec<S> = x.par_chunks(CHUNK).zip(y.par_chunks(CHUNK)).map(part).collect();
        parts.into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { tolerance: 1e-13, max_iterations: 200 };

    fn product<T: Scalar>(a: &[Vec<T>], x: &[T], y: &mut [T]) {
        for (y, row) in y.iter_mut().zip(a) {
            *y = row.iter().zip(x).map(|(a, x)| *a * *x).sum();
        }
    }

    fn residual<T: Scalar>(a: &[Vec<T>], x: &[T], b: &[T]) -> f64 {
        let mut y = vec![T::default(); b.len()];
        product(a, x, &mut y);
        y.iter_mut().zip(b).for_each(|(y, b)| *y = *b - *y);
        norm(&y) / norm(b)
    }

    #[test]
    fn complex_symmetric_systems_are_solved_by_conjugate_gradients() {
        let entry = |i: usize, j: usize| {
            let off = 1.0 / (1.0 + (i + 2 * j.min(i) + j) as f64);
            let diagonal = if i == j { Complex64::new(4.0 + i as f64, 2.0) } else { 0.0.into() };
            diagonal + Complex64::new(off, 0.1)
        };
        let symmetric = |i: usize, j: usize| entry(i.max(j), i.min(j));
        let a: Vec<Vec<Complex64>> =
            (0..20).map(|i| (0..20).map(|j| symmetric(i, j)).collect()).collect();
        let b: Vec<Complex64> = (0..20).map(|i| Complex64::new(1.0, i as f64)).collect();
        let mut x = vec![Complex64::default(); 20];
        let apply = |x: &[Complex64], y: &mut [Complex64]| product(&a, x, y);
        let copy = |x: &[Complex64], y: &mut [Complex64]| y.copy_from_slice(x);
        let state = conjugate_gradient(apply, copy, &b, &mut x, LIMITS).unwrap();
        assert!(state.count <= 25 && residual(&a, &x, &b) < 1e-12, "{state:?}");
    }

    #[test]
    fn gmres_solves_real_and_complex_systems_with_restarts() {
        let n = 150;
        let real = |i: usize, j: usize| match (i + 1, j) {
            (below, j) if below == j => -1.0,
            _ if i == j => 1.0 + i as f64 / 10.0,
            _ => 0.5 / (1.0 + (i * 3 + j) as f64),
        };
        let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| real(i, j)).collect()).collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 2.0).collect();
        let mut x = vec![0.0; n];
        let copy = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
        let limits = Limits { tolerance: 1e-12, max_iterations: 1000 };
        let state =
            gmres(|x: &[f64], y: &mut [f64]| product(&a, x, y), copy, &b, &mut x, limits).unwrap();
        assert!(state.count > RESTART && residual(&a, &x, &b) < 2e-12, "{state:?}");

        let rotated = |v: &f64| Complex64::new(*v, 0.3 * v * v);
        let a: Vec<Vec<Complex64>> =
            a[..40].iter().map(|row| row[..40].iter().map(rotated).collect()).collect();
        let b: Vec<Complex64> = b[..40].iter().map(rotated).collect();
        let mut x = vec![Complex64::default(); 40];
        let copy = |x: &[Complex64], y: &mut [Complex64]| y.copy_from_slice(x);
        let apply = |x: &[Complex64], y: &mut [Complex64]| product(&a, x, y);
        gmres(apply, copy, &b, &mut x, limits).unwrap();
        assert!(residual(&a, &x, &b) < 2e-12);
    }

    #[test]
    fn values_that_are_not_finite_end_a_solve() {
        let copy = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
        let mut x = [0.0; 2];
        let found = conjugate_gradient(copy, copy, &[f64::NAN, 1.0], &mut x, LIMITS);
        assert!(matches!(found, Err(SpatialError::NotConverged { iterations: 1, .. })));
        assert!(gmres(copy, copy, &[f64::INFINITY, 1.0], &mut x, LIMITS).is_err());
    }
}
