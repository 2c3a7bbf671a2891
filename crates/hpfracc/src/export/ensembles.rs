//! Statistics of ensembles, as fan charts.

use super::Export;
use hpfracc_plot::{Axis, Curve, Fan, Format, PlotError, Table};
use hpfracc_sde::{Expectation, MeanAndCovariance, QuantileTable};

/// Name of an observable.
fn component(i: usize, count: usize) -> String {
    if count == 1 { "x".to_owned() } else { format!("x{i}") }
}

impl Export for MeanAndCovariance {
    fn table(&self) -> Result<Table, PlotError> {
        let dim = self.mean.ncols();
        let mut table = Table::new("t", self.times.iter().copied());
        for i in 0..dim {
            let name = component(i, dim);
            let covariance =
                |j: usize| (0..self.times.len()).map(move |n| self.covariance[[n, i, j]]);
            table = table.with(format!("mean({name})"), self.mean.column(i).iter().copied());
            table = table.with(format!("variance({name})"), covariance(i));
            for j in i + 1..dim {
                let name = format!("covariance({name};{})", component(j, dim));
                table = table.with(name, covariance(j));
            }
        }
        Ok(table)
    }

    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let dim = self.mean.ncols();
        let fans = (0..dim).map(|i| {
            let mean: Vec<f64> = self.mean.column(i).to_vec();
            let deviations = |count: f64| -> Vec<f64> {
                let sd = (0..mean.len()).map(|n| self.covariance[[n, i, i]].max(0.0).sqrt());
                mean.iter().zip(sd).map(|(mean, sd)| mean + count * sd).collect()
            };
            let bands = [("2 standard deviations", 2.0), ("1 standard deviation", 1.0)];
            let fan = bands.into_iter().fold(Fan::new(component(i, dim)), |fan, (name, count)| {
                fan.with_band(name, &self.times, &deviations(-count), &deviations(count))
            });
            fan.with(Curve::line("mean", &self.times, &mean, 1))
        });
        let title = format!("{} paths", self.paths);
        Fan::draw(&title, Axis::linear("t"), &fans.collect::<Vec<_>>(), format)
    }
}

impl Export for QuantileTable {
    fn table(&self) -> Result<Table, PlotError> {
        let dim = self.least.ncols();
        let mut table = Table::new("t", self.times.iter().copied());
        for i in 0..dim {
            let name = component(i, dim);
            table = table.with(format!("least({name})"), self.least.column(i).iter().copied());
            for (k, p) in self.probabilities.iter().enumerate() {
                let values = (0..self.times.len()).map(|n| self.values[[n, i, k]]);
                table = table.with(format!("q{p}({name})"), values);
            }
            let greatest = self.greatest.column(i);
            table = table.with(format!("greatest({name})"), greatest.iter().copied());
        }
        Ok(table)
    }

    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let dim = self.least.ncols();
        let fans = (0..dim).map(|i| {
            let series = |k: usize| (0..self.times.len()).map(|n| self.values[[n, i, k]]).collect();
            let levels = self.probabilities.iter().enumerate();
            let mut quantiles: Vec<(f64, Vec<f64>)> =
                levels.map(|(k, level)| (*level, series(k))).collect();
            quantiles.sort_by(|a, b| a.0.total_cmp(&b.0));
            let fan = Fan::new(component(i, dim)).with_quantiles(&self.times, &quantiles);
            if quantiles.len().is_multiple_of(2) {
                return fan;
            }
            let (level, values) = &quantiles[quantiles.len() / 2];
            let name = match *level {
                0.5 => "median".to_owned(),
                level => format!("{} %", (1e8 * level).round() / 1e6),
            };
            fan.with(Curve::line(&name, &self.times, values, 1))
        });
        let title = format!("{} paths", self.paths);
        Fan::draw(&title, Axis::linear("t"), &fans.collect::<Vec<_>>(), format)
    }
}

impl Export for Expectation {
    fn table(&self) -> Result<Table, PlotError> {
        let levels = &self.levels;
        Ok(Table::new("level", (0..levels.len()).map(|level| level as f64))
            .with("steps", levels.iter().map(|level| level.steps as f64))
            .with("paths", levels.iter().map(|level| level.paths as f64))
            .with("mean of the difference", levels.iter().map(|level| level.mean))
            .with("variance of the difference", levels.iter().map(|level| level.variance))
            .with("mean", levels.iter().map(|level| level.payoff_mean))
            .with("variance", levels.iter().map(|level| level.payoff_variance))
            .with("cost", levels.iter().map(|level| level.cost)))
    }

    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let levels = &self.levels;
        Table::new("level", (0..levels.len()).map(|level| level as f64))
            .with("|mean| of the difference", levels.iter().map(|level| level.mean.abs()))
            .with("variance of the difference", levels.iter().map(|level| level.variance))
            .titled(format!(
                "{:e} with a standard error of {:.1e}",
                self.value, self.standard_error
            ))
            .logarithmic()
            .draw(format)
    }
}
