//! A checked time series and whether it is a noise or a path.

use crate::error::{SeriesError, finite};

/// What the values of a time series are. No estimator can tell: fractional Gaussian noise of Hurst
/// exponent 0.9 and fractional Brownian motion of Hurst exponent 0.1 look alike, and an estimate
/// from the wrong one is off by about 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// Stationary fluctuations about a mean: increments, returns, residuals.
    Noise,
    /// A wandering level, whose steps are the noise: positions, prices (by their logarithms), sums.
    Path,
}

/// A time series on equal steps, stored as a noise: a path is differenced once.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    noise: Vec<f64>,
}

impl Series {
    /// The series of `values`, or of their steps if they are a path.
    ///
    /// # Errors
    /// [`SeriesError::NotFinite`] with the index of the value, [`SeriesError::TooShort`] for fewer
    /// than two values of the noise, and [`SeriesError::Constant`].
    ///
    /// ```
    /// use hpfracc_series::{Record, Series};
    /// let steps = Series::new(&[1.0, 3.0, 2.0, 2.5], Record::Path)?;
    /// assert_eq!(steps.noise(), [2.0, -1.0, 0.5]);
    /// assert!(Series::new(&[1.0, f64::NAN, 3.0], Record::Noise).is_err());
    /// # Ok::<(), hpfracc_series::SeriesError>(())
    /// ```
    pub fn new(values: &[f64], record: Record) -> Result<Self, SeriesError> {
        finite(values)?;
        let noise: Vec<f64> = match record {
            Record::Noise => values.to_vec(),
            Record::Path => values.windows(2).map(|pair| pair[1] - pair[0]).collect(),
        };
        // A step may overflow.
        finite(&noise)?;
        crate::error::long_enough("the series", noise.len(), 2, "values")?;
        if noise.iter().all(|value| *value == noise[0]) {
            return Err(SeriesError::Constant { value: noise[0] });
        }
        Ok(Self { noise })
    }

    /// The noise: the values, or the steps of a path.
    #[must_use]
    pub fn noise(&self) -> &[f64] {
        &self.noise
    }

    /// Arithmetic mean of the noise.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let n = self.noise.len() as f64;
        let first = self.noise.iter().map(|x| x / n).sum::<f64>();
        // The second pass removes the rounding of a large offset.
        first + self.noise.iter().map(|x| x - first).sum::<f64>() / n
    }
}
