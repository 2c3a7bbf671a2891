//! Local Whittle estimator.

use super::{fit_of_d, lowest};
use crate::error::SeriesError;
use crate::fit::Fit;
use crate::likelihood::minimise::minimise;
use crate::series::Series;

/// The local Whittle estimator of d, of a spectral density `f(λ) ~ G λ^(-2d)` at low frequencies; nothing is assumed of
/// others.
///
#[doc = formula!("local_whittle", r"\min_d \; \ln \left( \frac1m \sum_{j=1}^m \lambda_j^{2d} I_j \right) - \frac{2d}{m} \sum_{j=1}^m \ln \lambda_j")]
///
/// Standard error `1/(2 √S)`, S the sum of squares of `ln λ_j` about their mean, which for large m is m. Valid for -1/2 < d <
/// 3/4; beyond, [`Outcome::Bound`](crate::Outcome::Bound) and no error. Cost: O(n log n). Sources: Künsch (1987); Robinson, Ann. Stat. 23
/// (1995) 1630; for the sum S, Hurvich and Chen, J. Time Ser. Anal. 21 (2000) 155.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LocalWhittle {
    /// Number of frequencies m; n^0.65 by default. More reduce the error and may add bias from
    /// fluctuations at short times.
    pub bandwidth: Option<usize>,
}

impl LocalWhittle {
    /// Estimates of `d` and `hurst`.
    ///
    /// # Errors
    /// [`SeriesError::TooShort`] below 20 values and [`SeriesError::Parameter`] for a bandwidth outside 4 to half
    /// the number of values.
    ///
    /// ```
    /// use hpfracc_series::{LocalWhittle, Record, Series};
    /// let values: Vec<f64> = (0..500).map(|k| (f64::from(k * k) * 0.6).sin()).collect();
    /// let fit = LocalWhittle::default().fit(&Series::new(&values, Record::Noise)?)?;
    /// assert!(fit.estimate("d").unwrap().standard_error().unwrap() < 0.1);
    /// # Ok::<(), hpfracc_series::SeriesError>(())
    /// ```
    pub fn fit(&self, series: &Series) -> Result<Fit, SeriesError> {
        let low = lowest(series, self.bandwidth)?;
        let m = low.ordinates.len();
        let logarithms: Vec<f64> = low.frequencies.iter().map(|lambda| lambda.ln()).collect();
        let mean = logarithms.iter().sum::<f64>() / m as f64;
        let centred: Vec<f64> = logarithms.iter().map(|x| x - mean).collect();
        // Convex: the logarithm of a sum of exponentials of d.
        let mut cost = |d: &[f64]| {
            let terms = low.ordinates.iter().zip(&centred);
            let sum: f64 = terms.map(|(i, x)| i * (2.0 * d[0] * x).exp()).sum();
            m as f64 * (sum / m as f64).ln()
        };
        let d = minimise(&mut cost, &[0.0]).at[0];
        let squares: f64 = centred.iter().map(|x| x * x).sum();
        let (n, method) =
            (series.noise().len(), format!("local Whittle estimator, {m} frequencies"));
        Ok(fit_of_d(method, n, d, 0.5 / squares.sqrt(), 0.75))
    }
}
