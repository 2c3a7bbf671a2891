//! Axes with a Neumann boundary on one end and a Dirichlet boundary on the other.

use super::LineTransform;
use num_complex::Complex64;
use rustdct::{DctPlanner, TransformType4};
use rustfft::{Fft, FftPlanner};
use std::f64::consts::PI;
use std::sync::Arc;

/// Orthonormal DCT-IV, `c_k = (2/n)^(1/2) sum_j x_j cos(pi (k + 1/2) (j + 1/2) / n)`, its own
/// inverse; of the reversed line for a Dirichlet boundary on the lower end.
pub(super) struct Quarter {
    mirrored: bool,
    method: Method,
}

enum Method {
    /// Even n: a Fourier transform of n/2 points for each of the two parts of a line.
    Even {
        fft: Arc<dyn Fft<f64>>,
        /// `(2/n)^(1/4) exp(-i pi (j + 1/8) / n)`, j = 0..n/2.
        twiddles: Vec<Complex64>,
    },
    /// Odd n.
    Odd { dct: Arc<dyn TransformType4<f64>>, scale: f64 },
}

impl Quarter {
    pub(super) fn new(n: usize, mirrored: bool) -> Self {
        let scale = (2.0 / n as f64).sqrt();
        let method = if n.is_multiple_of(2) {
            let twiddle =
                |j| Complex64::from_polar(scale.sqrt(), -PI * (j as f64 + 0.125) / n as f64);
            let fft = FftPlanner::new().plan_fft_forward(n / 2);
            Method::Even { fft, twiddles: (0..n / 2).map(twiddle).collect() }
        } else {
            Method::Odd { dct: DctPlanner::new().plan_dct4(n), scale }
        };
        Self { mirrored, method }
    }

    fn transform(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        match &self.method {
            Method::Even { fft, twiddles } => even(fft.as_ref(), twiddles, line, scratch),
            Method::Odd { dct, scale } => odd(dct.as_ref(), *scale, line),
        }
    }
}

/// The two parts of a line, each as one complex line of half the length:
/// `x_2j + i x_(n-1-2j)` times twiddles, before and after the Fourier transform.
fn even(
    fft: &dyn Fft<f64>,
    twiddles: &[Complex64],
    line: &mut [Complex64],
    scratch: &mut [Complex64],
) {
    let n = line.len();
    let (work, scratch) = scratch.split_at_mut(n);
    let (re, im) = work.split_at_mut(n / 2);
    for (j, w) in twiddles.iter().enumerate() {
        let (a, b) = (line[2 * j], line[n - 1 - 2 * j]);
        re[j] = Complex64::new(a.re, b.re) * w;
        im[j] = Complex64::new(a.im, b.im) * w;
    }
    fft.process_with_scratch(re, scratch);
    fft.process_with_scratch(im, scratch);
    for (k, w) in twiddles.iter().enumerate() {
        let (a, b) = (re[k] * w, im[k] * w);
        line[2 * k] = Complex64::new(a.re, b.re);
        line[n - 1 - 2 * k] = Complex64::new(-a.im, -b.im);
    }
}

fn odd(dct: &dyn TransformType4<f64>, scale: f64, line: &mut [Complex64]) {
    let mut re: Vec<f64> = line.iter().map(|z| z.re * scale).collect();
    let mut im: Vec<f64> = line.iter().map(|z| z.im * scale).collect();
    dct.process_dct4(&mut re);
    dct.process_dct4(&mut im);
    for ((z, re), im) in line.iter_mut().zip(re).zip(im) {
        *z = Complex64::new(re, im);
    }
}

impl LineTransform for Quarter {
    fn to_modes(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        if self.mirrored {
            line.reverse();
        }
        self.transform(line, scratch);
    }

    fn to_values(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        self.transform(line, scratch);
        if self.mirrored {
            line.reverse();
        }
    }

    fn scratch_len(&self) -> usize {
        match &self.method {
            Method::Even { fft, twiddles } => 2 * twiddles.len() + fft.get_inplace_scratch_len(),
            Method::Odd { .. } => 0,
        }
    }
}
