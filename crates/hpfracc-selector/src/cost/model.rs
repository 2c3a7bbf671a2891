//! The cost of one candidate on one kind of work: a linear model fitted to the timings, and its
//! residual, interpolated between neighbouring sizes.
//!
//! The model is `t = sum_j c_j n_j` with counts `n_j` of the work and costs `c_j >= 0`. It misses
//! caches, padding to transform lengths, and the step from one signal to several. These appear as
//! a residual `ln t - ln sum_j c_j n_j` that varies slowly with the size: a Gaussian process with
//! covariance `s^2 exp(-d / l)` over the distance d in octaves. Its variance grows with the
//! distance to the nearest timing.

use super::features::Features;
use super::prior::{Coefficients, seconds};
use super::{least_squares, residual};
use crate::task::{Stage, Subject};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Logarithm of an expected time in seconds, with its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Forecast {
    pub(crate) log: f64,
    pub(crate) deviation: f64,
    /// Whether any timing supports it; else it is the prior.
    pub(crate) fitted: bool,
}

/// The time of one size.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) subject: Subject,
    pub(crate) stage: Stage,
    pub(crate) features: Features,
    pub(crate) reading: Reading,
}

/// A measured time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// Logarithm of the seconds of one execution.
    pub(crate) log: f64,
    /// Number of executions that were timed.
    pub(crate) executions: u64,
    /// Date, in seconds since 1970.
    pub(crate) at: u64,
}

/// Standard deviation, in the logarithm, of a forecast from the prior alone: a factor of two.
const PRIOR_DEVIATION: f64 = 0.7;

/// Largest number of sizes stored in one model; the oldest is replaced.
pub(crate) const CAPACITY: usize = 2048;

pub(crate) struct CostModel {
    prior: Coefficients,
    fitted: Coefficients,
    /// Root mean square of the residuals.
    spread: f64,
    samples: Vec<Sample>,
    /// Position by a hash of subject and stage, a quarter of the memory of the key itself. Of two
    /// keys with one hash the later one is stored.
    index: HashMap<u64, u32>,
    /// Changes since the last fit.
    changes: usize,
}

impl CostModel {
    pub(crate) fn new(prior: Coefficients) -> Self {
        Self {
            prior,
            fitted: prior,
            spread: PRIOR_DEVIATION,
            samples: Vec::new(),
            index: HashMap::new(),
            changes: 0,
        }
    }

    /// Replaces the prior of a model whose timings were read before the prior was known.
    pub(crate) fn set_prior(&mut self, prior: Coefficients) {
        if self.prior != prior {
            self.prior = prior;
            self.fitted = prior;
            self.changes = self.samples.len();
        }
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The stored time of exactly this size.
    pub(crate) fn reading(&self, subject: &Subject, stage: Stage) -> Option<Reading> {
        let &i = self.index.get(&hash(subject, stage))?;
        let sample = &self.samples[i as usize];
        (sample.subject == *subject && sample.stage == stage).then_some(sample.reading)
    }

    /// Stores the time of a size.
    pub(crate) fn record(&mut self, sample: Sample) {
        self.changes += 1;
        let key = hash(&sample.subject, sample.stage);
        if let Some(&known) = self.index.get(&key) {
            self.samples[known as usize] = sample;
            return;
        }
        let slot = if self.samples.len() < CAPACITY {
            self.samples.push(sample);
            self.samples.len() - 1
        } else {
            let oldest = (0..CAPACITY).min_by_key(|&i| self.samples[i].reading.at).unwrap_or(0);
            let gone = std::mem::replace(&mut self.samples[oldest], sample);
            self.index.remove(&hash(&gone.subject, gone.stage));
            oldest
        };
        self.index.insert(key, slot as u32);
    }

    /// Whether more than a tenth of all samples changed since the last fit.
    pub(crate) fn is_stale(&self) -> bool {
        self.changes * 10 > self.samples.len()
    }

    /// Fits the model again. Takes some microseconds.
    pub(crate) fn fit(&mut self) {
        self.changes = 0;
        let rows = self.samples.iter().map(|s| (&s.features.counts, s.reading.log));
        self.fitted = least_squares::fit(&self.prior, rows);
        let fitted = &self.fitted;
        let squares: f64 = self.samples.iter().map(|s| residual_of(fitted, s).powi(2)).sum();
        // Two residuals of the size of the prior's stand for sizes never timed.
        let prior = 2.0 * PRIOR_DEVIATION * PRIOR_DEVIATION;
        self.spread = ((squares + prior) / (self.samples.len() as f64 + 2.0)).sqrt();
    }

    pub(crate) fn forecast(&self, features: &Features) -> Forecast {
        let linear = seconds(&self.fitted, &features.counts).ln();
        if self.samples.is_empty() {
            return Forecast { log: linear, deviation: PRIOR_DEVIATION, fitted: false };
        }
        let residual = |s: &Sample| residual_of(&self.fitted, s);
        let known = self.samples.iter().map(|s| (&s.features.coordinates, residual(s)));
        let (mean, deviation) = residual::interpolate(&features.coordinates, known, self.spread);
        Forecast { log: linear + mean, deviation, fitted: true }
    }
}

fn hash(subject: &Subject, stage: Stage) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((subject, stage))
}

fn residual_of(fitted: &Coefficients, sample: &Sample) -> f64 {
    sample.reading.log - seconds(fitted, &sample.features.counts).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_backend::Workload;

    /// Seconds of a call and of N log2 2N.
    const PRIOR: Coefficients = [1e-7, 0.0, 0.0, 0.0, 1e-9, 0.0];

    fn conv(len: usize) -> Workload {
        Workload::CausalConvolution { len, batch: 1 }
    }

    fn record(model: &mut CostModel, len: usize, (log, executions, at): (f64, u64, u64)) {
        model.record(Sample {
            subject: Subject::Map(conv(len)),
            stage: Stage::Forward,
            features: Features::of_workload(conv(len), Stage::Forward),
            reading: Reading { log, executions, at },
        });
    }

    fn forecast(model: &CostModel, len: usize) -> Forecast {
        model.forecast(&Features::of_workload(conv(len), Stage::Forward))
    }

    fn reading(model: &CostModel, len: usize) -> Option<Reading> {
        model.reading(&Subject::Map(conv(len)), Stage::Forward)
    }

    #[test]
    fn without_timings_the_prior_decides() {
        let model = CostModel::new(PRIOR);
        let forecast = forecast(&model, 1000);
        assert!(!forecast.fitted);
        assert!((forecast.log.exp() / (1e-7 + 1e-6 * 2000f64.log2()) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_slower_machine_is_learned_from_one_timing() {
        let mut model = CostModel::new(PRIOR);
        let truth = |n: usize| 7.0 * (1e-7 + 1e-9 * n as f64 * (2.0 * n as f64).log2());
        record(&mut model, 4096, (truth(4096).ln(), 1, 0));
        model.fit();
        let ratio = forecast(&model, 8192).log.exp() / truth(8192);
        assert!((0.6..1.5).contains(&ratio), "{ratio}");
    }

    #[test]
    fn uncertainty_grows_away_from_timings_and_vanishes_on_them() {
        let mut model = CostModel::new(PRIOR);
        // Padding to powers of two: not linear in n log n.
        let truth = |n: usize| 3e-9 * n.next_power_of_two() as f64;
        for n in [100, 200, 300, 700, 900, 2000] {
            record(&mut model, n, (truth(n).ln(), 3, 0));
        }
        model.fit();
        let at = |n: usize| forecast(&model, n);
        assert!((at(700).log - truth(700).ln()).abs() < 0.1);
        assert!((at(800).log - truth(800).ln()).abs() < 0.2);
        assert!(at(700).deviation < at(800).deviation);
        assert!(at(800).deviation < at(1 << 20).deviation);
    }

    #[test]
    fn the_oldest_makes_room() {
        let mut model = CostModel::new(PRIOR);
        for n in 1..=CAPACITY + 1 {
            record(&mut model, n, (0.0, 1, n as u64));
        }
        assert_eq!(model.samples().len(), CAPACITY);
        assert!(reading(&model, 1).is_none());
        assert!(reading(&model, CAPACITY + 1).is_some());
        assert_eq!(model.index.len(), CAPACITY);
    }

    /// The time of another workload with the same hash is never returned.
    #[test]
    fn two_of_one_hash_are_not_mixed_up() {
        let mut model = CostModel::new(PRIOR);
        record(&mut model, 1, (1.0, 1, 1));
        model.index.insert(hash(&Subject::Map(conv(2)), Stage::Forward), 0);
        assert!(reading(&model, 2).is_none());
        record(&mut model, 2, (2.0, 1, 2));
        assert_eq!(reading(&model, 2).map(|s| s.log), Some(2.0));
        assert!(reading(&model, 1).is_none());
        assert_eq!(model.samples().len(), 1);
    }
}
