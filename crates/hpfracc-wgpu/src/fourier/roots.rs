//! Roots of unity and chirps, computed on the host in double precision.

use crate::precision::Precision;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;
use std::f64::consts::TAU;

/// Real and imaginary parts, interleaved.
pub(crate) fn interleaved(values: impl IntoIterator<Item = Complex64>) -> Vec<f64> {
    values.into_iter().flat_map(|z| [z.re, z.im]).collect()
}

/// Real and imaginary parts, interleaved, as scalars of the device.
pub(crate) fn narrowed<P: Precision>(
    values: impl IntoIterator<Item = Complex64>,
) -> Vec<P::Device> {
    values.into_iter().flat_map(|z| [P::narrow(z.re), P::narrow(z.im)]).collect()
}

/// exp(2 pi i j / n) for pairs (j, n).
pub(crate) fn roots_of_unity(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<Complex64> {
    fractions.map(|(j, n)| Complex64::cis(TAU * (j as f64 / n as f64))).collect()
}

/// exp(-2 pi i j / n) for pairs (j, n).
pub(crate) fn conjugate_roots(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<Complex64> {
    roots_of_unity(fractions).iter().map(Complex64::conj).collect()
}

/// The roots of a forward transform: exp(-2 pi i j / points).
pub(crate) fn transform_roots(points: usize) -> Vec<Complex64> {
    conjugate_roots((0..points).map(|j| (j, points)))
}

/// c[j] = exp(-i pi j^2 / n) for j < n, followed by the cyclic transform of conj(c) in `points`
/// points, divided by their number. `points >= n + results - 1` separates the lags of the first
/// `results` results, at most n.
pub(crate) fn chirp([n, results]: [usize; 2], points: usize) -> Vec<Complex64> {
    // The square is reduced as an integer, so that the angle is small and exact.
    let square = |j: usize| (j as u64).pow(2) % (2 * n as u64);
    let c = (0..n).map(|j| {
        let (sin, cos) = (TAU * (square(j) as f64 / (2 * n) as f64)).sin_cos();
        Complex64::new(cos, -sin)
    });
    let mut values: Vec<Complex64> = c.collect();
    let mut filter = vec![Complex64::default(); points];
    for (j, c) in values.iter().enumerate() {
        let value = c.conj() / points as f64;
        if j < results {
            filter[j] = value;
        }
        filter[(points - j) % points] = value;
    }
    FftPlanner::new().plan_fft_forward(points).process(&mut filter);
    values.extend(filter);
    values
}
