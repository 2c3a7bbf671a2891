//! Samples, or those of their Fourier transform, at twice as many points: on the grid (even points
//! m = 2n of step `1/(2 sqrt(N))`) and half way between (odd points m = 2n + 1).
//!
//! Between samples stands the trigonometric polynomial with the frequencies of the grid, so that the
//! Fourier transform by quadrature on the doubled grid is the DFT to rounding, whatever the data.

use super::Route;
use crate::chirp::tone;
use crate::fourier::{Fourier, multiply, multiply_conjugate, narrow};
use crate::grid::{centre, mirrored};
use hpfracc_types::Real;
use ndarray::{ArrayView1, ArrayViewMut1};
use num_complex::Complex;

pub(super) struct Doubled<T> {
    fourier: Fourier<T>,
    /// The record is reversed first.
    reversed: bool,
    /// Of the samples' Fourier transform instead of the samples.
    transformed: bool,
    /// Half a step in the other domain: `exp(i pi k/N)/N` over the frequencies in the order of the FFT,
    /// or `exp(-i pi n/N)/sqrt(N)` over the samples.
    half_step: Vec<Complex<T>>,
    /// 1/sqrt(N), what makes the Fourier transform unitary.
    scale: T,
}

impl<T: Real> Doubled<T> {
    /// What goes before the sum of order b.
    pub(super) fn new(n: usize, Route { reversed, transformed, b }: Route) -> Self {
        let (c, scale) = (centre(n), 1.0 / (n as f64).sqrt());
        let step = 1.0 / n as f64;
        let half_step = (0..n).map(|j| {
            if transformed {
                return tone(-step, j as i64 - c as i64) * scale;
            }
            // For even N the frequency N/2 is -N/2, too: the one that stands at the first sample of the
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

    fn source(&self, j: usize) -> usize {
        if self.reversed { mirrored(j, self.n()) } else { j }
    }

    /// Even and odd points from m = -N to N in turn: of the two buffers, the one that has both ends takes
    /// N + 1 entries, the other one N.
    pub(super) fn forward(
        &self,
        x: ArrayView1<'_, Complex<T>>,
        even: &mut [Complex<T>],
        odd: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        let (n, c) = (self.n(), centre(self.n()));
        let copies = even.iter_mut().zip(&mut *odd).enumerate().take(n);
        copies.for_each(|(j, (e, o))| {
            let x = x[self.source(j)];
            (*e, *o) = (x, x);
        });
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
        mut x: ArrayViewMut1<'_, Complex<T>>,
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
        let sums = even.iter().zip(odd).enumerate().take(n);
        sums.for_each(|(j, (e, o))| x[self.source(j)] = *e + *o);
    }
}
