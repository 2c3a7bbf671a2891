use crate::OdeError;
use std::f64::consts::PI;

/// Interpolant of K functions on [a, b] at Chebyshev points.
pub(super) struct Chebyshev<const K: usize> {
    a: f64,
    b: f64,
    coefficients: Vec<[f64; K]>,
}

/// Coefficients below this share of the largest one are left out.
const NEGLIGIBLE: f64 = 1e-17;

impl<const K: usize> Chebyshev<K> {
    pub(super) fn new(
        (a, b): (f64, f64),
        points: usize,
        f: impl FnMut(f64) -> Result<[f64; K], OdeError>,
    ) -> Result<Self, OdeError> {
        let angle = |k: usize| PI * (k as f64 + 0.5) / points as f64;
        let at = (0..points).map(|k| 0.5 * (a + b) + 0.5 * (b - a) * angle(k).cos());
        let values = at.map(f).collect::<Result<Vec<_>, OdeError>>()?;
        let coefficient = |m: usize| {
            let scale = if m == 0 { 1.0 } else { 2.0 } / points as f64;
            let mut sum = [0.0; K];
            for (k, value) in values.iter().enumerate() {
                let cosine = scale * (m as f64 * angle(k)).cos();
                sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += cosine * value);
            }
            sum
        };
        let mut coefficients: Vec<[f64; K]> = (0..points).map(coefficient).collect();
        let size = |all: &[f64; K]| all.iter().fold(0.0f64, |size, c| size.max(c.abs()));
        let largest = coefficients.iter().map(size).fold(0.0, f64::max);
        let last = coefficients.iter().rposition(|c| size(c) > NEGLIGIBLE * largest);
        coefficients.truncate(last.map_or(1, |last| last + 1));
        Ok(Self { a, b, coefficients })
    }

    /// Values at x, by Clenshaw's recurrence.
    pub(super) fn at(&self, x: f64) -> [f64; K] {
        let u = ((2.0 * x - self.a - self.b) / (self.b - self.a)).clamp(-1.0, 1.0);
        let (mut here, mut before) = ([0.0; K], [0.0; K]);
        for c in self.coefficients[1..].iter().rev() {
            let next = std::array::from_fn(|i| c[i] + 2.0 * u * here[i] - before[i]);
            (before, here) = (here, next);
        }
        std::array::from_fn(|i| self.coefficients[0][i] + u * here[i] - before[i])
    }

    /// Derivatives of the interpolants.
    pub(super) fn derivative(&self) -> Self {
        let count = self.coefficients.len();
        let scale = 2.0 / (self.b - self.a);
        let mut coefficients = vec![[0.0; K]; count];
        // c'_(k-1) = c'_(k+1) + 2 k c_k, and half of it for k = 1.
        for k in (1..count).rev() {
            let after = coefficients.get(k + 1).copied().unwrap_or([0.0; K]);
            let half = if k == 1 { 0.5 } else { 1.0 };
            let factor = 2.0 * k as f64 * scale;
            coefficients[k - 1] =
                std::array::from_fn(|i| half * (after[i] + factor * self.coefficients[k][i]));
        }
        Self { coefficients, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_their_derivatives() {
        let of = Chebyshev::new((0.5, 3.0), 40, |x| Ok([x.sin(), 1.0 / x])).unwrap();
        let slope = of.derivative();
        for x in [0.5, 0.7, 1.9, 3.0f64] {
            let ([sine, inverse], [cosine, falling]) = (of.at(x), slope.at(x));
            for (found, expected, most) in [
                (sine, x.sin(), 1e-14),
                (inverse, 1.0 / x, 1e-13),
                (cosine, x.cos(), 1e-11),
                (falling, -1.0 / (x * x), 1e-9),
            ] {
                assert!((found - expected).abs() < most, "{x}: {found} {expected}");
            }
        }
    }
}
