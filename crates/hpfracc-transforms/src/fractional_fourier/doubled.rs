//! Samples, or those of their Fourier transform, at twice as many points: on the grid (even points
//! m = 2n of step `1/(2 sqrt(N))`) and half way between (odd points m = 2n + 1).
//!
//! The interpolant is the trigonometric polynomial with the frequencies of the grid, so that the
//! Fourier transform by quadrature on the doubled grid is the DFT to rounding, whatever the data.

use super::Route;
use crate::chirp::tone;
use crate::fourier::{Fourier, narrow};
use crate::grid::centre;
use crate::pointwise::{multiply, multiply_conjugate};
use crate::signal::{Signal, SignalMut, load, store};
use hpfracc_types::Real;
use num_complex::Complex;

pub(super) struct Doubled<T> {
    fourier: Fourier<T>,
    /// Whether the signal is reversed first.
    reversed: bool,
    /// Whether the Fourier transform of the samples is interpolated instead of the samples.
    transformed: bool,
    /// Half a step in the other domain: `exp(i pi k/N)/N` over the frequencies in the order of the
    /// FFT, or `exp(-i pi n/N)/sqrt(N)` over the samples.
    half_step: Vec<Complex<T>>,
    /// 1/sqrt(N), which makes the Fourier transform unitary.
    scale: T,
}

impl<T: Real> Doubled<T> {
    /// The preparation of a sum of order b.
    pub(super) fn new(n: usize, Route { reversed, transformed, b }: Route) -> Self {
        let (c, scale) = (centre(n), 1.0 / (n as f64).sqrt());
        let step = 1.0 / n as f64;
        let half_step = (0..n).map(|j| {
            if transformed {
                return tone(-step, j as i64 - c as i64) * scale;
            }
            // For even N the frequency N/2 is -N/2, too: the one at the first sample of the
            // result for b = 1, or for b = -1.
            let highest = if b.hi > 0.0 { n - 1 - c } else { c };
            let frequency = if j <= highest { j as i64 } else { j as i64 - n as i64 };
            tone(step, frequency) * step
        });
        Self {
            fourier: Fourier::new(n),
            reversed,
            transformed,
            half_step: half_step.map(narrow).collect(),
            scale: T::narrow(scale),
        }
    }

    pub(super) fn scratch_len(&self) -> usize {
        self.fourier.scratch_len()
    }

    fn n(&self) -> usize {
        self.half_step.len()
    }

    /// Reverses the samples if `reversed` is set. For even N the first one has no counterpart.
    fn reverse(&self, samples: &mut [Complex<T>]) {
        if self.reversed {
            samples[usize::from(self.n().is_multiple_of(2))..].reverse();
        }
    }

    /// Even and odd points from m = -N to N in turn: of the two buffers, the one that has both ends
    /// takes N + 1 entries, the other one N.
    pub(super) fn forward(
        &self,
        x: Signal<'_, T>,
        even: &mut [Complex<T>],
        odd: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        let (n, c) = (self.n(), centre(self.n()));
        load(x, &mut even[..n]);
        self.reverse(&mut even[..n]);
        odd[..n].copy_from_slice(&even[..n]);
        if self.transformed {
            even[..n].iter_mut().for_each(|e| *e *= self.scale);
            multiply(&mut odd[..n], &self.half_step);
            for part in [&mut even[..n], &mut odd[..n]] {
                part.rotate_left(c);
                self.fourier.forward(part, scratch);
                part.rotate_right(c);
            }
        } else {
            self.fourier.forward(&mut odd[..n], scratch);
            multiply(&mut odd[..n], &self.half_step);
            self.fourier.inverse(&mut odd[..n], scratch);
        }
        if n.is_multiple_of(2) {
            even[n] = even[0];
        } else {
            odd.copy_within(0..n, 1);
            odd[0] = odd[n];
        }
    }

    /// The conjugate transpose of [`Doubled::forward`].
    pub(super) fn adjoint(
        &self,
        even: &mut [Complex<T>],
        odd: &mut [Complex<T>],
        x: SignalMut<'_, T>,
        scratch: &mut [Complex<T>],
    ) {
        let (n, c) = (self.n(), centre(self.n()));
        if n.is_multiple_of(2) {
            even[0] += even[n];
        } else {
            odd[n] += odd[0];
            odd.copy_within(1..=n, 0);
        }
        if self.transformed {
            for part in [&mut even[..n], &mut odd[..n]] {
                part.rotate_left(c);
                self.fourier.inverse(part, scratch);
                part.rotate_right(c);
            }
            even[..n].iter_mut().for_each(|e| *e *= self.scale);
            multiply_conjugate(&mut odd[..n], &self.half_step);
        } else {
            self.fourier.forward(&mut odd[..n], scratch);
            multiply_conjugate(&mut odd[..n], &self.half_step);
            self.fourier.inverse(&mut odd[..n], scratch);
        }
        even[..n].iter_mut().zip(odd).for_each(|(e, o)| *e += *o);
        self.reverse(&mut even[..n]);
        store(&even[..n], x);
    }
}
