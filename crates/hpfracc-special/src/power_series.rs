//! Truncated power series in δ, for derivatives of composed functions.

use num_complex::Complex64;

/// Coefficients of 1, δ, δ², ..., all series of one computation with the same length.
#[derive(Debug, Clone)]
pub(crate) struct PowerSeries(pub(crate) Vec<Complex64>);

impl PowerSeries {
    /// (1+δ)^p.
    pub(crate) fn binomial(p: f64, len: usize) -> Self {
        let mut c = vec![Complex64::ONE; len];
        for k in 1..len {
            c[k] = c[k - 1] * ((p - (k - 1) as f64) / k as f64);
        }
        Self(c)
    }

    /// ln(1+δ).
    pub(crate) fn ln_1p(len: usize) -> Self {
        let c = |k: usize| match k {
            0 => 0.0,
            k if k.is_multiple_of(2) => -1.0 / k as f64,
            k => 1.0 / k as f64,
        };
        Self((0..len).map(|k| c(k).into()).collect())
    }

    pub(crate) fn scaled(mut self, factor: Complex64) -> Self {
        for c in &mut self.0 {
            *c *= factor;
        }
        self
    }

    pub(crate) fn plus(mut self, other: &Self) -> Self {
        for (c, d) in self.0.iter_mut().zip(&other.0) {
            *c += d;
        }
        self
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let product = |k: usize| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum();
        Self((0..self.0.len()).map(product).collect())
    }

    /// e^{series} without the factor e^{first coefficient}.
    pub(crate) fn exp_of_change(&self) -> Self {
        // y' = f' y.
        let mut y = vec![Complex64::ONE; self.0.len()];
        for k in 1..y.len() {
            let sum: Complex64 = (1..=k).map(|j| self.0[j] * y[k - j] * j as f64).sum();
            y[k] = sum / k as f64;
        }
        Self(y)
    }

    /// 1/series.
    pub(crate) fn reciprocal(&self) -> Self {
        let first = self.0[0].inv();
        let mut y = vec![first; self.0.len()];
        for k in 1..y.len() {
            let sum: Complex64 = (1..=k).map(|j| self.0[j] * y[k - j]).sum();
            y[k] = -first * sum;
        }
        Self(y)
    }
}
