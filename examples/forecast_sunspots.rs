//! Forecast of sunspots: `cargo run --release --example forecast_sunspots`.
//!
//! A stochastic equation of learned order whose drift and diffusion are networks, fitted to the
//! yearly numbers up to 1958 and compared with the later ones; one of order 1 forecasts as well.
//! Its state is the number of a year and that of three years before, a quarter of a cycle, as
//! square roots, which makes the size of fluctuations uniform. The fan shows quantiles of the
//! forecast: it widens as the phase of the cycle becomes uncertain.

use hpfracc::ndarray::{Array2, Array3, ArrayView2, Axis as Along, s};
use hpfracc::nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{Activation, Adam, Batch, Network, Objective, Optimiser, Schedule};
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet, band};
use pictures::{Outcome, publish, publish_curves};
use std::ops::ControlFlow;

const DATA: &str = include_str!("data/sunspots.csv");
/// A quarter of the cycle, in years.
const LAG: usize = 3;
/// Last year of the training data.
const LAST: usize = 1958;
/// Years per window, and steps per year. The unit of time is a decade.
const WINDOW: usize = 11;
const EVERY: usize = 4;
const YEAR: f64 = 0.1;
/// Scale of the square roots of the numbers.
const SCALE: f64 = 5.0;
/// Paths per window in training, and per fan.
const PATHS: usize = 8;
const FAN: usize = 500;
/// Years per forecast.
const AHEAD: usize = 25;

pub(crate) fn main() -> Outcome<()> {
    let sunspots = Sunspots::new()?;
    let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
    let runs = [
        Run::new("order learned", learned, &sunspots)?,
        Run::new("order 1", Orders::One, &sunspots)?,
    ];
    println!("Energy score of forecasts over {WINDOW} years, in training and after {LAST}");
    for run in &runs {
        let Run { name, alpha, losses, held_out, .. } = run;
        let last = losses.last().copied().unwrap_or(f64::NAN);
        println!("{name:<14} alpha = {alpha:.3}   {last:.4}   {held_out:.4}");
    }
    println!("climatology of the years before: {:.4}", sunspots.climatology()?);
    draw(&runs, &sunspots)
}

fn draw(runs: &[Run; 2], sunspots: &Sunspots) -> Outcome<()> {
    let years: Vec<f64> = sunspots.years.iter().map(|year| *year as f64).collect();
    let fans =
        [Fan::new(&runs[0], sunspots, LAST)?, Fan::new(&runs[0], sunspots, sunspots.last())?];
    let bands: Vec<_> = fans.iter().map(Fan::bands).collect();
    let mut curves = Vec::new();
    // The names of the first fan serve for both.
    let names = [["25 to 75 %, 5 to 95 %", "median"], ["", ""]];
    for ((fan, [wide, narrow]), [within, median]) in fans.iter().zip(&bands).zip(names) {
        curves.push(Curve::line(within, &wide.0, &wide.1, 0).marked(Mark::Band));
        curves.push(Curve::line("", &narrow.0, &narrow.1, 0).marked(Mark::Band));
        curves.push(Curve::line(median, &fan.years, &fan.quantiles[2], 0));
    }
    let from = sunspots.row(LAST - 60);
    curves.push(Curve::line("observed", &years[from..], &sunspots.numbers[from..], 1));
    let epochs: Vec<Vec<f64>> =
        runs.iter().map(|run| (1..=run.losses.len()).map(|n| n as f64).collect()).collect();
    let pairs = runs.iter().zip(&epochs).enumerate();
    let losses: Vec<Curve<'_>> =
        pairs.map(|(k, (run, epochs))| Curve::line(run.name, epochs, &run.losses, k)).collect();
    let chart = |title, x, y, curves| Chart { title, x: Axis::linear(x), y, curves, equal: false };
    let title = "forecasts from 1958 and from 2008";
    let losses_of: Vec<(&str, &[f64])> = runs.iter().map(|run| (run.name, &*run.losses)).collect();
    publish_curves("forecast_sunspots", 1, &losses_of)?;
    publish(
        "forecast_sunspots",
        &Sheet {
            title: "Sunspots: a neural stochastic equation of learned order",
            columns: &[
                &[chart(title, "year", Axis::linear("sunspot number"), &curves)],
                &[chart("training", "epoch", Axis::linear("energy score"), &losses)],
            ],
        },
    )
}

/// The time series, and its states.
struct Sunspots {
    years: Vec<usize>,
    numbers: Vec<f64>,
    /// Row i is the state of year i + LAG.
    states: Array2<f64>,
}

impl Sunspots {
    fn new() -> Outcome<Self> {
        let (mut years, mut numbers) = (Vec::new(), Vec::new());
        for line in DATA.lines().skip(1) {
            let (year, number) = line.split_once(',').ok_or("a line without a comma")?;
            years.push(year.parse()?);
            numbers.push(number.parse()?);
        }
        let root = |n: usize| f64::sqrt(numbers[n]) / SCALE - 1.0;
        let states =
            Array2::from_shape_fn((years.len() - LAG, 2), |(i, j)| root(i + LAG * (1 - j)));
        Ok(Self { years, numbers, states })
    }

    fn last(&self) -> usize {
        self.years[0] + self.years.len() - 1
    }

    fn row(&self, year: usize) -> usize {
        year - self.years[0]
    }

    fn before(&self) -> ArrayView2<'_, f64> {
        self.states.slice(s![..=self.row(LAST) - LAG, ..])
    }

    fn after(&self) -> ArrayView2<'_, f64> {
        self.states.slice(s![self.row(LAST) - LAG.., ..])
    }

    /// Score of a forecast by the empirical distribution of the states (climatology).
    fn climatology(&self) -> Outcome<f64> {
        let windows = windows(self.after())?;
        let past = self.before();
        let distance = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let states: Vec<[f64; 2]> = past.outer_iter().map(|row| [row[0], row[1]]).collect();
        let pairs = |to: &[f64; 2]| {
            states.iter().map(|state| distance(state, to)).sum::<f64>() / states.len() as f64
        };
        let among = states.iter().map(pairs).sum::<f64>() / states.len() as f64;
        let observed = windows.observed().lanes(Along(2)).into_iter();
        let scores = observed.map(|row| pairs(&[row[0], row[1]]) - among / 2.0);
        let scores: Vec<f64> = scores.collect();
        Ok(scores.iter().sum::<f64>() / scores.len() as f64)
    }
}

fn windows(states: ArrayView2<'_, f64>) -> Outcome<Windows<f64>> {
    Ok(Windows::cut(states, (WINDOW, 1), EVERY)?)
}

/// A model and the results of its training.
struct Run {
    name: &'static str,
    model: NeuralFractionalSde,
    theta: Vec<f64>,
    alpha: f64,
    /// Loss by epoch.
    losses: Vec<f64>,
    /// Score on the held-out years.
    held_out: f64,
}

fn solving(years: usize) -> Solving {
    Solving::new(years as f64 * YEAR, years * EVERY)
}

impl Run {
    fn new(name: &'static str, orders: Orders, sunspots: &Sunspots) -> Outcome<Self> {
        let drift = Network::perceptron(&[2, 32, 2], Activation::Tanh)?;
        let network = Network::perceptron(&[2, 16, 2], Activation::Tanh)?;
        let diffusion = Diffusion::Diagonal { network, floor: Some(0.05) };
        let model = NeuralFractionalSde::new(drift, diffusion, orders)?;
        let fit = |windows, paths| {
            SdeFit::new(model.clone(), solving(WINDOW), windows, PathLoss::EnergyScore, paths)
        };
        let training = fit(windows(sunspots.before())?, PATHS)?;
        let settings = Training {
            optimiser: Optimiser::Adam(Adam::default()),
            schedule: Schedule::Cosine { from: 0.01, to: 1e-4, steps: 480 },
            epochs: 60,
            clip: Some(1.0),
            seed: 2,
            ..Training::default()
        };
        let mut losses = Vec::new();
        let trained = Trainer::new(&training, settings).run(|event| {
            if let Event::Epoch(epoch) = event {
                losses.push(epoch.loss);
            }
            ControlFlow::Continue(())
        })?;
        let theta = trained.parameters().to_vec();
        let test_fit = fit(windows(sunspots.after())?, 64)?;
        let all: Vec<usize> = (0..test_fit.samples()).collect();
        let held_out = test_fit.loss(&theta, Batch::new(&all, 0))?;
        let alpha = model.order_values(&theta)?[0];
        Ok(Self { name, model, theta, alpha, losses, held_out })
    }

    /// Paths that start in a year, by path, year and component.
    fn paths(&self, sunspots: &Sunspots, year: usize) -> Outcome<Array3<f64>> {
        let nodes: Vec<usize> = (0..=AHEAD).map(|year| year * EVERY).collect();
        let row = sunspots.row(year) - LAG;
        let start = sunspots.states.slice(s![row..=row, ..]);
        let solving = solving(AHEAD);
        Ok(self.model.simulate(&self.theta, start, (&solving, &nodes), FAN, 3)?)
    }
}

/// Quantiles of a forecast, as sunspot numbers.
struct Fan {
    years: Vec<f64>,
    quantiles: [Vec<f64>; 5],
}

impl Fan {
    fn new(run: &Run, sunspots: &Sunspots, year: usize) -> Outcome<Self> {
        let paths = run.paths(sunspots, year)?;
        let mut quantiles = [const { Vec::new() }; 5];
        for n in 0..=AHEAD {
            let number = |root: &f64| (SCALE * (root + 1.0)).max(0.0).powi(2);
            let mut numbers: Vec<f64> = paths.slice(s![.., n, 0]).iter().map(number).collect();
            numbers.sort_by(f64::total_cmp);
            for (quantile, share) in quantiles.iter_mut().zip([0.05, 0.25, 0.5, 0.75, 0.95]) {
                quantile.push(numbers[(share * (FAN - 1) as f64).round() as usize]);
            }
        }
        let years = (0..=AHEAD).map(|n| (year + n) as f64).collect();
        Ok(Self { years, quantiles })
    }

    fn bands(&self) -> [(Vec<f64>, Vec<f64>); 2] {
        [(0, 4), (1, 3)]
            .map(|(low, high)| band(&self.years, &self.quantiles[low], &self.quantiles[high]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_testkit::{Figure, record};

    #[test]
    fn forecasts_beat_the_frequencies_of_the_past() {
        let sunspots = Sunspots::new().unwrap();
        let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
        let run = Run::new("", learned, &sunspots).unwrap();
        let climatology = sunspots.climatology().unwrap();
        assert!(run.held_out < 0.8 * climatology, "{}", run.held_out);
        let without = Run::new("", Orders::One, &sunspots).unwrap();
        let figures = [
            ("with memory", run.held_out),
            ("order 1", without.held_out),
            ("for comparison", climatology),
        ];
        let labels = [("training", "sunspots"), ("figure", "energy score after 1958")];
        let figures = figures.map(|(name, number)| (name, Figure::number(number, 3)));
        record("accuracy/trainings", &labels, &figures);
        let fan = Fan::new(&run, &sunspots, LAST).unwrap();
        let inside = (1..=WINDOW).filter(|n| {
            let number = sunspots.numbers[sunspots.row(LAST) + n];
            (fan.quantiles[0][*n]..=fan.quantiles[4][*n]).contains(&number)
        });
        assert!(inside.count() >= WINDOW - 3);
    }
}
