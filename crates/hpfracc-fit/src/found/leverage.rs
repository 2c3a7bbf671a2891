use super::covariance::inverse;
use super::result::Found;
use crate::pass::{Objective, OfRows};
use crate::{FitError, Loss};
use serde::{Deserialize, Serialize};

/// What a row is resampled from.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Levered {
    /// Weighted residual, NaN if the row is skipped.
    pub(crate) residual: f64,
    /// Derivative of the fitted value with respect to the response.
    pub(crate) leverage: f64,
    /// Response, and the square root of its weight.
    pub(crate) value: f64,
    pub(crate) weight: f64,
}

impl Found<'_> {
    /// Residuals and leverages of all rows: those of least squares in the unknowns that no bound holds. None without standard
    /// errors.
    pub(crate) fn leverages(&self) -> Result<Option<OfRows<Levered>>, FitError> {
        let unknowns = &self.minimum.unknowns;
        let objective = Objective { loss: Loss::Squares, ..self.objective_over_ranks() };
        let Some(part) = objective.part(unknowns, None)? else { return Ok(None) };
        let free = self.covariance.free();
        let (n, inverse) = (free.len(), inverse(&part.factor.select(free)));
        if !inverse.iter().all(|entry| entry.is_finite()) {
            return Ok(None);
        }
        objective.rows(unknowns, |row| {
            let entry = |column: usize| -> f64 {
                (0..=column).map(|k| row.gradient[free[k]] * inverse[k * n + column]).sum()
            };
            Levered {
                residual: row.residual,
                leverage: (0..n).map(|column| entry(column).powi(2)).sum(),
                value: row.value,
                weight: row.weight,
            }
        })
    }
}
