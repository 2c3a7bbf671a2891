//! Axes with the same kind of boundary, Neumann or Dirichlet, on both ends.

use super::LineTransform;
use num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::f64::consts::{FRAC_PI_2, SQRT_2};
use std::sync::Arc;

/// Orthonormal DCT-II (even: Neumann) or DST-II (odd: Dirichlet) by one complex Fourier transform
/// of n points.
///
/// `c_k = s_k sum_j x_j cos(pi k (j + 1/2) / n)`, with k = 0..n, and
/// `c_k = s_(n-1-k) sum_j x_j sin(pi (k + 1) (j + 1/2) / n)`, with s_0 = n^(-1/2) and else
/// s_k = (2/n)^(1/2). The sines of x are the cosines of `(-1)^j x_j` in reverse order.
///
/// Source: J. Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28 (1980) 27,
/// doi:10.1109/TASSP.1980.1163351.
pub(super) struct Cosine {
    odd: bool,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
    /// `(2n)^(-1/2) exp(-i pi k / (2n))`, k = 0..=n/2.
    twiddles: Vec<Complex64>,
}

impl Cosine {
    pub(super) fn new(n: usize, odd: bool) -> Self {
        let mut planner = FftPlanner::new();
        let scale = 1.0 / (2.0 * n as f64).sqrt();
        let twiddle = |k| Complex64::from_polar(scale, -FRAC_PI_2 * k as f64 / n as f64);
        Self {
            odd,
            forward: planner.plan_fft_forward(n),
            inverse: planner.plan_fft_inverse(n),
            twiddles: (0..=n / 2).map(twiddle).collect(),
        }
    }

    /// Writes the values at even positions, then those at odd positions in reverse order.
    fn permute(&self, line: &[Complex64], work: &mut [Complex64]) {
        let sign = if self.odd { -1.0 } else { 1.0 };
        let (even, odd) = work.split_at_mut(line.len().div_ceil(2));
        let pairs = line.chunks_exact(2);
        if let [last] = pairs.remainder() {
            even[even.len() - 1] = *last;
        }
        for ((pair, a), b) in pairs.zip(even).zip(odd.iter_mut().rev()) {
            *a = pair[0];
            *b = pair[1] * sign;
        }
    }

    fn permute_back(&self, work: &[Complex64], line: &mut [Complex64]) {
        let sign = if self.odd { -1.0 } else { 1.0 };
        let (even, odd) = work.split_at(line.len().div_ceil(2));
        let mut pairs = line.chunks_exact_mut(2);
        for ((pair, a), b) in pairs.by_ref().zip(even).zip(odd.iter().rev()) {
            pair[0] = *a;
            pair[1] = *b * sign;
        }
        if let [last] = pairs.into_remainder() {
            *last = even[even.len() - 1];
        }
    }
}

impl LineTransform for Cosine {
    fn to_modes(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        let n = line.len();
        let (work, scratch) = scratch.split_at_mut(n);
        self.permute(line, work);
        self.forward.process_with_scratch(work, scratch);
        // With a = w_k V_k and b = conj(w_k) V_(n-k): c_k = a + b, c_(n-k) = i (a - b).
        let pair = |k: usize| {
            let (a, b) = (self.twiddles[k] * work[k], self.twiddles[k].conj() * work[n - k]);
            (a + b, Complex64::new(b.im - a.im, a.re - b.re))
        };
        let first = work[0] * (SQRT_2 * self.twiddles[0].re);
        if self.odd {
            line[n - 1] = first;
            for k in 1..n.div_ceil(2) {
                (line[n - 1 - k], line[k - 1]) = pair(k);
            }
        } else {
            line[0] = first;
            for k in 1..n.div_ceil(2) {
                (line[k], line[n - k]) = pair(k);
            }
        }
        if n.is_multiple_of(2) {
            line[n / 2 - usize::from(self.odd)] = pair(n / 2).0;
        }
    }

    fn to_values(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        let n = line.len();
        let (work, scratch) = scratch.split_at_mut(n);
        let pair = |k: usize, c: Complex64, d: Complex64| {
            let id = Complex64::new(-d.im, d.re);
            (self.twiddles[k].conj() * (c - id), self.twiddles[k] * (c + id))
        };
        let first = if self.odd { line[n - 1] } else { line[0] };
        work[0] = first * (SQRT_2 * self.twiddles[0].re);
        if self.odd {
            for k in 1..=n / 2 {
                (work[k], work[n - k]) = pair(k, line[n - 1 - k], line[k - 1]);
            }
        } else {
            for k in 1..=n / 2 {
                (work[k], work[n - k]) = pair(k, line[k], line[n - k]);
            }
        }
        self.inverse.process_with_scratch(work, scratch);
        self.permute_back(work, line);
    }

    fn scratch_len(&self) -> usize {
        let fft = self.forward.get_inplace_scratch_len();
        self.twiddles.len() * 2 + fft.max(self.inverse.get_inplace_scratch_len())
    }
}
