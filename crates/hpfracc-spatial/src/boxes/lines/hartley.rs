//! Periodic axes.

use super::LineTransform;
use num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// Hartley transform `c_k = n^(-1/2) sum_j x_j (cos + sin)(2 pi j k / n)`: real, symmetric and its
/// own inverse. The modes k and n - k have the same eigenvalue.
///
/// Source: R. N. Bracewell, J. Opt. Soc. Am. 73 (1983) 1832, doi:10.1364/JOSA.73.001832.
pub(super) struct Hartley {
    fft: Arc<dyn Fft<f64>>,
}

impl Hartley {
    pub(super) fn new(n: usize) -> Self {
        Self { fft: FftPlanner::new().plan_fft_forward(n) }
    }

    fn transform(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        let n = line.len();
        self.fft.process_with_scratch(line, scratch);
        let scale = 1.0 / (n as f64).sqrt();
        let half = Complex64::new(0.5 * scale, 0.5 * scale);
        line[0] *= scale;
        // Both halves from their ends: Z_k and Z_(n-k).
        let (low, high) = line[1..].split_at_mut((n - 1) / 2);
        let skipped = high.len() - low.len();
        if skipped == 1 {
            high[0] *= scale;
        }
        for (a, b) in low.iter_mut().zip(high[skipped..].iter_mut().rev()) {
            let (u, v) = (*a, *b);
            *a = half * u + half.conj() * v;
            *b = half * v + half.conj() * u;
        }
    }
}

impl LineTransform for Hartley {
    fn to_modes(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        self.transform(line, scratch);
    }

    fn to_values(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        self.transform(line, scratch);
    }

    fn scratch_len(&self) -> usize {
        self.fft.get_inplace_scratch_len()
    }
}
