//! Fan charts: `cargo run --release --example fan_charts`.
//!
//! Four processes from the same seed: mean-reverting and not, noise with positively and with
//! negatively correlated increments, a variance that is never negative.

use hpfracc::ndarray::Axis as Along;
use hpfracc::prelude::*;
use hpfracc::sde::models::Named;
use hpfracc_plot::{Axis, Chart, Curve, Fan, Mark, Sheet};
use pictures::{Outcome, largest, publish};

const PATHS: usize = 4000;
const STEPS: usize = 400;
const T1: f64 = 4.0;
/// Number of paths drawn.
const SHOWN: usize = 4;

pub(crate) fn main() -> Outcome<()> {
    println!(
        "{PATHS} paths of {STEPS} steps: mean and standard deviation at t = {T1}, and the exact ones"
    );
    let fans = models()?;
    let mut drawn = Vec::new();
    for (title, model) in &fans {
        let fan = Simulated::new(model)?;
        let last = fan.times.len() - 1;
        let known = model.known(T1)?[0];
        println!(
            "{title:<42}{:7.4} {:7.4}   {:7.4} {:7.4}   mean off by at most {:.4}",
            fan.mean[last],
            fan.deviation,
            known.mean.unwrap_or(f64::NAN),
            known.variance.unwrap_or(f64::NAN).sqrt(),
            fan.error()
        );
        drawn.push((title, fan));
    }
    let fans: Vec<Fan> = drawn.iter().map(|(_, simulated)| simulated.fan()).collect();
    let mut curves: Vec<Vec<Curve<'_>>> = fans.iter().map(Fan::curves).collect();
    // Each column has one legend.
    let unnamed = curves.iter_mut().skip(1).step_by(2).flatten();
    unnamed.for_each(|curve| curve.name = "");
    let charts: Vec<Chart<'_>> = (drawn.iter().zip(&curves).enumerate())
        .map(|(k, ((title, _), curves))| Chart {
            title,
            x: Axis::linear(if k % 2 == 1 { "t" } else { "" }),
            y: Axis::linear("x"),
            curves,
            equal: false,
        })
        .collect();
    let title = "Fan charts of four processes";
    publish("fan_charts", &Sheet { title, columns: &[&charts[..2], &charts[2..]] })
}

fn models() -> Outcome<[(&'static str, Named); 4]> {
    let fractional = |hurst| -> Outcome<Named> {
        let model = Named::new("fractional-ornstein-uhlenbeck").ok_or("not in the catalogue")?;
        Ok(model.with("hurst", hurst).ok_or("no such parameter")??)
    };
    let named = |name| Named::new(name).ok_or("not in the catalogue");
    Ok([
        ("Fractional Ornstein-Uhlenbeck, H = 0.25", fractional(0.25)?),
        ("Fractional Ornstein-Uhlenbeck, H = 0.85", fractional(0.85)?),
        ("Geometric Brownian motion", named("geometric-brownian")?),
        ("Cox-Ingersoll-Ross", named("cox-ingersoll-ross")?),
    ])
}

/// Paths of one model and their statistics.
struct Simulated {
    times: Vec<f64>,
    mean: Vec<f64>,
    deviation: f64,
    rings: (Vec<f64>, Vec<f64>),
    quantiles: [(f64, Vec<f64>); 4],
    paths: Vec<Vec<f64>>,
}

impl Simulated {
    fn new(model: &Named) -> Outcome<Self> {
        let ensemble = Ensemble::new(PATHS, STEPS)?.saving_every(2)?;
        let (moments, paths) =
            model.simulate::<f64, _>(&ensemble, (0.0, T1), 1, &(Moments, Paths))?;
        let mut quantiles = [0.05, 0.25, 0.75, 0.95].map(|level| (level, Vec::new()));
        for time in 0..moments.times.len() {
            let mut values = paths.index_axis(Along(1), time).column(0).to_vec();
            values.sort_unstable_by(f64::total_cmp);
            for (level, series) in &mut quantiles {
                series.push(values[(*level * PATHS as f64) as usize]);
            }
        }
        let times = moments.times.clone();
        let ring_times: Vec<f64> = times.iter().copied().step_by(20).collect();
        let means = ring_times.iter().map(|t| Ok(model.known(*t)?[0].mean.unwrap_or(f64::NAN)));
        let means = means.collect::<Outcome<_>>()?;
        let path = |k: usize| paths.index_axis(Along(0), k).column(0).to_vec();
        Ok(Self {
            mean: moments.mean.column(0).to_vec(),
            deviation: moments.covariance[[times.len() - 1, 0, 0]].sqrt(),
            rings: (ring_times, means),
            paths: (0..SHOWN).map(path).collect(),
            times,
            quantiles,
        })
    }

    fn fan(&self) -> Fan {
        let mut fan = Fan::new("x").with_quantiles(&self.times, &self.quantiles);
        for (k, path) in self.paths.iter().enumerate() {
            let name = if k == 0 { "paths" } else { "" };
            fan = fan.with(Curve::line(name, &self.times, path, 4).marked(Mark::Hair));
        }
        let (times, exact) = &self.rings;
        fan.with(Curve::line("mean", &self.times, &self.mean, 1))
            .with(Curve::line("exact", times, exact, 1).marked(Mark::Rings))
    }

    /// Largest distance of the mean from the exact mean, at the rings.
    fn error(&self) -> f64 {
        let means = self.mean.iter().step_by(20);
        let errors: Vec<f64> = means.zip(&self.rings.1).map(|(a, b)| a - b).collect();
        largest(&errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_exact_within_their_errors() {
        for (title, model) in models().unwrap() {
            let fan = Simulated::new(&model).unwrap();
            let error = 5.0 * fan.deviation / (PATHS as f64).sqrt() + 0.01;
            assert!(fan.error() < error, "{title}: {} {error}", fan.error());
            assert_eq!(fan.paths[0].len(), fan.times.len());
        }
    }
}
