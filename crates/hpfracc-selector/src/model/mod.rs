//! What one candidate costs on one kind of workload: a law fitted to the timings, and what the law
//! misses, interpolated between neighbours.
//!
//! The law is `t = sum_j c_j n_j` with counts `n_j` of the work and costs `c_j >= 0`. Laws miss
//! caches, padding to transform lengths, and the step from one signal to several. These show as a
//! residual `ln t - ln law`, alike for neighbouring sizes: a Gaussian process with covariance
//! `s^2 exp(-d / l)` over the distance in octaves. Its variance tells how far the nearest timing is.

mod least_squares;
mod residual;

use crate::features::{self, Counts, Place};
use crate::law::{Law, seconds};
use crate::task::Stage;
use hpfracc_backend::Workload;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Logarithm of a time in seconds, with its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Forecast {
    pub(crate) log: f64,
    pub(crate) deviation: f64,
    /// Whether any timing stands behind it.
    pub(crate) fitted: bool,
}

/// One workload timed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) workload: Workload,
    pub(crate) stage: Stage,
    pub(crate) log: f64,
    /// Executions behind it.
    pub(crate) executions: u64,
    /// Seconds since 1970.
    pub(crate) at: u64,
    counts: Counts,
    place: Place,
}

/// Standard deviation, in the logarithm, of a forecast from the prior alone: a factor of two.
const PRIOR_DEVIATION: f64 = 0.7;

/// Workloads remembered for one model; the oldest makes room.
pub(crate) const CAPACITY: usize = 2048;

pub(crate) struct CostModel {
    prior: [f64; features::TERMS],
    fitted: [f64; features::TERMS],
    /// Root mean square of the residuals.
    spread: f64,
    samples: Vec<Sample>,
    /// By a hash of workload and stage, which takes a quarter of the memory of what is hashed: of two with
    /// the same hash the later one is kept.
    index: HashMap<u64, u32>,
    /// Changes since the law was fitted.
    changes: usize,
}

impl CostModel {
    pub(crate) fn new(prior: &Law) -> Self {
        let prior = prior.coefficients();
        Self {
            prior,
            fitted: prior,
            spread: PRIOR_DEVIATION,
            samples: Vec::new(),
            index: HashMap::new(),
            changes: 0,
        }
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    pub(crate) fn sample(&self, workload: Workload, stage: Stage) -> Option<&Sample> {
        let &i = self.index.get(&hash(workload, stage))?;
        Some(&self.samples[i as usize]).filter(|s| (s.workload, s.stage) == (workload, stage))
    }

    /// Sets the time of a workload.
    pub(crate) fn record(
        &mut self,
        workload: Workload,
        stage: Stage,
        (log, executions, at): (f64, u64, u64),
    ) {
        let sample = Sample {
            workload,
            stage,
            log,
            executions,
            at,
            counts: features::counts(workload, stage),
            place: features::place(workload, stage),
        };
        self.changes += 1;
        let key = hash(workload, stage);
        if let Some(&known) = self.index.get(&key) {
            self.samples[known as usize] = sample;
            return;
        }
        let slot = if self.samples.len() < CAPACITY {
            self.samples.push(sample);
            self.samples.len() - 1
        } else {
            let oldest = (0..CAPACITY).min_by_key(|&i| self.samples[i].at).unwrap_or(0);
            let gone = std::mem::replace(&mut self.samples[oldest], sample);
            self.index.remove(&hash(gone.workload, gone.stage));
            oldest
        };
        self.index.insert(key, slot as u32);
    }

    /// Whether so much was recorded since the last fit that another is due: a tenth of all.
    pub(crate) fn is_stale(&self) -> bool {
        self.changes * 10 > self.samples.len()
    }

    /// Fits the law anew. Takes some microseconds.
    pub(crate) fn fit(&mut self) {
        self.changes = 0;
        let rows = self.samples.iter().map(|s| (&s.counts, s.log));
        self.fitted = least_squares::fit(&self.prior, rows);
        let law = &self.fitted;
        let squares: f64 = self.samples.iter().map(|s| residual_of(law, s).powi(2)).sum();
        // Two residuals of the prior's size stand for what was not seen yet.
        let prior = 2.0 * PRIOR_DEVIATION * PRIOR_DEVIATION;
        self.spread = ((squares + prior) / (self.samples.len() as f64 + 2.0)).sqrt();
    }

    pub(crate) fn forecast(&self, workload: Workload, stage: Stage) -> Forecast {
        let counts = features::counts(workload, stage);
        let law = seconds(&self.fitted, &counts).ln();
        if self.samples.is_empty() {
            return Forecast { log: law, deviation: PRIOR_DEVIATION, fitted: false };
        }
        let place = features::place(workload, stage);
        let known = self.samples.iter().map(|s| (&s.place, residual_of(&self.fitted, s)));
        let (mean, deviation) = residual::interpolate(&place, known, self.spread);
        Forecast { log: law + mean, deviation, fitted: true }
    }
}

fn hash(workload: Workload, stage: Stage) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((workload, stage))
}

fn residual_of(law: &[f64; features::TERMS], sample: &Sample) -> f64 {
    sample.log - seconds(law, &sample.counts).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conv(len: usize) -> Workload {
        Workload::CausalConvolution { len, batch: 1 }
    }

    fn law() -> Law {
        Law { call: 1e-7, transform: 1e-9, ..Law::default() }
    }

    #[test]
    fn without_timings_the_prior_speaks() {
        let model = CostModel::new(&law());
        let forecast = model.forecast(conv(1000), Stage::Forward);
        assert!(!forecast.fitted);
        assert!((forecast.log.exp() / (1e-7 + 1e-6 * 2000f64.log2()) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_slower_machine_is_learned_from_one_timing() {
        let mut model = CostModel::new(&law());
        let truth = |n: usize| 7.0 * (1e-7 + 1e-9 * n as f64 * (2.0 * n as f64).log2());
        model.record(conv(4096), Stage::Forward, (truth(4096).ln(), 1, 0));
        model.fit();
        let ratio = model.forecast(conv(8192), Stage::Forward).log.exp() / truth(8192);
        assert!((0.6..1.5).contains(&ratio), "{ratio}");
    }

    #[test]
    fn uncertainty_grows_away_from_timings_and_vanishes_on_them() {
        let mut model = CostModel::new(&law());
        // Padding to powers of two: no law of n log n.
        let truth = |n: usize| 3e-9 * n.next_power_of_two() as f64;
        for n in [100, 200, 300, 700, 900, 2000] {
            model.record(conv(n), Stage::Forward, (truth(n).ln(), 3, 0));
        }
        model.fit();
        let at = |n: usize| model.forecast(conv(n), Stage::Forward);
        assert!((at(700).log - truth(700).ln()).abs() < 0.1);
        assert!((at(800).log - truth(800).ln()).abs() < 0.2);
        assert!(at(700).deviation < at(800).deviation);
        assert!(at(800).deviation < at(1 << 20).deviation);
    }

    #[test]
    fn the_oldest_makes_room() {
        let mut model = CostModel::new(&law());
        for n in 1..=CAPACITY + 1 {
            model.record(conv(n), Stage::Forward, (0.0, 1, n as u64));
        }
        assert_eq!(model.samples().len(), CAPACITY);
        assert!(model.sample(conv(1), Stage::Forward).is_none());
        assert!(model.sample(conv(CAPACITY + 1), Stage::Forward).is_some());
        assert_eq!(model.index.len(), CAPACITY);
    }

    /// What another workload of the same hash took is never told of this one.
    #[test]
    fn two_of_one_hash_are_not_mixed_up() {
        let mut model = CostModel::new(&law());
        model.record(conv(1), Stage::Forward, (1.0, 1, 1));
        model.index.insert(hash(conv(2), Stage::Forward), 0);
        assert!(model.sample(conv(2), Stage::Forward).is_none());
        model.record(conv(2), Stage::Forward, (2.0, 1, 2));
        assert_eq!(model.sample(conv(2), Stage::Forward).map(|s| s.log), Some(2.0));
        assert!(model.sample(conv(1), Stage::Forward).is_none());
        assert_eq!(model.samples().len(), 1);
    }
}
