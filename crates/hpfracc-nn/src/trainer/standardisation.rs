use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Mean and standard deviation of each component of a time series; networks receive `(x -
/// mean)/deviation`.
///
/// ```
/// use hpfracc_nn::trainer::Standardisation;
///
/// // Three rows of two components with one missing value.
/// let mut record = [1.0, 10.0, 2.0, f64::NAN, 3.0, 30.0];
/// let standardisation = Standardisation::of(&record, 2)?;
/// assert_eq!(standardisation.mean, [2.0, 20.0]);
/// standardisation.apply(&mut record);
/// assert_eq!((record[1], record[2], record[5]), (-1.0, 0.0, 1.0));
/// # Ok::<(), hpfracc_nn::trainer::RecordError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standardisation {
    /// Means.
    pub mean: Vec<f64>,
    /// Standard deviations.
    pub deviation: Vec<f64>,
}

/// Error of the standardisation of a time series.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum RecordError {
    /// A number of values that is not a multiple of the components.
    #[error("{values} values are not whole rows of {components} components")]
    Ragged {
        /// Number of values.
        values: usize,
        /// Components of a row.
        components: usize,
    },
    /// A number that is infinite.
    #[error(
        "row {row}, component {component} of the time series is {value}, expected finite or NaN"
    )]
    Infinite {
        /// The row, from 0.
        row: usize,
        /// The component, from 0.
        component: usize,
        /// The number.
        value: f64,
    },
    /// A constant component, whose standard deviation is 0.
    #[error("component {component} of the time series has the same value in all rows")]
    Unchanging {
        /// The component, from 0.
        component: usize,
    },
    /// A component whose moments overflow or underflow double precision.
    #[error(
        "component {component} of the time series has the mean {mean:e} and the standard \
         deviation {deviation:e}, expected a finite mean and a positive normal deviation"
    )]
    Moments {
        /// The component, from 0.
        component: usize,
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
    },
}

impl Standardisation {
    /// Mean and standard deviation of a time series in row-major order: pass the rows of the
    /// training set only. NaN marks a missing value.
    ///
    /// # Errors
    /// [`RecordError`] for an incomplete row, an infinite number, or a constant component.
    pub fn of(record: &[f64], components: usize) -> Result<Self, RecordError> {
        let values = record.len();
        if components == 0 || !values.is_multiple_of(components) {
            return Err(RecordError::Ragged { values, components });
        }
        if let Some(place) = record.iter().position(|x| x.is_infinite()) {
            let (row, component) = (place / components, place % components);
            return Err(RecordError::Infinite { row, component, value: record[place] });
        }
        let moments = (0..components).map(|component| {
            let column = record.chunks(components).map(|row| row[component]);
            let column: Vec<f64> = column.filter(|x| !x.is_nan()).collect();
            if column.iter().all(|x| *x == column[0]) {
                return Err(RecordError::Unchanging { component });
            }
            let n = column.len() as f64;
            let mean = column.iter().sum::<f64>() / n;
            let squares = column.iter().map(|x| (x - mean).powi(2));
            let deviation = (squares.sum::<f64>() / n).sqrt();
            if mean.is_finite() && deviation.is_normal() {
                return Ok((mean, deviation));
            }
            Err(RecordError::Moments { component, mean, deviation })
        });
        let (mean, deviation) = moments.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        Ok(Self { mean, deviation })
    }

    /// `(x - mean)/deviation` for all rows.
    pub fn apply(&self, record: &mut [f64]) {
        self.each(record, |x, mean, deviation| (x - mean) / deviation);
    }

    /// `mean + deviation x` for all rows.
    pub fn undo(&self, record: &mut [f64]) {
        self.each(record, |x, mean, deviation| mean + deviation * x);
    }

    fn each(&self, record: &mut [f64], change: impl Fn(f64, f64, f64) -> f64) {
        for row in record.chunks_mut(self.mean.len().max(1)) {
            let moments = self.mean.iter().zip(&self.deviation);
            row.iter_mut().zip(moments).for_each(|(x, (mean, deviation))| {
                *x = change(*x, *mean, *deviation);
            });
        }
    }
}
