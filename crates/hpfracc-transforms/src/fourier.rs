//! Transforms of one length, both ways, and spectra of kernels.

use hpfracc_types::Real;
use num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// The transform of one length and its inverse, in place and without a factor 1/len.
#[derive(Clone)]
pub(crate) struct Fourier<T> {
    forward: Arc<dyn Fft<T>>,
    inverse: Arc<dyn Fft<T>>,
}

impl<T: Real> Fourier<T> {
    pub(crate) fn new(len: usize) -> Self {
        let mut planner = FftPlanner::new();
        Self { forward: planner.plan_fft_forward(len), inverse: planner.plan_fft_inverse(len) }
    }

    pub(crate) fn len(&self) -> usize {
        self.forward.len()
    }

    /// Workspace of the transforms, in complex numbers.
    pub(crate) fn scratch_len(&self) -> usize {
        self.forward.get_inplace_scratch_len().max(self.inverse.get_inplace_scratch_len())
    }

    pub(crate) fn forward(&self, data: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        self.forward.process_with_scratch(data, scratch);
    }

    pub(crate) fn inverse(&self, data: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        self.inverse.process_with_scratch(data, scratch);
    }

    /// The spectrum, over the length, of the kernel `h(lag)` for `lags`, negative ones wrapped
    /// around. In double precision, rounded once.
    pub(crate) fn spectrum(
        &self,
        lags: std::ops::Range<i64>,
        h: impl Fn(i64) -> Complex<f64>,
    ) -> Vec<Complex<T>> {
        let len = self.len();
        let scale = 1.0 / len as f64;
        let mut kernel = vec![Complex::default(); len];
        for lag in lags {
            kernel[lag.rem_euclid(len as i64) as usize] = h(lag) * scale;
        }
        FftPlanner::new().plan_fft_forward(len).process(&mut kernel);
        kernel.into_iter().map(narrow).collect()
    }
}

/// The nearest complex number of this precision.
pub(crate) fn narrow<T: Real>(z: Complex<f64>) -> Complex<T> {
    Complex::new(T::narrow(z.re), T::narrow(z.im))
}

/// The same complex number in double precision.
pub(crate) fn widen<T: Real>(z: Complex<T>) -> Complex<f64> {
    Complex::new(z.re.widen(), z.im.widen())
}

/// A length of at least `n` at which the transform is cheap: 2^a 3^b with the least `m log m`,
/// powers of two having 15 % of advance, as measured for rustfft.
pub(crate) fn cheap_len(n: usize) -> usize {
    let cost = |m: usize| {
        let weight = if m.is_power_of_two() { 1.0 } else { 1.15 };
        weight * m as f64 * (m as f64).log2()
    };
    let mut best = n.next_power_of_two();
    let mut odd = 3;
    while 16 * odd < best {
        let mut candidate = 16 * odd;
        while candidate < n {
            candidate *= 2;
        }
        if cost(candidate) < cost(best) {
            best = candidate;
        }
        odd *= 3;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_lengths_are_long_enough_and_little_longer() {
        for n in (1..3000).chain([99_999, 100_001, 1_000_003, 1 << 21]) {
            let m = cheap_len(n);
            assert!(m >= n && m <= n.next_power_of_two(), "{n}: {m}");
            assert!(n < 100 || (m as f64) < 1.37 * n as f64, "{n}: {m}");
        }
    }
}
