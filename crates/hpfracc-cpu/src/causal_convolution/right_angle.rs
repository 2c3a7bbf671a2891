//! Right-angle convolution: the causal part of a product of polynomials from one complex
//! transform of half the padded length.
//!
//! Write x and w as polynomials of degree below N <= M, and their product as `L + z^M H`, both
//! parts of degree below M. L holds the causal convolution in its first N coefficients, and
//! nothing of H. Modulo `z^M - i` the product is `L + i H`: what wraps around lands in the
//! imaginary part. The substitution z -> a z with `a = exp(i pi / (2 M))`, so that a^M = i, turns
//! this into an ordinary cyclic product:
//!
//! `L[n] = Re(a^-n IDFT(DFT(a^n x) DFT(a^n w))[n])`.
//!
//! The transpose correlates instead, `x[j] = sum_{n >= j} w[n-j] y[n]`. With the conjugate of the
//! weights' transform the same formula gives `sum_n conj(a^(n-j) w[n-j]) a^n y[n] = a^j x[j]`, and
//! a negative n - j stands for n - j + M, which costs a factor a^-M = -i: again imaginary.
//!
//! Zero padding needs real transforms of length 2M instead: the same complex transforms of length M
//! with a pass over the spectrum after or before each, and memory traffic for the padding.

use crate::buffers::aligned::Aligned;
use crate::fourier::planners::{ComplexPair, Transforms};
use crate::fourier::roots_of_unity::root;
use crate::fourier::{lengths, pointwise};
use hpfracc_backend::Direction;
use hpfracc_lanes::Lanes;
use num_complex::Complex;

/// One transform that fits the cache.
pub(super) struct RightAngle<T> {
    fft: ComplexPair<T>,
    /// a^n for the N samples.
    twist: Aligned<Complex<T>>,
    m: usize,
}

impl<T: Lanes> RightAngle<T> {
    pub(super) fn new(len: usize, transforms: &Transforms) -> Self {
        let m = lengths::fastest(len);
        let mut twist = Aligned::new(len, Complex::default());
        for (n, twist) in twist.iter_mut().enumerate() {
            *twist = root(n as u64, 4 * m as u64);
        }
        Self { fft: transforms.complex(m), twist, m }
    }

    pub(super) fn spectrum_len(&self) -> usize {
        self.m
    }

    pub(super) fn scratch_len(&self) -> usize {
        let fft = &self.fft;
        self.m + fft.forward.get_inplace_scratch_len().max(fft.inverse.get_inplace_scratch_len())
    }

    pub(super) fn table_bytes(&self) -> usize {
        Aligned::<Complex<T>>::bytes(self.twist.len())
    }

    /// `DFT(a^n w) / M`.
    pub(super) fn spectrum(
        &self,
        w: &[T],
        spectrum: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        self.transform(w, spectrum, scratch);
        let norm = T::narrow(1.0 / self.m as f64);
        spectrum.iter_mut().for_each(|value| *value *= norm);
    }

    pub(super) fn apply(
        &self,
        spectrum: &[Complex<T>],
        direction: Direction,
        from: &[T],
        to: &mut [T],
        scratch: &mut [Complex<T>],
    ) {
        let (buffer, scratch) = scratch.split_at_mut(self.m);
        self.transform(from, buffer, scratch);
        pointwise::multiply(buffer, spectrum, direction);
        self.fft.inverse.process_with_scratch(buffer, scratch);
        for ((to, value), twist) in to.iter_mut().zip(buffer.iter()).zip(self.twist.iter()) {
            *to = value.re * twist.re + value.im * twist.im;
        }
    }

    fn transform(&self, from: &[T], buffer: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        let (samples, padding) = buffer.split_at_mut(from.len());
        for ((value, &sample), twist) in samples.iter_mut().zip(from).zip(self.twist.iter()) {
            *value = twist * sample;
        }
        padding.fill(Complex::default());
        self.fft.forward.process_with_scratch(buffer, scratch);
    }
}
