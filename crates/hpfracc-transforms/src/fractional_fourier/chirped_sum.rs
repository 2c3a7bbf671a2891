//! The integral of order b, `0.5 <= |b| <= 1.5`, as a trapezoidal sum over the doubled grid
//! `x_m = m/(2 sqrt(N))`, m = -N..=N:
//!
//! `y(u) = s exp(-i pi t u^2) sum_m exp(i pi csc(phi) (u - x_m)^2) exp(-i pi t x_m^2) g_m`
//!
//! with `phi = b pi/2`, `t = tan(phi/2) = csc(phi) - cot(phi)`,
//! `s = sqrt(1 - i cot(phi))/(2 sqrt(N))`. For u on the grid, even and odd m are two convolutions
//! of half the length.

use crate::chirp::chirp;
use crate::fourier::{Fourier, cheap_len, narrow};
use crate::grid::centre;
use crate::pointwise::{combine, multiply, multiply_conjugate};
use hpfracc_special::DoubleDouble;
use hpfracc_types::Real;
use num_complex::Complex;

pub(super) struct ChirpedSum<T> {
    pub(super) csc: f64,
    pub(super) cot: f64,
    fourier: Fourier<T>,
    even: Points<T>,
    odd: Points<T>,
    /// `s exp(-i pi t u^2)`.
    pub(super) after: Vec<Complex<T>>,
}

/// Every second point of the doubled grid.
struct Points<T> {
    /// The points x_m.
    x: Vec<f64>,
    /// Weight of the trapezoidal rule times `exp(-i pi t x_m^2)`.
    before: Vec<Complex<T>>,
    /// Spectrum of `exp(i pi csc(phi) (u - x)^2)` over the transform's length.
    kernel: Vec<Complex<T>>,
}

impl<T: Real> ChirpedSum<T> {
    pub(super) fn new(n: usize, order: DoubleDouble) -> Self {
        let half_angle = order.times(DoubleDouble::PI).scaled(0.25);
        let (sine, cosine) = half_angle.sin_cos();
        let tan = sine.over(cosine);
        let csc = DoubleDouble::from(0.5).over(sine.times(cosine));
        let four_n = DoubleDouble::from(4.0 * n as f64);
        let (outer, inner) = (tan.over(four_n).negated(), csc.over(four_n));

        let cot = csc.hi - tan.hi;
        let scale = Complex::new(1.0, -cot).sqrt() / (2.0 * (n as f64).sqrt());
        let fourier = Fourier::new(cheap_len(2 * n));
        let (n, c) = (n as i64, centre(n) as i64);
        let points = |first: i64| {
            let m = || (first..=n).step_by(2);
            let trapezoid = |m: i64| if m.abs() == n { 0.5 } else { 1.0 };
            let offset = -2 * c - first;
            Points {
                x: m().map(|m| m as f64 / (2.0 * (n as f64).sqrt())).collect(),
                before: m().map(|m| narrow(chirp(outer, m) * trapezoid(m))).collect(),
                kernel: fourier
                    .spectrum(1 - m().count() as i64..n, |lag| chirp(inner, 2 * lag + offset)),
            }
        };
        Self {
            csc: csc.hi,
            cot,
            even: points(-2 * (n / 2)),
            odd: points(1 - 2 * ((n + 1) / 2)),
            after: (-c..n - c).map(|k| narrow(chirp(outer, 2 * k) * scale)).collect(),
            fourier,
        }
    }

    /// Length of the two buffers.
    pub(super) fn len(&self) -> usize {
        self.fourier.len()
    }

    pub(super) fn scratch_len(&self) -> usize {
        self.fourier.scratch_len()
    }

    /// The sum for `x_m^power g_m`, in the first N entries of `even`, without the factor `after`.
    pub(super) fn forward(
        &self,
        even: &mut [Complex<T>],
        odd: &mut [Complex<T>],
        power: i32,
        scratch: &mut [Complex<T>],
    ) {
        for (part, points) in [(&mut *even, &self.even), (&mut *odd, &self.odd)] {
            let (signal, padding) = part.split_at_mut(points.before.len());
            multiply(signal, &points.before);
            if power > 0 {
                let moments = signal.iter_mut().zip(&points.x);
                moments.for_each(|(g, x)| *g *= T::narrow(x.powi(power)));
            }
            padding.fill(Complex::default());
            self.fourier.forward(part, scratch);
        }
        combine(even, &self.even.kernel, odd, &self.odd.kernel);
        self.fourier.inverse(even, scratch);
    }

    /// The conjugate transpose of [`ChirpedSum::forward`] with power 0: from the first N entries of
    /// `even` to both buffers.
    pub(super) fn adjoint(
        &self,
        even: &mut [Complex<T>],
        odd: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        even[self.after.len()..].fill(Complex::default());
        self.fourier.forward(even, scratch);
        odd.copy_from_slice(even);
        for (part, points) in [(even, &self.even), (odd, &self.odd)] {
            multiply_conjugate(part, &points.kernel);
            self.fourier.inverse(part, scratch);
            multiply_conjugate(&mut part[..points.before.len()], &points.before);
        }
    }
}
