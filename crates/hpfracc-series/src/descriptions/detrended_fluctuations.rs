//! Detrended fluctuation analysis.

use super::{Description, logarithmic_slope, windows};
use crate::error::{SeriesError, long_enough};
use crate::series::Series;

/// Detrended fluctuation analysis (DFA) as a description: slope of the logarithm of F against the logarithm of the length
/// of windows, from 8 to a quarter of the series. F² is the mean square of the sums of differences from the mean,
/// less a straight line in each window.
///
/// Cost: O(n log n) for the series and for each of 500 simulated ones. Source: Peng et al., Phys. Rev. E 49 (1994) 1685.
///
/// # Errors
/// [`SeriesError::TooShort`] below 64 values.
///
/// ```
/// use hpfracc_series::{Record, Series, detrended_fluctuations};
/// let values: Vec<f64> = (0..500).map(|k| f64::from(k * k % 83)).collect();
/// let description = detrended_fluctuations(&Series::new(&values, Record::Noise)?)?;
/// assert_eq!(description.expected().len(), 5);
/// # Ok::<(), hpfracc_series::SeriesError>(())
/// ```
pub fn detrended_fluctuations(series: &Series) -> Result<Description, SeriesError> {
    long_enough("the series", series.noise().len(), 64, "values")?;
    Ok(Description::new("detrended fluctuation analysis (DFA)", series, exponent))
}

fn exponent(x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let mut sum = 0.0;
    let add = |x: &f64| {
        sum += x - mean;
        sum
    };
    let path: Vec<f64> = x.iter().map(add).collect();
    let fluctuation = |length: usize| {
        let chunks = path.chunks_exact(length);
        let count = chunks.len() as f64;
        (chunks.map(about_line).sum::<f64>() / count).sqrt()
    };
    let lengths = windows(8, x.len() / 4).into_iter();
    logarithmic_slope(lengths.map(|length| (length, fluctuation(length))))
}

/// Mean square about the least-squares line of equally spaced values.
fn about_line(y: &[f64]) -> f64 {
    let n = y.len() as f64;
    let (middle, mean) = ((n - 1.0) / 2.0, y.iter().sum::<f64>() / n);
    let along: f64 = y.iter().enumerate().map(|(k, y)| (k as f64 - middle) * (y - mean)).sum();
    let slope = along / (n * (n * n - 1.0) / 12.0);
    let rest = |(k, y): (usize, &f64)| (y - mean - slope * (k as f64 - middle)).powi(2);
    y.iter().enumerate().map(rest).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_nothing() {
        let line: Vec<f64> = (0..9).map(|k| 3.0 - 0.5 * f64::from(k)).collect();
        assert!(about_line(&line) < 1e-28);
        // 0, 1, 0 about its mean 1/3, which is the line.
        assert!((about_line(&[0.0, 1.0, 0.0]) - 2.0 / 9.0).abs() < 1e-15);
    }
}
