//! The exploration rule: expected gain and price of a trial, and the budget of all trials.

use crate::cost::model::Forecast;
use crate::settings::Exploration;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Time executed so far, and the part of it that trials lost.
#[derive(Default)]
pub(super) struct Budget {
    executed_nanos: AtomicU64,
    lost_nanos: AtomicU64,
}

impl Budget {
    /// Adds time executed by chosen candidates and by trials.
    pub(super) fn add_executed(&self, nanos: u64) {
        self.executed_nanos.fetch_add(nanos, Relaxed);
    }

    /// Adds time lost to a trial.
    pub(super) fn add_lost(&self, nanos: u64) {
        self.lost_nanos.fetch_add(nanos, Relaxed);
    }

    /// Time executed, and time lost to trials.
    pub(super) fn totals(&self) -> (Duration, Duration) {
        let read = |nanos: &AtomicU64| Duration::from_nanos(nanos.load(Relaxed));
        (read(&self.executed_nanos), read(&self.lost_nanos))
    }

    /// Whether a trial of this price, in seconds, is within the allowance.
    pub(super) fn affords(&self, price: f64, allowance: Exploration) -> bool {
        let (executed, lost) = self.totals();
        let allowed = allowance.fixed.as_secs_f64() + allowance.fraction * executed.as_secs_f64();
        lost.as_secs_f64() + price <= allowed
    }

    pub(super) fn clear(&self) {
        self.executed_nanos.store(0, Relaxed);
        self.lost_nanos.store(0, Relaxed);
    }
}

/// Seconds of one reading at least: short work is repeated.
const READING: f64 = 5e-5;

/// Expected improvement: seconds saved per execution, on average, if the candidate were tried and
/// then used only if it is faster than `best`. The mean of `max(0, B - X)` for X log-normal.
pub(crate) fn expected_gain(best: f64, forecast: Forecast) -> f64 {
    let s = forecast.deviation.max(1e-6);
    let z = (best - forecast.log) / s;
    let mean = (forecast.log + s * s / 2.0).exp();
    (best.exp() * normal(z) - mean * normal(z - s)).max(0.0)
}

/// Seconds that a trial of this number of executions loses against `best`: the mean, and the value
/// at two standard deviations.
pub(crate) fn price(best: f64, forecast: Forecast, executions: u32) -> (f64, f64) {
    let executions = f64::from(executions);
    let s = forecast.deviation;
    let mean = (forecast.log + s * s / 2.0).exp() - best.exp() + expected_gain(best, forecast);
    let slow = (forecast.log + 2.0 * s).exp() - best.exp();
    (executions * mean.max(0.0), executions * slow.max(0.0))
}

/// Number of executions in a trial, after a first one that warms caches.
pub(crate) fn repeats(seconds: f64) -> u32 {
    (READING / seconds.max(1e-9)).ceil().clamp(1.0, 64.0) as u32
}

/// Distribution function of the standard normal distribution.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(log: f64, deviation: f64) -> Forecast {
        Forecast { log, deviation, fitted: true }
    }

    #[test]
    fn gain_is_the_difference_where_nothing_is_uncertain() {
        let gain = expected_gain(2f64.ln(), about(0.5f64.ln(), 1e-3));
        assert!((gain - 1.5).abs() < 1e-2, "{gain}");
        assert!(expected_gain(0.5f64.ln(), about(2f64.ln(), 1e-3)) < 1e-9);
    }

    #[test]
    fn gain_grows_with_uncertainty() {
        let gains = [0.1, 0.3, 0.7].map(|s| expected_gain(0.0, about(0.5, s)));
        assert!(gains[0] < gains[1] && gains[1] < gains[2], "{gains:?}");
    }

    #[test]
    fn short_work_is_repeated() {
        assert_eq!([1e-9, 1e-5, 1.0].map(repeats), [64, 5, 1]);
    }
}
