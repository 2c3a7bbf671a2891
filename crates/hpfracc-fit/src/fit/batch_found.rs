use crate::{FitError, Outcome};
use ndarray::{Array2, ArrayView1, ArrayView2};

/// Results of a [`Batch`](super::Batch), by curve.
#[derive(Debug, Clone)]
pub struct BatchFound {
    pub(super) names: Vec<String>,
    pub(super) values: Array2<f64>,
    pub(super) standard_errors: Array2<f64>,
    pub(super) costs: Vec<f64>,
    pub(super) passes: Vec<usize>,
    pub(super) outcomes: Vec<Option<Outcome>>,
    pub(super) failures: Vec<CurveFailure>,
}

/// Curve that cannot be fitted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("curve {curve}: {reason}")]
pub struct CurveFailure {
    /// Curve, from 0.
    pub curve: usize,
    /// Reason.
    #[source]
    pub reason: FitError,
}

impl BatchFound {
    /// Number of curves.
    pub fn curves(&self) -> usize {
        self.costs.len()
    }

    /// Names of all parameters, free, fixed and tied: the columns of [`values`](Self::values).
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Values of the parameters: a row for each curve, a column for each parameter. NaN for curves that cannot be
    /// fitted.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// Values of a parameter, by curve.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn value(&self, name: &str) -> Result<ArrayView1<'_, f64>, FitError> {
        Ok(self.values.column(self.index(name)?))
    }

    /// Standard errors of the parameters, as [`values`](Self::values). NaN where there is none: for a fixed parameter, for
    /// one that a bound holds, where the data do not determine it, and for curves that cannot be fitted.
    pub fn standard_errors(&self) -> ArrayView2<'_, f64> {
        self.standard_errors.view()
    }

    /// Standard errors of a parameter, by curve.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn standard_error(&self, name: &str) -> Result<ArrayView1<'_, f64>, FitError> {
        Ok(self.standard_errors.column(self.index(name)?))
    }

    /// Cost of each curve: the sum of the squares of the weighted residuals, or of their losses. NaN for curves that cannot
    /// be fitted.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// Passes over the data of each curve; 0 for curves that cannot be fitted.
    pub fn passes(&self) -> &[usize] {
        &self.passes
    }

    /// How the fit of each curve ended; None for curves that cannot be fitted.
    pub fn outcomes(&self) -> &[Option<Outcome>] {
        &self.outcomes
    }

    /// Curves that cannot be fitted, with the reasons, in the order of the curves.
    pub fn failures(&self) -> &[CurveFailure] {
        &self.failures
    }

    fn index(&self, name: &str) -> Result<usize, FitError> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            FitError::UnknownParameter { name: name.to_owned(), known: self.names.join(", ") }
        })
    }
}
