//! ARFIMA models.

mod autocovariance;
mod reflection;

use self::autocovariance::autocovariance;
use self::reflection::polynomial;
use crate::error::{SeriesError, in_range};
use crate::fit::Fit;
use crate::likelihood::profile::{logistic, logit};
use crate::likelihood::stationary::{Likelihood, Mean, Model, fit};
use crate::series::Series;
use std::f64::consts::TAU;

/// ARFIMA(p, d, q), the autoregressive fractionally integrated moving average.
///
#[doc = formula!("arfima", r"\left( 1 - \sum_{j=1}^p \phi_j B^j \right) (1-B)^d (x_t - \mu) = \left( 1 + \sum_{j=1}^q \theta_j B^j \right) \varepsilon_t")]
///
/// ε is white noise of standard deviation σ, and B the lag operator. -1/2 < d < 1/2; d above 0: long memory; H = d + 1/2. The
/// model is stationary and invertible: all roots of both polynomials are outside of the unit circle. A series
/// with d in (1/2, 3/2) is a [`Record::Path`](crate::Record::Path). Sources: Granger and Joyeux, J. Time Ser. Anal. 1 (1980) 15; Hosking,
/// Biometrika 68 (1981) 165.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arfima {
    /// Number of autoregressive coefficients, p.
    pub ar: usize,
    /// Number of moving-average coefficients, q.
    pub ma: usize,
}

/// Most coefficients of each kind.
const MOST: usize = 10;

impl Arfima {
    /// Estimates of `d`, `ar1`, ..., `ma1`, ..., `sigma` and, unless it is known, `mean`, and of `hurst` = d + 1/2.
    ///
    /// Both polynomials are parametrised by their partial autocorrelations (Barndorff-Nielsen and Schou, J. Multivariate Anal.
    /// 3 (1973) 408), so that every trial is stationary and invertible. Whittle's likelihood is searched from 15
    /// starting points, the exact one from its maximum. Where an AR and an MA root nearly cancel, the
    /// likelihood is flat and the errors are large, or [`Outcome`](crate::Outcome) says so.
    ///
    /// Cost of the exact likelihood: O(n²) a trial, and O((n + L) log (n + L)) for the autocovariances, L as in
    /// [`autocovariance`](Self::autocovariance).
    ///
    /// # Errors
    /// [`SeriesError::TooShort`] below 12 + 4 (p + q) values, [`SeriesError::Parameter`] for a mean that is not
    /// finite and for p or q above 10.
    pub fn fit(
        &self,
        series: &Series,
        likelihood: Likelihood,
        mean: Mean,
    ) -> Result<Fit, SeriesError> {
        for (name, count) in [("ar", self.ar), ("ma", self.ma)] {
            in_range(count <= MOST, name, count as f64, "at most 10 coefficients")?;
        }
        fit(self, series, likelihood, mean)
    }

    /// Autocovariances of the lags 0 .. n-1 for σ = 1.
    ///
    /// Those of (0, d, 0) are a quotient of gamma functions by recurrence; a moving average is a sum of 2 q + 1 of
    /// them; an autoregression is the convolution with its own autocovariances, by transforms, up to the lag L from which
    /// these are below 1e-17 of their variance. Measured error at most 1e-13 of the variance for roots with modulus
    /// above 1.03; in general 1e-15 times the variance of the autoregression times that of the rest.
    ///
    /// # Errors
    /// [`SeriesError::Parameter`] for d outside (-1/2, 1/2) and for an autoregression with a root inside of the unit
    /// circle or closer to it than about 5e-4, for which L exceeds 65 536.
    ///
    /// ```
    /// use hpfracc_series::Arfima;
    /// let gamma = Arfima::autocovariance(0.0, &[0.5], &[], 3)?;
    /// assert!((gamma[2] - 0.25 / 0.75).abs() < 1e-15);
    /// # Ok::<(), hpfracc_series::SeriesError>(())
    /// ```
    pub fn autocovariance(
        d: f64,
        ar: &[f64],
        ma: &[f64],
        n: usize,
    ) -> Result<Vec<f64>, SeriesError> {
        in_range(d > -0.5 && d < 0.5, "d", d, "a number in (-1/2, 1/2)")?;
        for (name, coefficients) in [("ar", ar), ("ma", ma)] {
            for value in coefficients {
                in_range(value.is_finite(), name, *value, "finite coefficients")?;
            }
        }
        autocovariance(d, ar, ma, n).ok_or(SeriesError::Parameter {
            name: "ar",
            value: ar.first().copied().unwrap_or(f64::NAN),
            expected: "the first of coefficients with all roots outside of the unit circle",
        })
    }

    /// Autoregressive and moving-average coefficients in a list of parameters that starts with d.
    fn coefficients<'a>(&self, natural: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        natural[1..].split_at(self.ar)
    }
}

impl Model for Arfima {
    fn name(&self) -> String {
        format!("ARFIMA({}, d, {})", self.ar, self.ma)
    }

    fn names(&self) -> Vec<String> {
        let numbered = |kind: &'static str, count| (1..=count).map(move |j| format!("{kind}{j}"));
        let d = std::iter::once("d".to_owned());
        d.chain(numbered("ar", self.ar)).chain(numbered("ma", self.ma)).collect()
    }

    fn starts(&self) -> Vec<Vec<f64>> {
        let orders = [-0.3, -0.1, 0.05, 0.2, 0.4];
        let first = [0.0, 1.0, -1.0];
        let start = |d: f64, ar: f64| {
            let mut start = vec![0.0; 1 + self.ar + self.ma];
            start[0] = logit(d + 0.5);
            if self.ar > 0 {
                start[1] = ar;
            } else if self.ma > 0 {
                start[1] = -ar;
            }
            start
        };
        orders.iter().flat_map(|d| first.map(|ar| start(*d, ar))).collect()
    }

    fn natural(&self, free: &[f64]) -> Vec<f64> {
        let (ar, ma) = self.coefficients(free);
        let mut natural = vec![logistic(free[0]) - 0.5];
        natural.extend(polynomial(ar));
        natural.extend(polynomial(ma).iter().map(|c| -c));
        natural
    }

    fn autocovariance(&self, natural: &[f64], n: usize) -> Option<Vec<f64>> {
        let (ar, ma) = self.coefficients(natural);
        autocovariance(natural[0], ar, ma, n)
    }

    fn density(&self, natural: &[f64], frequencies: &[f64]) -> Vec<f64> {
        let (ar, ma) = self.coefficients(natural);
        let density = |lambda: &f64| {
            let difference = 2.0 * (0.5 * lambda).sin();
            let fractional = (difference * difference).powf(-natural[0]);
            fractional * squared(ma, 1.0, *lambda) / squared(ar, -1.0, *lambda) / TAU
        };
        frequencies.iter().map(density).collect()
    }

    /// Every coefficient depends on all partial autocorrelations of its polynomial.
    fn loses_meaning(&self, free: usize, parameter: usize) -> bool {
        let kind = |i: usize| usize::from(i > 0) + usize::from(i > self.ar);
        parameter <= self.ar + self.ma && kind(free) == kind(parameter)
    }

    fn derived(&self) -> (&'static str, usize, f64) {
        ("hurst", 0, 0.5)
    }
}

/// `|1 + sign sum_j c_j e^(-i j lambda)|²`
fn squared(coefficients: &[f64], sign: f64, lambda: f64) -> f64 {
    let (mut re, mut im) = (1.0, 0.0);
    for (j, c) in (1..).zip(coefficients) {
        let (sine, cosine) = (f64::from(j) * lambda).sin_cos();
        re += sign * c * cosine;
        im -= sign * c * sine;
    }
    re * re + im * im
}
