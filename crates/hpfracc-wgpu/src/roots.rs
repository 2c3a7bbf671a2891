//! Roots of unity and chirps, computed on the host in double precision.

use hpfracc_types::Real;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;
use std::f64::consts::TAU;

/// exp(2 pi i j / n) for pairs (j, n), as pairs of scalars.
pub(crate) fn on_circle<T: Real>(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<T> {
    fractions
        .flat_map(|(j, n)| {
            let (sin, cos) = (TAU * (j as f64 / n as f64)).sin_cos();
            [T::narrow(cos), T::narrow(sin)]
        })
        .collect()
}

/// exp(-2 pi i j / n) for pairs (j, n), as pairs of scalars.
pub(crate) fn conjugates<T: Real>(fractions: impl Iterator<Item = (usize, usize)>) -> Vec<T> {
    let mut values = on_circle(fractions);
    values.iter_mut().skip(1).step_by(2).for_each(|im: &mut T| *im = -*im);
    values
}

/// The roots of the transform of `points`: exp(-2 pi i j / points).
pub(crate) fn backward<T: Real>(points: usize) -> Vec<T> {
    conjugates((0..points).map(|j| (j, points)))
}

/// c[j] = exp(-i pi j^2 / n) for j < n, then the transform of conj(c), cyclic in `points` points and
/// divided by them: `points >= 2 n - 1`, so that lags do not meet.
pub(crate) fn chirp<T: Real>(n: usize, points: usize) -> Vec<T> {
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
    values.iter().flat_map(|z| [T::narrow(z.re), T::narrow(z.im)]).collect()
}
