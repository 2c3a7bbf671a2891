//! Fourier transforms of contiguous real series.

use crate::Lanes;
use num_complex::Complex;
use realfft::{ComplexToReal, FftNum, RealFftPlanner, RealToComplex};
use std::fmt;
use std::sync::Arc;

/// A scalar with planned real transforms: `f32` or `f64`.
pub trait FourierScalar: Lanes + FftNum {
    /// The transform of `len` real numbers.
    ///
    /// A function of this crate for each scalar: planned in generic code, all of `rustfft` would be
    /// compiled again with every program.
    fn transform(len: usize) -> Arc<dyn RealToComplex<Self>>;

    /// Its inverse, without the factor `1 / len`.
    fn inverse_transform(len: usize) -> Arc<dyn ComplexToReal<Self>>;
}

macro_rules! fourier_scalar {
    ($($scalar:ident)*) => {$(
        impl FourierScalar for $scalar {
            fn transform(len: usize) -> Arc<dyn RealToComplex<Self>> {
                RealFftPlanner::new().plan_fft_forward(len)
            }

            fn inverse_transform(len: usize) -> Arc<dyn ComplexToReal<Self>> {
                RealFftPlanner::new().plan_fft_inverse(len)
            }
        }
    )*};
}
fourier_scalar!(f32 f64);

/// Transforms of one length with buffers of their sizes.
pub(super) struct RealTransform<T: FourierScalar> {
    len: usize,
    forward: Arc<dyn RealToComplex<T>>,
    inverse: Arc<dyn ComplexToReal<T>>,
}

/// The invariant of every call below.
const LENGTHS: &str = "the buffers have the lengths of the plan";

impl<T: FourierScalar> RealTransform<T> {
    pub(super) fn new(len: usize) -> Self {
        Self { len, forward: T::transform(len), inverse: T::inverse_transform(len) }
    }

    /// Numbers of a half spectrum.
    pub(super) fn bins(&self) -> usize {
        self.len / 2 + 1
    }

    /// Complex numbers of scratch that both directions take.
    pub(super) fn scratch_len(&self) -> usize {
        self.forward.get_scratch_len().max(self.inverse.get_scratch_len())
    }

    /// The half spectrum of a series of `len` numbers, which is overwritten.
    pub(super) fn spectrum(
        &self,
        series: &mut [T],
        spectrum: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        self.forward.process_with_scratch(series, spectrum, scratch).expect(LENGTHS);
    }

    /// `len` times the series of a half spectrum, which is overwritten.
    pub(super) fn series(
        &self,
        spectrum: &mut [Complex<T>],
        series: &mut [T],
        scratch: &mut [Complex<T>],
    ) {
        // The spectrum of real numbers is real at both ends, up to rounding.
        let last = spectrum.len() - 1;
        (spectrum[0].im, spectrum[last].im) = (T::zero(), T::zero());
        self.inverse.process_with_scratch(spectrum, series, scratch).expect(LENGTHS);
    }
}

impl<T: FourierScalar> fmt::Debug for RealTransform<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RealTransform").field("len", &self.len).finish_non_exhaustive()
    }
}

/// `y[n] = sum_{k <= n} w[k] x[n-k]` of contiguous series, two real transforms each.
///
/// Cost: O(N log N) a series. Error: rounding, relative to the largest value of the series.
#[derive(Debug)]
pub struct SeriesConvolution<T: FourierScalar> {
    times: usize,
    transform: RealTransform<T>,
    /// Spectrum of the weights, divided by the length of the transform.
    weights: Vec<Complex<T>>,
}

/// Buffers of a [`SeriesConvolution`].
#[derive(Debug)]
pub struct SeriesBuffers<T> {
    series: Vec<T>,
    spectrum: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

impl<T: FourierScalar> SeriesConvolution<T> {
    /// The convolution with `weights[k]` of the lag k, for series as long as the weights.
    ///
    /// The spectrum is computed in double precision and rounded once.
    #[must_use]
    pub fn new(weights: &[f64]) -> Self {
        let times = weights.len();
        let len = transform_len(2 * times);
        let exact = RealTransform::<f64>::new(len);
        let mut padded = vec![0.0; len];
        let scaled = weights.iter().map(|w| w / len as f64);
        padded.iter_mut().zip(scaled).for_each(|(padded, w)| *padded = w);
        let mut spectrum = vec![Complex::ZERO; exact.bins()];
        let mut scratch = vec![Complex::ZERO; exact.scratch_len()];
        exact.spectrum(&mut padded, &mut spectrum, &mut scratch);
        let narrow = |z: Complex<f64>| Complex::new(T::narrow(z.re), T::narrow(z.im));
        let weights = spectrum.into_iter().map(narrow).collect();
        Self { times, transform: RealTransform::new(len), weights }
    }

    /// Buffers for [`convolve`](Self::convolve).
    #[must_use]
    pub fn buffers(&self) -> SeriesBuffers<T> {
        let zero = Complex::new(T::zero(), T::zero());
        SeriesBuffers {
            series: vec![T::zero(); self.transform.len],
            spectrum: vec![zero; self.transform.bins()],
            scratch: vec![zero; self.transform.scratch_len()],
        }
    }

    /// Replaces a series by its convolution.
    ///
    /// # Panics
    /// Panics if the series is not as long as the weights.
    pub fn convolve(&self, x: &mut [T], buffers: &mut SeriesBuffers<T>) {
        let SeriesBuffers { series, spectrum, scratch } = buffers;
        series[..self.times].copy_from_slice(x);
        series[self.times..].fill(T::zero());
        self.transform.spectrum(series, spectrum, scratch);
        for (z, w) in spectrum.iter_mut().zip(&self.weights) {
            *z *= *w;
        }
        self.transform.series(spectrum, series, scratch);
        x.copy_from_slice(&series[..self.times]);
    }
}

/// The smallest even length of at least n that is a power of two times 1, 3, 5, 9 or 15.
fn transform_len(n: usize) -> usize {
    let at_least = |odd: usize| odd * n.div_ceil(odd).next_power_of_two().max(2);
    [1, 3, 5, 9, 15].map(at_least).into_iter().min().unwrap_or(n)
}
