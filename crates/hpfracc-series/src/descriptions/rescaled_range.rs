//! Rescaled range.

use super::{Description, logarithmic_slope, windows};
use crate::error::{SeriesError, long_enough};
use crate::series::Series;

/// The rescaled range (R/S) as a description: slope of the logarithm of the mean of R/S over windows against the logarithm
/// of their length, from 8 to half of the series. R is the range of the sums of differences from the
/// mean of the window, S its standard deviation.
///
/// Cost: O(n log n) for the series and for each of 500 simulated ones. Source: Hurst, Trans. ASCE 116 (1951) 770.
///
/// # Errors
/// [`SeriesError::TooShort`] below 32 values.
///
/// ```
/// use hpfracc_series::{Record, Series, rescaled_range};
/// let values: Vec<f64> = (0..500).map(|k| f64::from(k * k % 83)).collect();
/// let description = rescaled_range(&Series::new(&values, Record::Noise)?)?;
/// let white = description.expected()[2];
/// assert!(white.hurst == 0.5 && white.mean > 0.55);
/// # Ok::<(), hpfracc_series::SeriesError>(())
/// ```
pub fn rescaled_range(series: &Series) -> Result<Description, SeriesError> {
    long_enough("the series", series.noise().len(), 32, "values")?;
    Ok(Description::new("rescaled range (R/S)", series, exponent))
}

fn exponent(x: &[f64]) -> f64 {
    let mean = |length: usize| {
        let quotients: Vec<f64> = x.chunks_exact(length).filter_map(quotient).collect();
        quotients.iter().sum::<f64>() / quotients.len() as f64
    };
    logarithmic_slope(windows(8, x.len() / 2).into_iter().map(|length| (length, mean(length))))
}

/// R/S of a window; `None` if all its values are equal.
fn quotient(window: &[f64]) -> Option<f64> {
    let n = window.len() as f64;
    let mean = window.iter().sum::<f64>() / n;
    let (mut sum, mut low, mut high, mut squares) = (0.0, 0.0f64, 0.0f64, 0.0);
    for x in window {
        sum += x - mean;
        squares += (x - mean).powi(2);
        (low, high) = (low.min(sum), high.max(sum));
    }
    (squares > 0.0).then(|| (high - low) / (squares / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_by_hand() {
        // Sums of differences from 2: -1, -1, 0; range 1; deviation sqrt(2/3).
        let found = quotient(&[1.0, 2.0, 3.0]).unwrap();
        assert!((found - 1.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(quotient(&[2.0, 2.0]), None);
    }
}
