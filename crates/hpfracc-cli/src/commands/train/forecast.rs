//! What is told of the time after the record, or of its part held back.

use super::config::{Config, Forecast, From};
use super::data::{Rows, check_numbers};
use crate::Error;
use crate::compute::interpolated_quantile;
use crate::error::TrainingError;
use crate::input::dates;
use crate::text::{digits17, shortest};
use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{NeuralFractionalSde, PathLoss};
use hpfracc::nn::trainer::checksum;
use hpfracc::nn::{Layer, Loss, Network, Scalar};
use hpfracc::noise::{Normals, Purpose, Stream};

/// Probabilities that are told.
pub(super) const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The law of each column at each row to come.
pub(super) struct Fan {
    /// The row of the record that it starts from.
    pub(super) start: usize,
    pub(super) labels: Vec<String>,
    pub(super) times: Vec<f64>,
    pub(super) columns: Vec<Column>,
}

/// One of them: numbers by row.
pub(super) struct Column {
    pub(super) mean: Vec<f64>,
    /// For each of [`LEVELS`].
    pub(super) quantiles: [Vec<f64>; 5],
    /// What the record has at that time, if it goes so far.
    pub(super) observed: Vec<Option<f64>>,
}

/// Refuses what cannot be told, before a training and not after it.
pub(super) fn check(config: &Config, rows: &Rows) -> Result<(), Error> {
    let Forecast { from, rows: ahead, paths } = config.forecast;
    for (key, value) in [("[forecast] rows", ahead.unwrap_or(1)), ("[forecast] paths", paths)] {
        if value == 0 {
            return Err(TrainingError::setting(key, value, "at least 1"));
        }
    }
    if from == From::Validation && rows.held_back == rows.values.nrows() {
        let expected = "`end` where nothing is held back";
        return Err(TrainingError::setting("[forecast] from", "validation", expected));
    }
    let ahead = ahead.unwrap_or(config.windows.length);
    config.solver.check("[forecast] rows", ahead)?;
    check_numbers("[forecast] paths", paths, &[ahead, rows.values.ncols()])
}

impl Fan {
    /// By paths of a model from one row of the record, which begins anew there: it has no memory of what was
    /// before, as in the windows that it was trained on.
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
            From::Validation => rows.held_back,
        };
        let from = rows.values.row(start).mapv(T::narrow);
        let starts = Array2::from_shape_fn((1, from.len()), |(_, i)| from[i]);
        let solving = config.solver.over(ahead, rows.dt);
        let nodes: Vec<usize> = (1..=ahead).map(|row| row * config.solver.steps).collect();
        // Other noise than that of the steps of the training, and than that of its validations.
        let seed = checksum(&config.training.seed.to_le_bytes());
        let (own, loss) = theta.split_at(model.parameters());
        let found = model.simulate(own, starts.view(), (&solving, &nodes), paths, seed)?;
        let mut found = found.mapv(|x| x.widen());
        if let PathLoss::Each(Loss::GaussianLikelihood { floor }) = config.loss.misfit {
            let deviations: Vec<f64> =
                loss.iter().map(|log| log.widen().exp().hypot(floor)).collect();
            add_errors(&mut found, &deviations, seed);
        }
        let columns = (0..rows.names.len()).map(|i| {
            let (mean, deviation) =
                (rows.standardisation.mean[i], rows.standardisation.deviation[i]);
            let column = Column::of(&found, i, |x| mean + deviation * x);
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

    /// Numbers with 17 significant digits.
    pub(super) fn to_csv(&self, rows: &Rows) -> Result<Vec<u8>, Error> {
        let failed = |source| Error::Csv { name: "forecast.csv".to_owned(), source };
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut cells = vec![rows.time_name.clone()];
        for name in &rows.names {
            cells.extend([name.clone(), format!("mean({name})")]);
            cells.extend(LEVELS.map(|level| format!("q{}({name})", shortest(level))));
        }
        writer.write_record(&cells).map_err(failed)?;
        for (row, label) in self.labels.iter().enumerate() {
            cells.clear();
            cells.push(label.clone());
            for column in &self.columns {
                cells.push(column.observed[row].map_or_else(String::new, digits17));
                cells.push(digits17(column.mean[row]));
                cells.extend(column.quantiles.iter().map(|quantile| digits17(quantile[row])));
            }
            writer.write_record(&cells).map_err(failed)?;
        }
        writer.into_inner().map_err(|e| failed(e.into_error().into()))
    }

    /// Times as a picture shows them.
    pub(super) fn shown(rows: &Rows, times: &[f64]) -> Vec<f64> {
        let shown = |t: &f64| if rows.time_format.is_date() { dates::decimal_year(*t) } else { *t };
        times.iter().map(shown).collect()
    }
}

impl Column {
    /// Of paths by path, row and component.
    fn of(paths: &Array3<f64>, component: usize, there: impl Fn(f64) -> f64) -> Self {
        let (count, rows, _) = paths.dim();
        let (mut mean, mut quantiles) = (Vec::new(), LEVELS.map(|_| Vec::new()));
        for row in 0..rows {
            let values = (0..count).map(|path| there(paths[[path, row, component]]));
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

/// Adds what observations differ from the paths by, of deviations that were learned.
fn add_errors(paths: &mut Array3<f64>, deviations: &[f64], seed: u64) {
    let normals = Normals::new(seed);
    for ((path, row, component), x) in paths.indexed_iter_mut() {
        // Paths draw from streams of Brownian motion; these are others.
        let stream = Stream::new(Purpose::Parameters, component as u32);
        if let (Some(stream), Some(deviation)) = (stream, deviations.get(component)) {
            *x += deviation * normals.at::<f64>(stream, path as u64, row as u32);
        }
    }
}
