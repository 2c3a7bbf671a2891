//! Roots of unity and chirps, computed on the host in double precision.

use crate::scalar::ShaderScalar;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;
use std::f64::consts::TAU;

/// Real and imaginary parts, one behind the other.
pub(crate) fn pairs<T: ShaderScalar>(values: impl IntoIterator<Item = Complex64>) -> Vec<T> {
    values.into_iter().flat_map(|z| [T::narrow(z.re), T::narrow(z.im)]).collect()
}

/// exp(2 pi i j / n) for pairs (j, n).
pub(crate) fn on_circle(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<Complex64> {
    fractions.map(|(j, n)| Complex64::cis(TAU * (j as f64 / n as f64))).collect()
}

/// exp(-2 pi i j / n) for pairs (j, n).
pub(crate) fn conjugates(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<Complex64> {
    on_circle(fractions).iter().map(Complex64::conj).collect()
}

/// The roots of the transform of `points`: exp(-2 pi i j / points).
pub(crate) fn backward(points: usize) -> Vec<Complex64> {
    conjugates((0..points).map(|j| (j, points)))
}

/// c[j] = exp(-i pi j^2 / n) for j < n, then the transform of conj(c), cyclic in `points` points and
/// divided by them: `points >= 2 n - 1`, so that lags do not meet.
pub(crate) fn chirp(n: usize, points: usize) -> Vec<Complex64> {
    // The square is reduced while it is an integer: the angle stays small and exact.
    let c = (0..n).map(|j| {
        let (sin, cos) = (TAU * ((j * j % (2 * n)) as f64 / (2 * n) as f64)).sin_cos();
        Complex64::new(cos, -sin)
    });
    let mut values: Vec<Complex64> = c.collect();
    let mut filter = vec![Complex64::default(); points];
    for (j, c) in values.iter().enumerate() {
        filter[j] = c.conj() / points as f64;
        filter[(points - j) % points] = filter[j];
    }
    FftPlanner::new().plan_fft_forward(points).process(&mut filter);
    values.extend(filter);
    values
}
