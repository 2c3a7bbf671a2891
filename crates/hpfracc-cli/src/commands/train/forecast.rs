//! Forecast after the end of the data, or over the held-out part.

use super::config::{Config, Forecast, From};
use super::data::{Rows, check_numbers, check_steps};
use crate::Error;
use crate::compute::interpolated_quantile;
use crate::error::TrainingError;
use crate::memory;
use crate::output::csv_bytes;
use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{NeuralFractionalSde, PathLoss};
use hpfracc::nn::trainer::checksum;
use hpfracc::nn::{Layer, Loss, Network, Scalar};
use hpfracc::noise::{Normals, Purpose, Stream};
use hpfracc::types::shortest;

/// Levels of the quantiles.
pub(super) const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Distribution of each column at each forecast row.
pub(super) struct Distribution {
    /// Row of the data at which the forecast starts.
    pub(super) start: usize,
    pub(super) labels: Vec<String>,
    pub(super) times: Vec<f64>,
    pub(super) columns: Vec<Column>,
}

/// Forecast of a column, by row.
pub(super) struct Column {
    pub(super) mean: Vec<f64>,
    /// For each of [`LEVELS`].
    pub(super) quantiles: [Vec<f64>; 5],
    /// Data at that time, if available.
    pub(super) observed: Vec<Option<f64>>,
}

/// Checks the forecast settings before the training.
pub(super) fn check(config: &Config, rows: &Rows) -> Result<(), Error> {
    let Forecast { from, rows: ahead, paths } = config.forecast;
    for (key, value) in [("[forecast] rows", ahead.unwrap_or(1)), ("[forecast] paths", paths)] {
        if value == 0 {
            return Err(TrainingError::setting(key, value, "at least 1"));
        }
    }
    if from == From::Validation && rows.held_out == rows.values.nrows() {
        let expected = "`end`, because [windows] validation is 0";
        return Err(TrainingError::setting("[forecast] from", "validation", expected));
    }
    let ahead = ahead.unwrap_or(config.windows.length);
    check_steps(&config.solver, "[forecast] rows", ahead)?;
    check_numbers("[forecast] paths", paths, &[ahead, rows.values.ncols()])?;
    // Values as recorded, as an array, and in double precision; a row of statistics and text.
    let sizes = [paths, ahead, rows.values.ncols()].map(|size| size as u64);
    let numbers = sizes.into_iter().fold(1, u64::saturating_mul);
    let bytes = numbers.saturating_mul(24).saturating_add(sizes[1].saturating_mul(512 * sizes[2]));
    let what = format!("the forecast of {paths} paths of {ahead} rows");
    memory::require(what, bytes, "reduce [forecast] paths or rows")
}

impl Distribution {
    /// Simulates paths of a model from one row of the data. The memory of the equation starts
    /// there, as in the windows of the training.
    pub(super) fn new<T: Scalar>(
        config: &Config,
        rows: &Rows,
        model: &NeuralFractionalSde,
        theta: &[T],
    ) -> Result<Self, Error>
    where
        Network: Layer<T>,
    {
        let (all, ahead) = (rows.values.nrows(), config.forecast.rows);
        let ahead = ahead.unwrap_or(config.windows.length);
        let paths = config.forecast.paths;
        let start = match config.forecast.from {
            From::End => all - 1,
            From::Validation => rows.held_out,
        };
        let from = rows.values.row(start).mapv(T::narrow);
        let starts = Array2::from_shape_fn((1, from.len()), |(_, i)| from[i]);
        let solving = config.solver.over(ahead, rows.dt);
        let nodes: Vec<usize> = (1..=ahead).map(|row| row * config.solver.steps).collect();
        // Noise independent of that of training and validation.
        let seed = checksum(&config.training.seed.to_le_bytes());
        let (own, loss) = theta.split_at(model.parameters());
        let values = model.simulate(own, starts.view(), (&solving, &nodes), paths, seed)?;
        let mut values = values.mapv(|x| x.widen());
        if let PathLoss::Each(Loss::GaussianLikelihood { floor }) = config.loss.path_loss {
            let deviations: Vec<f64> =
                loss.iter().map(|log| log.widen().exp().hypot(floor)).collect();
            add_errors(&mut values, &deviations, seed);
        }
        let columns = (0..rows.names.len()).map(|i| {
            let (mean, deviation) =
                (rows.standardisation.mean[i], rows.standardisation.deviation[i]);
            let column = Column::of(&values, i, |x| mean + deviation * x);
            let later = (start + 1..=start + ahead).map(|row| rows.columns[i].get(row).copied());
            Column { observed: later.collect(), ..column }
        });
        let columns = columns.collect();
        let times: Vec<f64> = (start + 1..=start + ahead).map(|row| rows.time(row)).collect();
        let label = |(row, t): (usize, &f64)| {
            rows.labels.get(row).cloned().unwrap_or_else(|| rows.time_format.text(*t))
        };
        let labels = (start + 1..).zip(&times).map(label).collect();
        Ok(Self { start, labels, times, columns })
    }

    /// CSV, numbers as their [`shortest`] decimals.
    pub(super) fn to_csv(&self, rows: &Rows) -> Result<Vec<u8>, Error> {
        let mut header = vec![rows.time_name.clone()];
        for name in &rows.names {
            header.extend([name.clone(), format!("mean({name})")]);
            header.extend(LEVELS.map(|level| format!("q{}({name})", shortest(level))));
        }
        let records = self.labels.iter().enumerate().map(|(row, label)| {
            let mut cells = vec![label.clone()];
            for column in &self.columns {
                cells.push(column.observed[row].map_or_else(String::new, shortest));
                cells.push(shortest(column.mean[row]));
                cells.extend(column.quantiles.iter().map(|quantile| shortest(quantile[row])));
            }
            cells
        });
        csv_bytes("forecast.csv", std::iter::once(header).chain(records))
    }
}

impl Column {
    /// Statistics of paths, indexed by path, row and component.
    fn of(paths: &Array3<f64>, component: usize, scale: impl Fn(f64) -> f64) -> Self {
        let (count, rows, _) = paths.dim();
        let (mut mean, mut quantiles) = (Vec::new(), LEVELS.map(|_| Vec::new()));
        for row in 0..rows {
            let values = (0..count).map(|path| scale(paths[[path, row, component]]));
            let mut values: Vec<f64> = values.collect();
            mean.push(values.iter().sum::<f64>() / count as f64);
            values.sort_unstable_by(f64::total_cmp);
            for (quantile, level) in quantiles.iter_mut().zip(LEVELS) {
                quantile.push(interpolated_quantile(&values, level));
            }
        }
        Self { mean, quantiles, observed: Vec::new() }
    }
}

/// Adds observation errors with the learned standard deviations.
fn add_errors(paths: &mut Array3<f64>, deviations: &[f64], seed: u64) {
    let normals = Normals::new(seed);
    for ((path, row, component), x) in paths.indexed_iter_mut() {
        // Streams other than those of the Brownian motion of the paths.
        let stream = Stream::new(Purpose::Parameters, component as u32);
        if let (Some(stream), Some(deviation)) = (stream, deviations.get(component)) {
            *x += deviation * normals.at::<f64>(stream, path as u64, row as u32);
        }
    }
}
