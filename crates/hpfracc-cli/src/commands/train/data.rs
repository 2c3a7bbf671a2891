//! Time series of a training.

use super::config::{Config, Data};
use crate::Error;
use crate::error::TrainingError;
use crate::error::by_keys;
use crate::input::TimeFormat;
use crate::input::{CsvTable, Series, SeriesOptions};
use crate::output::diagnostic;
use hpfracc::ndarray::{Array2, ArrayView2, Axis};
use hpfracc::nn::models::settings::SolverSettings;
use hpfracc::nn::trainer::Standardisation;
use std::collections::HashSet;
use std::path::Path;

/// Rows of components with their names and times.
pub(super) struct Rows {
    /// Names of the columns, the leading components.
    pub(super) names: Vec<String>,
    pub(super) time_name: String,
    pub(super) time_format: TimeFormat,
    pub(super) dt: f64,
    /// Time of each row as text.
    pub(super) labels: Vec<String>,
    pub(super) times: Vec<f64>,
    /// Columns of the file.
    pub(super) columns: Vec<Vec<f64>>,
    /// Standardised values, indexed by row and component.
    pub(super) values: Array2<f64>,
    pub(super) standardisation: Standardisation,
    /// First held-out row.
    pub(super) held_out: usize,
}

impl Rows {
    pub(super) fn read(config: &Config, folder: &Path, quiet: bool) -> Result<Self, Error> {
        let Data { file, columns, time, dt, missing, missing_values, delays } = &config.data;
        let table = CsvTable::open_with(&folder.join(file), missing_values)?;
        let options = |column: Option<&String>| SeriesOptions {
            column: column.cloned(),
            time: time.clone(),
            dt: *dt,
            missing: *missing,
        };
        let chosen = match columns {
            None => vec![Series::new(&table, &options(None)).map_err(by_key)?],
            Some(names) => {
                check_distinct(names)?;
                let each = names.iter().map(|name| Series::new(&table, &options(Some(name))));
                each.collect::<Result<_, _>>().map_err(by_key)?
            }
        };
        let Some(first) = chosen.first() else {
            let key = "[data] columns";
            return Err(TrainingError::setting(key, "[]", "at least one name"));
        };
        let source = table.source_name().to_owned();
        if let Some(second) = chosen.iter().find(|series| series.labels != first.labels) {
            let [first, second] = [first, second].map(|series| series.name.clone());
            return Err(TrainingError::Columns { name: source, first, second }.into());
        }
        if !quiet {
            let mut notes: Vec<&String> = chosen.iter().flat_map(|series| &series.notes).collect();
            notes.dedup();
            notes.iter().for_each(|note| diagnostic(&format!("{source}: {}", by_keys(note))));
        }
        check_delays(delays)?;
        let back = delays.iter().copied().max().unwrap_or(0);
        let rows = first.labels.len();
        if rows <= back {
            let window = config.windows.length.saturating_add(back).saturating_add(1);
            return Err(too_short(&source, "the data", rows, window));
        }
        let lags: Vec<usize> = std::iter::once(0).chain(delays.iter().copied()).collect();
        let shape = (rows - back, lags.len() * chosen.len());
        let mut values = Array2::from_shape_fn(shape, |(row, i)| {
            let (lag, column) = (lags[i / chosen.len()], i % chosen.len());
            chosen[column].values[row + back - lag]
        });
        let held_out = split(config, &source, rows - back)?;
        let components = values.ncols();
        let trained: Vec<f64> = values.iter().copied().take(held_out * components).collect();
        let standardisation = Standardisation::of(&trained, components)
            .map_err(|error| TrainingError::Record { name: source.clone(), source: error })?;
        if let Some(all) = values.as_slice_mut() {
            standardisation.apply(all);
        }
        Ok(Self {
            names: chosen.iter().map(|series| series.name.clone()).collect(),
            time_name: first.time_name.clone(),
            time_format: first.time_format,
            dt: first.grid.dt(),
            labels: first.labels[back..].to_vec(),
            times: first.times[back..].to_vec(),
            columns: chosen.iter().map(|series| series.values[back..].to_vec()).collect(),
            values,
            standardisation,
            held_out,
        })
    }

    /// Training part and held-out part.
    pub(super) fn parts(&self) -> (ArrayView2<'_, f64>, ArrayView2<'_, f64>) {
        self.values.view().split_at(Axis(0), self.held_out)
    }

    /// Time of a row; rows after the data continue with the mean step of the time column,
    /// independent of the step of the solver.
    pub(super) fn time(&self, row: usize) -> f64 {
        if let Some(time) = self.times.get(row) {
            return *time;
        }
        let steps = self.times.len().saturating_sub(1);
        let [first, last] = [0, steps].map(|row| self.times.get(row).copied().unwrap_or(0.0));
        let step = if steps == 0 { self.dt } else { (last - first) / steps as f64 };
        last + (row - steps) as f64 * step
    }
}

/// Checks that no column is named twice.
fn check_distinct(names: &[String]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        None => Ok(()),
        Some(name) => {
            let value = format!("`{name}` twice");
            Err(TrainingError::setting("[data] columns", value, "distinct names"))
        }
    }
}

/// Error with keys of the configuration in place of options.
fn by_key(error: Error) -> Error {
    let message = error.to_string();
    if by_keys(&message) == message {
        return error;
    }
    TrainingError::Data { error: Box::new(error) }.into()
}

/// Checks that delays are positive and distinct, so that no component occurs twice.
fn check_delays(delays: &[usize]) -> Result<(), Error> {
    let again = |(i, delay): &(usize, &usize)| **delay == 0 || delays[..*i].contains(delay);
    match delays.iter().enumerate().find(again) {
        None => Ok(()),
        Some((_, delay)) => {
            Err(TrainingError::setting("[data] delays", delay, "at least 1 and distinct"))
        }
    }
}

/// First held-out row; checks that both parts are as long as a window.
fn split(config: &Config, source: &str, rows: usize) -> Result<usize, Error> {
    let fraction = config.windows.validation;
    if !(0.0..1.0).contains(&fraction) {
        return Err(TrainingError::setting("[windows] validation", fraction, "0 to below 1"));
    }
    let held = (fraction * rows as f64).round() as usize;
    let window = config.windows.length.saturating_add(1);
    let first = rows - held;
    let parts = match held {
        0 => vec![("the data", first)],
        _ => {
            vec![("the training part of the data", first), ("the held-out part of the data", held)]
        }
    };
    match parts.into_iter().find(|(_, rows)| *rows < window) {
        Some((part, rows)) => Err(too_short(source, part, rows, window)),
        None => Ok(first),
    }
}

fn too_short(name: &str, part: &'static str, rows: usize, window: usize) -> Error {
    TrainingError::TooShort { name: name.to_owned(), part, rows, window }.into()
}

/// Checks that the steps of `rows`, the value of `key`, fit into 32 bits.
pub(super) fn check_steps(
    solver: &SolverSettings,
    key: &'static str,
    rows: usize,
) -> Result<(), Error> {
    let expected = "fewer than 2^32 steps, with [solver] steps per row";
    solver.steps_of(rows).map(drop).ok_or_else(|| TrainingError::setting(key, rows, expected))
}

/// Checks that a product of sizes is at most 2^32.
pub(super) fn check_numbers(
    key: &'static str,
    value: usize,
    others: &[usize],
) -> Result<(), Error> {
    const MOST: u64 = 1 << 32;
    let numbers = others.iter().try_fold(value, |product, size| product.checked_mul(*size));
    if numbers.is_some_and(|numbers| numbers as u64 <= MOST) {
        return Ok(());
    }
    Err(TrainingError::setting(
        key,
        value,
        "few enough for at most 2^32 numbers, with all rows and components",
    ))
}
