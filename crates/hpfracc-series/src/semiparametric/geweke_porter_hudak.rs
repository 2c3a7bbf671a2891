//! Log-periodogram regression.

use super::{fit_of_d, lowest};
use crate::error::SeriesError;
use crate::fit::Fit;
use crate::series::Series;
use std::f64::consts::PI;

/// The log-periodogram regression of Geweke and Porter-Hudak (GPH): d is the slope of `ln I_j` against
/// `-2 ln(2 sin(λ_j/2))` at the m lowest frequencies.
///
/// Standard error `π/√(24 S)`, S the sum of squares of the logarithms about their mean, which for large m is m: 28 % larger than
/// that of [`LocalWhittle`](crate::LocalWhittle). Valid for -1/2 < d < 3/4. Cost: O(n log n). Sources: Geweke and Porter-Hudak, J. Time
/// Ser. Anal. 4 (1983) 221; Robinson, Ann. Stat. 23 (1995) 1048.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GewekePorterHudak {
    /// Number of frequencies m; n^0.65 by default.
    pub bandwidth: Option<usize>,
}

impl GewekePorterHudak {
    /// Estimates of `d` and `hurst`.
    ///
    /// # Errors
    /// As [`LocalWhittle::fit`](crate::LocalWhittle::fit).
    pub fn fit(&self, series: &Series) -> Result<Fit, SeriesError> {
        let low = lowest(series, self.bandwidth)?;
        let m = low.ordinates.len();
        let x: Vec<f64> =
            low.frequencies.iter().map(|lambda| (2.0 * (0.5 * lambda).sin()).ln()).collect();
        let mean = x.iter().sum::<f64>() / m as f64;
        let squares: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
        let products: f64 =
            x.iter().zip(&low.ordinates).map(|(x, ordinate)| (x - mean) * ordinate.ln()).sum();
        let (n, method) =
            (series.noise().len(), format!("log-periodogram regression (GPH), {m} frequencies"));
        let error = PI / (24.0 * squares).sqrt();
        Ok(fit_of_d(method, n, -0.5 * products / squares, error, 0.75))
    }
}
