//! Rows with the model, its confidence band and the residuals.

use super::task::Task;
use crate::Error;
use crate::error::FittingError;
use crate::output::csv_of_columns;
use hpfracc::fit::{Found, Interval};
use ndarray::ArrayView1;

/// Columns of the rows, in their order.
pub(super) struct Table {
    /// Inputs with their names.
    pub(super) inputs: Vec<(String, Vec<f64>)>,
    pub(super) response: Vec<f64>,
    /// None without standard errors.
    pub(super) band: Option<Vec<Interval>>,
    pub(super) model: Vec<f64>,
}

impl Table {
    /// The first rows, at most `most`.
    pub(super) fn new(task: &Task, found: &Found<'_>, most: usize) -> Result<Self, Error> {
        let source = task.rows.source();
        let (rows, columns) = (source.rows().min(most), source.columns());
        let mut values = vec![0.0; rows * columns];
        source.read(0, &mut values).map_err(FittingError::from)?;
        let column =
            |k: usize| values.iter().skip(k).step_by(columns).copied().collect::<Vec<f64>>();
        let index = |name: &String| task.rows.names.iter().position(|known| known == name);
        let inputs: Vec<(String, Vec<f64>)> = task
            .model
            .columns()
            .iter()
            .map(|name| (name.clone(), index(name).map(column).unwrap_or_default()))
            .collect();
        let slices: Vec<&[f64]> = inputs.iter().map(|(_, values)| &values[..]).collect();
        let model = found.evaluate(0, &slices).map_err(FittingError::from)?.swap_remove(0);
        let band =
            found.band(0, &slices, task.settings.level()).ok().map(|mut all| all.swap_remove(0));
        Ok(Self { response: column(task.response), inputs, model, band })
    }

    pub(super) fn residuals(&self) -> Vec<f64> {
        self.response.iter().zip(&self.model).map(|(y, model)| y - model).collect()
    }

    pub(super) fn to_csv(&self) -> Result<Vec<u8>, Error> {
        let residuals = self.residuals();
        let of = |part: fn(&Interval) -> f64| -> Vec<f64> {
            self.band.iter().flatten().map(part).collect()
        };
        let (low, high) = (of(|at| at.confidence.0), of(|at| at.confidence.1));
        let inputs = self.inputs.iter().map(|(name, values)| (name.as_str(), values));
        let mut columns: Vec<(&str, &Vec<f64>)> = inputs.collect();
        columns.extend([("response", &self.response), ("model", &self.model)]);
        if self.band.is_some() {
            columns.extend([("low", &low), ("high", &high)]);
        }
        columns.push(("residual", &residuals));
        let named = columns.into_iter();
        csv_of_columns(named.map(|(name, values)| (name.to_owned(), ArrayView1::from(values))))
    }
}
