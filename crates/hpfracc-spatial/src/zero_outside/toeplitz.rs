use crate::pool::Pool;
use num_complex::Complex64;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use std::sync::Arc;

/// Product with a Toeplitz matrix by circulant embedding: one pair of real FFTs of a length of at
/// least 2n - 1.
pub(crate) struct Toeplitz {
    n: usize,
    forward: Arc<dyn RealToComplex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
    spectrum: Vec<Complex64>,
    reals: Pool<f64>,
    complexes: Pool<Complex64>,
}

impl Toeplitz {
    /// Matrix with the entries `column[i - j]` for i >= j and `row[j - i]` above the diagonal;
    /// row[0] is ignored.
    pub(crate) fn new(column: &[f64], row: &[f64]) -> Self {
        let n = column.len();
        let len = transform_len(2 * n - 1).max(2);
        let mut planner = RealFftPlanner::new();
        let (forward, inverse) = (planner.plan_fft_forward(len), planner.plan_fft_inverse(len));
        let mut circulant = vec![0.0; len];
        circulant[..n].copy_from_slice(column);
        for (k, entry) in row.iter().enumerate().skip(1) {
            circulant[len - k] = *entry;
        }
        let mut spectrum = forward.make_output_vec();
        // Both lengths are those of the plan: it cannot fail.
        let _ = forward.process(&mut circulant, &mut spectrum);
        for value in &mut spectrum {
            *value /= len as f64;
        }
        let scratch = forward.get_scratch_len().max(inverse.get_scratch_len());
        let complexes = Pool::new(spectrum.len() + scratch);
        Self { n, forward, inverse, spectrum, reals: Pool::new(len), complexes }
    }

    pub(crate) fn symmetric(column: &[f64]) -> Self {
        Self::new(column, column)
    }

    /// `y = T x`.
    pub(crate) fn product(&self, x: &[f64], y: &mut [f64]) {
        self.multiply(x, y, |s| s);
    }

    /// `y = T' x`.
    pub(crate) fn product_transpose(&self, x: &[f64], y: &mut [f64]) {
        self.multiply(x, y, |s| s.conj());
    }

    fn multiply(&self, x: &[f64], y: &mut [f64], factor: impl Fn(Complex64) -> Complex64) {
        self.reals.with(|real| {
            self.complexes.with(|complex| {
                let (modes, scratch) = complex.split_at_mut(self.spectrum.len());
                real[..self.n].copy_from_slice(x);
                real[self.n..].fill(0.0);
                let _ = self.forward.process_with_scratch(real, modes, scratch);
                for (mode, s) in modes.iter_mut().zip(&self.spectrum) {
                    *mode *= factor(*s);
                }
                make_hermitian(modes);
                let _ = self.inverse.process_with_scratch(modes, real, scratch);
                y.copy_from_slice(&real[..self.n]);
            });
        });
    }
}

/// Clears the imaginary parts of the lowest and highest modes of a real signal of even length: they
/// are rounding errors, and refused by the inverse transform.
pub(crate) fn make_hermitian(modes: &mut [Complex64]) {
    modes[0].im = 0.0;
    modes[modes.len() - 1].im = 0.0;
}

/// Even length of at least n at which an FFT is cheap: 2^k, 3 2^k or 9 2^k.
pub(crate) fn transform_len(n: usize) -> usize {
    let at_least = |factor: usize| factor * n.div_ceil(factor).next_power_of_two().max(2);
    [1, 3, 9].map(at_least).into_iter().fold(usize::MAX, usize::min)
}
