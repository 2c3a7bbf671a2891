//! Warm-up: the step by dual averaging, the metric from the variances of windows of draws.

use libm::{exp, log, sqrt};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Dual averaging of the logarithm of the step towards an acceptance probability.
///
/// Source: Hoffman and Gelman, J. Mach. Learn. Res. 15 (2014) 1593, section 3.2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DualAveraging {
    /// Logarithm of the step towards which early ones are drawn.
    centre: f64,
    log_step: f64,
    log_mean: f64,
    /// Mean error of the acceptance.
    error: f64,
    count: u32,
}

/// Strength of the pull to the centre, updates that count less at the beginning, and the exponent of
/// the weights of the mean.
///
/// The source has 0.05 for the first, and a centre of 10 times the step. Then steps scatter so much
/// within the 50 draws after the last window that their mean is too short: an acceptance of 0.9 where
/// 0.8 is requested, and 5 gradients for an effective draw of a whitened fit instead of 3.
const GAMMA: f64 = 0.3;
const DELAY: f64 = 10.0;
const KAPPA: f64 = 0.75;

impl DualAveraging {
    /// Begins at a step.
    pub(super) fn new(step: f64) -> Self {
        let log_step = log(step);
        Self { centre: log_step, log_step, log_mean: log_step, error: 0.0, count: 0 }
    }

    /// The step of the next trajectory.
    pub(super) fn step(&self) -> f64 {
        exp(self.log_step)
    }

    /// The step after the warm-up.
    pub(super) fn mean_step(&self) -> f64 {
        exp(self.log_mean)
    }

    pub(super) fn update(&mut self, acceptance: f64, target: f64) {
        self.count += 1;
        let count = f64::from(self.count);
        let weight = 1.0 / (count + DELAY);
        self.error = (1.0 - weight) * self.error + weight * (target - acceptance);
        self.log_step = self.centre - self.error * sqrt(count) / GAMMA;
        let weight = exp(-KAPPA * log(count));
        self.log_mean = weight * self.log_step + (1.0 - weight) * self.log_mean;
    }
}

/// Means and sums of squares of the positions of a window, after Welford.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Moments {
    count: u32,
    mean: Vec<f64>,
    squares: Vec<f64>,
}

/// Draws that the metric before counts for.
const PRIOR: f64 = 5.0;

impl Moments {
    pub(super) fn new(dim: usize) -> Self {
        Self { count: 0, mean: vec![0.0; dim], squares: vec![0.0; dim] }
    }

    pub(super) fn is_of(&self, dim: usize) -> bool {
        self.mean.len() == dim && self.squares.len() == dim
    }

    pub(super) fn add(&mut self, u: &[f64]) {
        self.count += 1;
        let count = f64::from(self.count);
        for ((mean, square), u) in self.mean.iter_mut().zip(&mut self.squares).zip(u) {
            let change = u - *mean;
            *mean += change / count;
            *square += change * (u - *mean);
        }
    }

    /// Replaces the metric by the variances, each shrunk to the metric before by its weight as a
    /// geometric mean, so that no scale is assumed. A variance of 0 changes nothing.
    pub(super) fn update(&self, metric: &mut [f64]) {
        let count = f64::from(self.count);
        for (metric, squares) in metric.iter_mut().zip(&self.squares) {
            let variance = squares / (count - 1.0).max(1.0);
            if variance > 0.0 && variance.is_finite() {
                let weight = count / (count + PRIOR);
                *metric = exp(weight * log(variance) + (1.0 - weight) * log(*metric));
            }
        }
    }
}

/// The windows of a warm-up after whose ends the metric is updated.
///
/// As in Stan: 75 draws to find the typical set, windows of 25, 50, 100, ... draws, the last one
/// longer where another would not fit, and 50 draws for the step alone. A warm-up of less than 150
/// draws is divided by 15, 75 and 10 %, and one of less than 20 adapts the step only.
pub(super) fn windows(warm_up: u32) -> Vec<Range<u32>> {
    let (begin, length, rest) = match warm_up {
        0..20 => return Vec::new(),
        20..150 => {
            let (begin, rest) = (warm_up * 3 / 20, warm_up / 10);
            (begin, warm_up - begin - rest, rest)
        }
        _ => (75, 25, 50),
    };
    let (mut windows, mut window) = (Vec::new(), begin..begin + length);
    let last = warm_up - rest;
    while window.start < last {
        let length = window.end - window.start;
        // The next window has twice the length.
        if last - window.end < 2 * length {
            window.end = last;
        }
        windows.push(window.clone());
        window = window.end..window.end + 2 * length;
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_double_and_fill_the_warm_up() {
        let bounds = |warm_up| -> Vec<(u32, u32)> {
            windows(warm_up).into_iter().map(|window| (window.start, window.end)).collect()
        };
        let stan = [(75, 100), (100, 150), (150, 250), (250, 450), (450, 950)];
        assert_eq!(bounds(1000), stan);
        assert_eq!(bounds(225), [(75, 100), (100, 175)]);
        assert_eq!(bounds(200), [(75, 100), (100, 150)]);
        assert_eq!(bounds(150), [(75, 100)]);
        assert_eq!(bounds(100), [(15, 90)]);
        assert_eq!(bounds(20), [(3, 18)]);
        assert_eq!(bounds(19), []);
    }

    #[test]
    fn the_step_reaches_the_acceptance() {
        // An acceptance of exp(-step), which is 0.8 at ln 1.25.
        let mut averaging = DualAveraging::new(0.5);
        for _ in 0..400 {
            let step = averaging.step();
            averaging.update(exp(-step), 0.8);
        }
        assert!((averaging.mean_step() - 0.2231).abs() < 0.01, "{}", averaging.mean_step());
    }

    #[test]
    fn the_metric_follows_the_variance_at_any_scale() {
        for scale in [1e-8, 1.0, 1e8] {
            let mut metric = [1.0, 1.0];
            for length in [50, 1000] {
                let mut moments = Moments::new(2);
                (0..length).for_each(|i| moments.add(&[scale * f64::from(i % 5), 7.0]));
                moments.update(&mut metric);
            }
            let ratio = metric[0] / (2.0 * scale * scale);
            assert!((ratio - 1.0).abs() < 0.05, "{scale}: {ratio}");
            assert_eq!(metric[1], 1.0);
        }
    }
}
