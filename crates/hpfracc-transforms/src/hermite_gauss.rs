//! Discrete Hermite-Gauss functions: the common eigenvectors of the DFT and of the matrix S.
//!
//! S commutes with the reversal n -> -n mod N, so it is two matrices: on even vectors, with the
//! basis `e_0, (e_n + e_-n)/sqrt(2), e_(N/2)`, and on odd ones, `(e_n - e_-n)/sqrt(2)`. Both are
//! tridiagonal with positive neighbours, so neither has a double eigenvalue (S itself has one if 4
//! divides N), and by Sturm's theorem the eigenvector of the r-th largest eigenvalue has r changes
//! of sign. Even vectors so have 0, 2, 4, ... crossings on the whole circle, odd ones 1, 3, 5, ...

use crate::fourier::Fourier;
use crate::grid::centre;
use crate::pointwise::add_component;
use crate::signal::{Signal, SignalMut};
use crate::{Result, TransformError};
use hpfracc_types::Real;
use nalgebra::{DMatrix, SymmetricEigen};
use ndarray::Array1;
use num_complex::Complex;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};

/// Eigenvectors of N points.
pub(crate) struct HermiteGauss<T> {
    n: usize,
    /// One row per eigenvector, k = 0, 2, 4, ...; coordinates in the even basis.
    even: Vec<T>,
    /// k = 1, 3, 5, ...; coordinates in the odd basis.
    odd: Vec<T>,
}

impl<T: Real> HermiteGauss<T> {
    pub(crate) fn new(n: usize) -> Result<Self> {
        let diagonal = |j: usize| 2.0 * (TAU * j as f64 / n as f64).cos() - 4.0;
        let (evens, odds) = (n / 2 + 1, (n - 1) / 2);
        // Where n is odd, the last point is its mirror image's neighbour.
        let last = if n % 2 == 1 { 1.0 } else { 0.0 };
        let even = DMatrix::from_fn(evens, evens, |i, j| match (i.min(j), i.abs_diff(j)) {
            (i, 0) => diagonal(i) + if i + 1 == evens { last } else { 0.0 },
            // e_0 and e_(N/2) are their own mirror images. With two points they are neighbours
            // twice.
            (0, 1) if n == 2 => 2.0,
            (i, 1) if i == 0 || (n.is_multiple_of(2) && i + 2 == evens) => SQRT_2,
            (_, 1) => 1.0,
            _ => 0.0,
        });
        let odd = DMatrix::from_fn(odds, odds, |i, j| match i.abs_diff(j) {
            0 => diagonal(i + 1) - if i + 1 == odds { last } else { 0.0 },
            1 => 1.0,
            _ => 0.0,
        });
        let mut found =
            HermiteGauss { n, even: eigenvectors(n, even)?, odd: eigenvectors(n, odd)? };
        found.project();
        let narrow = |rows: Vec<f64>| rows.into_iter().map(T::narrow).collect();
        Ok(Self { n, even: narrow(found.even), odd: narrow(found.odd) })
    }

    pub(crate) fn n(&self) -> usize {
        self.n
    }

    fn evens(&self) -> usize {
        self.n / 2 + 1
    }

    /// The index k of each eigenvector, even ones first.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + use<T> {
        let (evens, odds) = (self.evens(), self.n - self.evens());
        (0..evens).map(|r| 2 * r).chain((0..odds).map(|r| 2 * r + 1))
    }

    /// Coordinates of a signal in the even and the odd basis, one after the other.
    pub(crate) fn split(&self, x: Signal<'_, T>, parts: &mut [Complex<T>]) {
        let (n, c, evens) = (self.n, centre(self.n), self.evens());
        let half = T::narrow(FRAC_1_SQRT_2);
        let (even, odd) = parts.split_at_mut(evens);
        even[0] = x[c];
        for j in 1..=odd.len() {
            let (right, left) = (x[c + j], x[c - j]);
            even[j] = (right + left) * half;
            odd[j - 1] = (right - left) * half;
        }
        if n.is_multiple_of(2) {
            even[evens - 1] = x[0];
        }
    }

    /// The inverse, and the transpose, of [`HermiteGauss::split`].
    pub(crate) fn join(&self, parts: &[Complex<T>], mut y: SignalMut<'_, T>) {
        let (n, c, evens) = (self.n, centre(self.n), self.evens());
        let half = T::narrow(FRAC_1_SQRT_2);
        let (even, odd) = parts.split_at(evens);
        y[c] = even[0];
        for j in 1..=odd.len() {
            y[c + j] = (even[j] + odd[j - 1]) * half;
            y[c - j] = (even[j] - odd[j - 1]) * half;
        }
        if n.is_multiple_of(2) {
            y[0] = even[evens - 1];
        }
    }

    /// `V diag(eigenvalue) V'` on split coordinates. Each eigenvector is read from memory once.
    pub(crate) fn function(
        &self,
        x: &[Complex<T>],
        y: &mut [Complex<T>],
        eigenvalue: impl Fn(usize) -> Complex<T>,
    ) {
        let evens = self.evens();
        y.fill(Complex::default());
        let (x_even, x_odd) = x.split_at(evens);
        let (y_even, y_odd) = y.split_at_mut(evens);
        for (r, v) in self.even.chunks_exact(evens).enumerate() {
            add_component(v, x_even, y_even, eigenvalue(r));
        }
        for (r, v) in self.odd.chunks_exact((self.n - evens).max(1)).enumerate() {
            add_component(v, x_odd, y_odd, eigenvalue(evens + r));
        }
    }
}

impl HermiteGauss<f64> {
    /// Projects each eigenvector onto the eigenspace of the DFT that it belongs to.
    ///
    /// An eigenvector of S comes with an error of about an ulp over the distance of its eigenvalue
    /// from the next, and that is mostly the next eigenvector, k + 2 or k - 2, whose eigenvalue of
    /// the DFT is the opposite one. Without the projection `F^1` is off from the DFT by 3e-13 at
    /// N = 255.
    fn project(&mut self) {
        let (n, c, evens) = (self.n, centre(self.n), self.evens());
        let fourier = Fourier::<f64>::new(n);
        let mut scratch = vec![Complex::default(); fourier.scratch_len()];
        let (mut parts, mut x) = (vec![Complex::default(); n], Array1::default(n));
        for at in 0..n {
            let (first, row) = if at < evens {
                (0, at * evens..(at + 1) * evens)
            } else {
                (evens, (at - evens) * (n - evens)..(at - evens + 1) * (n - evens))
            };
            let rows = if first == 0 { &self.even } else { &self.odd };
            parts.fill(Complex::default());
            parts[first..].iter_mut().zip(&rows[row.clone()]).for_each(|(p, v)| *p = (*v).into());
            self.join(&parts, x.view_mut());
            if let Some(x) = x.as_slice_mut() {
                x.rotate_left(c);
                fourier.forward(x, &mut scratch);
                x.rotate_right(c);
            }
            self.split(x.view(), &mut parts);
            // F is real on even vectors, imaginary on odd ones: eigenvalues 1, -i, -1, i in turn.
            let rank = if first == 0 { at } else { at - evens };
            let sign = if rank % 2 == 0 { 1.0 } else { -1.0 };
            let image = |p: &Complex<f64>| if first == 0 { p.re } else { -p.im };
            let rows = if first == 0 { &mut self.even } else { &mut self.odd };
            let row = &mut rows[row];
            let scale = sign / (n as f64).sqrt();
            row.iter_mut().zip(&parts[first..]).for_each(|(v, p)| *v += scale * image(p));
            let norm = row.iter().map(|v| v * v).sum::<f64>().sqrt();
            row.iter_mut().for_each(|v| *v /= norm);
        }
    }
}

/// Eigenvectors as rows, the largest eigenvalue's first.
fn eigenvectors(n: usize, matrix: DMatrix<f64>) -> Result<Vec<f64>> {
    let len = matrix.nrows();
    if len == 0 {
        return Ok(Vec::new());
    }
    // Less than two iterations per eigenvalue are usual.
    let iterations = 100 * len;
    let Some(eigen) = SymmetricEigen::try_new(matrix, f64::EPSILON, iterations) else {
        return Err(TransformError::NoEigenvectors { n, iterations });
    };
    let mut ranks: Vec<usize> = (0..len).collect();
    ranks.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let columns = eigen.eigenvectors.as_slice();
    Ok(ranks.iter().flat_map(|rank| &columns[rank * len..(rank + 1) * len]).copied().collect())
}
