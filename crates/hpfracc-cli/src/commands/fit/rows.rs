//! Rows of a set with the model, its confidence band and the residuals.

use super::task::{Task, TaskSet};
use crate::Error;
use crate::error::FittingError;
use crate::output::csv_bytes;
use hpfracc::fit::{Found, Interval};
use hpfracc::types::shortest;

/// Columns of the rows of a set.
pub(super) struct Table {
    /// Inputs with their names.
    pub(super) inputs: Vec<(String, Vec<f64>)>,
    pub(super) responses: Vec<Response>,
}

/// Response with the model.
pub(super) struct Response {
    pub(super) name: String,
    pub(super) data: Vec<f64>,
    pub(super) model: Vec<f64>,
    /// None without standard errors.
    pub(super) band: Option<Vec<Interval>>,
}

impl Response {
    pub(super) fn residuals(&self) -> Vec<f64> {
        self.data.iter().zip(&self.model).map(|(y, model)| y - model).collect()
    }

    /// Lower and upper ends of the confidence band.
    pub(super) fn ends(&self) -> Option<[Vec<f64>; 2]> {
        let band = self.band.as_ref()?;
        let ends = |of: fn(&Interval) -> f64| band.iter().map(of).collect();
        Some([ends(|at| at.confidence.0), ends(|at| at.confidence.1)])
    }
}

impl Table {
    /// The first rows of a set, at most `most`.
    pub(super) fn new(
        task: &Task,
        found: &Found<'_>,
        number: usize,
        most: usize,
    ) -> Result<Self, Error> {
        let TaskSet { rows, of, .. } = &task.sets[number];
        let (values, columns) = (rows.head(most)?, rows.source().columns());
        let column =
            |k: &usize| -> Vec<f64> { values.iter().skip(*k).step_by(columns).copied().collect() };
        let names = of.inputs.names.iter().cloned();
        let inputs: Vec<(String, Vec<f64>)> =
            names.zip(of.inputs.indices.iter().map(column)).collect();
        let slices: Vec<&[f64]> = inputs.iter().map(|(_, values)| &values[..]).collect();
        let model = found.evaluate(number, &slices).map_err(FittingError::from)?;
        let band = found.band(number, &slices, task.settings.level()).ok();
        let response = |k: usize| Response {
            name: of.responses.names[k].clone(),
            data: column(&of.responses.indices[k]),
            model: model[k].clone(),
            band: band.as_ref().map(|all| all[k].clone()),
        };
        let responses = (0..of.responses.names.len()).map(response).collect();
        Ok(Self { inputs, responses })
    }

    fn header(&self) -> Vec<String> {
        let mut names: Vec<String> = self.inputs.iter().map(|(name, _)| name.clone()).collect();
        for Response { name, band, .. } in &self.responses {
            names.extend([name.clone(), format!("model({name})")]);
            if band.is_some() {
                names.extend([format!("low({name})"), format!("high({name})")]);
            }
            names.push(format!("residual({name})"));
        }
        names
    }

    fn columns(&self) -> Vec<Vec<f64>> {
        let mut columns: Vec<Vec<f64>> =
            self.inputs.iter().map(|(_, values)| values.clone()).collect();
        for response in &self.responses {
            columns.extend([response.data.clone(), response.model.clone()]);
            columns.extend(response.ends().into_iter().flatten());
            columns.push(response.residuals());
        }
        columns
    }
}

/// CSV of the rows of all sets, with a column of their names if there are several.
pub(super) fn to_csv(task: &Task, tables: &[Table]) -> Result<Vec<u8>, Error> {
    let several = tables.len() > 1;
    let with_name = |name: &str, mut cells: Vec<String>| {
        if several {
            cells.insert(0, name.to_owned());
        }
        cells
    };
    let header = tables.first().map(|table| with_name("set", table.header()));
    let mut records: Vec<Vec<String>> = header.into_iter().collect();
    for (set, table) in task.sets.iter().zip(tables) {
        let columns = table.columns();
        let rows = columns.first().map_or(0, Vec::len);
        let cells = |row: usize| columns.iter().map(|column| shortest(column[row])).collect();
        records.extend((0..rows).map(|row| with_name(&set.name, cells(row))));
    }
    csv_bytes("output", records)
}
