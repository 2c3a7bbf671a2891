//! Complex fields as two real ones.

use super::reductions::update;
use crate::Result;
use crate::scalar::Scalar;
use num_complex::Complex64;

/// Scratch of real linear maps of complex fields; empty until it is used.
#[derive(Default)]
pub(crate) struct Parts {
    part: Vec<f64>,
    images: [Vec<f64>; 2],
}

impl Parts {
    /// Writes y, the image of x under a real linear map.
    pub(crate) fn map(
        &mut self,
        x: &[Complex64],
        y: &mut [Complex64],
        mut map: impl FnMut(&[f64], &mut [f64]),
    ) {
        self.part.resize(x.len(), 0.0);
        self.images.iter_mut().for_each(|image| image.resize(y.len(), 0.0));
        let [re, im] = &mut self.images;
        update(&mut self.part, |i, part| *part = x[i].re);
        map(&self.part, re);
        update(&mut self.part, |i, part| *part = x[i].im);
        map(&self.part, im);
        update(y, |i, y| *y = Complex64::new(re[i], im[i]));
    }
}

/// Number whose fields go through real linear maps.
pub(crate) trait RealMaps: Scalar {
    /// A shift as a number of this type; the real part for real numbers.
    fn of_shift(z: Complex64) -> Self;

    /// Writes y, the image of x under a real linear map.
    fn map(x: &[Self], y: &mut [Self], parts: &mut Parts, map: impl FnMut(&[f64], &mut [f64]));
}

impl RealMaps for f64 {
    fn of_shift(z: Complex64) -> Self {
        z.re
    }

    fn map(x: &[Self], y: &mut [Self], _: &mut Parts, mut map: impl FnMut(&[f64], &mut [f64])) {
        map(x, y);
    }
}

impl RealMaps for Complex64 {
    fn of_shift(z: Complex64) -> Self {
        z
    }

    fn map(x: &[Self], y: &mut [Self], parts: &mut Parts, map: impl FnMut(&[f64], &mut [f64])) {
        parts.map(x, y, map);
    }
}

/// Overwrites b with the solution of a linear equation, for its real and its imaginary part one
/// after the other; a part that is 0 needs no solve.
///
/// Conjugate gradients without conjugation break down at `b'b = 0`, as for Fourier modes. A real b
/// has none but 0.
pub(crate) fn solve_parts<T: Scalar>(
    b: &mut [Complex64],
    mut solve: impl FnMut(&mut [T]) -> Result<()>,
) -> Result<()> {
    let take =
        |part: fn(&Complex64) -> f64| -> Vec<T> { b.iter().map(|b| part(b).into()).collect() };
    let [mut re, mut im] = [take(|b| b.re), take(|b| b.im)];
    for part in [&mut re, &mut im] {
        if part.iter().any(|b| *b != T::default()) {
            solve(part)?;
        }
    }
    update(b, |i, b| *b = re[i].into() + Complex64::I * im[i].into());
    Ok(())
}
