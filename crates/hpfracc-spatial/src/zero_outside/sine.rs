use crate::pool::Pool;
use num_complex::Complex64;
use realfft::{RealFftPlanner, RealToComplex};
use std::f64::consts::PI;
use std::sync::Arc;

/// Discrete sine transform of type I, `X_k = sum_j x_j sin(pi j k / (n+1))` for j and k from 1 to
/// n: its own inverse up to the factor 2/(n+1).
///
/// By one real FFT of length n + 1. Source: Press et al., Numerical Recipes, section 12.4.1.
pub(crate) struct SineTransform {
    n: usize,
    fourier: Arc<dyn RealToComplex<f64>>,
    sines: Vec<f64>,
    reals: Pool<f64>,
    complexes: Pool<Complex64>,
}

impl SineTransform {
    pub(crate) fn new(n: usize) -> Self {
        let len = n + 1;
        let fourier = RealFftPlanner::new().plan_fft_forward(len);
        let complexes = Pool::new(len / 2 + 1 + fourier.get_scratch_len());
        let sines = (0..len).map(|j| (PI * j as f64 / len as f64).sin()).collect();
        Self { n, fourier, sines, reals: Pool::new(len), complexes }
    }

    /// Overwrites x with its transform.
    pub(crate) fn process(&self, x: &mut [f64]) {
        let (n, len) = (self.n, self.n + 1);
        if n == 1 {
            return;
        }
        self.reals.with(|real| {
            self.complexes.with(|complex| {
                let (modes, scratch) = complex.split_at_mut(len / 2 + 1);
                real[0] = 0.0;
                for j in 1..len {
                    let (x, mirror) = (x[j - 1], x[n - j]);
                    real[j] = self.sines[j] * (x + mirror) + 0.5 * (x - mirror);
                }
                let _ = self.fourier.process_with_scratch(real, modes, scratch);
                let mut odd = 0.5 * modes[0].re;
                x[0] = odd;
                for k in 1..len.div_ceil(2) {
                    x[2 * k - 1] = -modes[k].im;
                    odd += modes[k].re;
                    if 2 * k < n {
                        x[2 * k] = odd;
                    }
                }
            });
        });
    }
}

/// Eigenvalues `t_0 + 2 sum_k t_k cos(pi j k / (n+1))`, j from 1 to n, of the sine (tau)
/// approximation of a symmetric Toeplitz matrix.
///
/// Source: Bini and Di Benedetto, SPAA 1990, p. 220. That the preconditioned spectrum is bounded for
/// symbols with a zero of order below 2: arXiv:1404.5332.
pub(crate) fn tau_eigenvalues(column: &[f64]) -> Vec<f64> {
    let n = column.len();
    let len = 2 * (n + 1);
    let mut even = vec![0.0; len];
    even[..n].copy_from_slice(column);
    for k in 1..n {
        even[len - k] = column[k];
    }
    let fourier = RealFftPlanner::new().plan_fft_forward(len);
    let mut modes = fourier.make_output_vec();
    let _ = fourier.process(&mut even, &mut modes);
    modes[1..=n].iter().map(|mode| mode.re).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_transforms_are_the_sum() {
        for n in [1, 2, 3, 4, 7, 10, 31] {
            let x: Vec<f64> = (0..n).map(|j| (1.3 * j as f64).cos() + 0.1).collect();
            let mut found = x.clone();
            SineTransform::new(n).process(&mut found);
            for k in 0..n {
                let angle = PI * (k + 1) as f64 / (n + 1) as f64;
                let exact: f64 =
                    x.iter().enumerate().map(|(j, x)| x * (angle * (j + 1) as f64).sin()).sum();
                assert!((found[k] - exact).abs() < 1e-13, "{n} {k}: {} {exact}", found[k]);
            }
        }
    }

    #[test]
    fn tau_eigenvalues_are_the_sum() {
        let column = [2.0, -0.7, 0.2, -0.1];
        for (j, found) in tau_eigenvalues(&column).iter().enumerate() {
            let angle = PI * (j + 1) as f64 / 5.0;
            let sum: f64 = (1..4).map(|k| column[k] * (angle * k as f64).cos()).sum();
            assert!((found - (column[0] + 2.0 * sum)).abs() < 1e-14);
        }
    }
}
