//! Statistics of ensembles, as fan charts.

use super::Export;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, PlotError, Sheet, Table, band};
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
        let fans = (0..self.mean.ncols()).map(|i| {
            let mean: Vec<f64> = self.mean.column(i).to_vec();
            let deviations = |count: f64| -> Vec<f64> {
                let sd = (0..mean.len()).map(|n| self.covariance[[n, i, i]].max(0.0).sqrt());
                mean.iter().zip(sd).map(|(mean, sd)| mean + count * sd).collect()
            };
            let bands = vec![
                ("2 standard deviations".to_owned(), deviations(-2.0), deviations(2.0)),
                ("1 standard deviation".to_owned(), deviations(-1.0), deviations(1.0)),
            ];
            Fan { bands, middle: Some(("mean".to_owned(), mean)) }
        });
        let title = format!("{} paths", self.paths);
        draw_fans(&title, &self.times, &fans.collect::<Vec<_>>(), format)
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
        let mut order: Vec<usize> = (0..self.probabilities.len()).collect();
        order.sort_by(|a, b| self.probabilities[*a].total_cmp(&self.probabilities[*b]));
        let percent = |k: usize| format!("{}", (1e8 * self.probabilities[k]).round() / 1e6);
        let fans = (0..self.least.ncols()).map(|i| {
            let series = |k: usize| (0..self.times.len()).map(|n| self.values[[n, i, k]]).collect();
            let pairs = (0..order.len() / 2).map(|k| (order[k], order[order.len() - 1 - k]));
            let band = |(low, high): (usize, usize)| {
                (format!("{} to {} %", percent(low), percent(high)), series(low), series(high))
            };
            let middle = (order.len() % 2 == 1).then(|| order[order.len() / 2]);
            let name = |k: usize| match self.probabilities[k] {
                0.5 => "median".to_owned(),
                _ => format!("{} %", percent(k)),
            };
            Fan { bands: pairs.map(band).collect(), middle: middle.map(|k| (name(k), series(k))) }
        });
        let title = format!("{} paths", self.paths);
        draw_fans(&title, &self.times, &fans.collect::<Vec<_>>(), format)
    }
}

/// Bands from the widest to the narrowest, each with its name, and the curve in their middle.
struct Fan {
    bands: Vec<(String, Vec<f64>, Vec<f64>)>,
    middle: Option<(String, Vec<f64>)>,
}

/// Draws a chart for each component.
fn draw_fans(
    title: &str,
    times: &[f64],
    fans: &[Fan],
    format: Format,
) -> Result<Vec<u8>, PlotError> {
    let outlines: Vec<Vec<(Vec<f64>, Vec<f64>)>> = fans
        .iter()
        .map(|fan| fan.bands.iter().map(|(_, low, high)| band(times, low, high)).collect())
        .collect();
    let curves: Vec<Vec<Curve<'_>>> = (fans.iter().zip(&outlines).enumerate())
        .map(|(i, (fan, outlines))| {
            // The legend is above the first chart.
            let name = |name: &'static str, own| if i == 0 { own } else { name };
            let bands =
                fan.bands.iter().zip(outlines).map(|((own, ..), (x, y))| {
                    Curve::line(name("", own), x, y, 0).marked(Mark::Band)
                });
            let middle = fan.middle.iter().map(|(own, y)| Curve::line(name("", own), times, y, 1));
            bands.chain(middle).collect()
        })
        .collect();
    let names: Vec<String> = (0..fans.len()).map(|i| component(i, fans.len())).collect();
    let charts =
        names.iter().zip(&curves).map(|(name, curves)| ("", Axis::linear(name), &curves[..]));
    let charts = Chart::stacked(Axis::linear("t"), charts);
    Sheet { title, columns: &[&charts] }.draw(format)
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
