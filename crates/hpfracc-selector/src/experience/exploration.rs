//! The exploration rule: when a candidate that looks slower is tried, by expected gain, price and
//! the budget of all trials.

use super::candidate_list::CandidateSet;
use super::events::Occurrence;
use super::learning::StatisticsGuard;
use crate::cost::model::Forecast;
use crate::task::{Stage, Subject};
use hpfracc_backend::Direction;

/// Expected number of future executions for each past one. One would be the guess without
/// knowledge; but programs are run again, and timings are stored.
const HORIZON: f64 = 4.0;

/// Least seconds of one reading: short work is repeated.
const READING: f64 = 5e-5;

impl StatisticsGuard<'_> {
    /// Schedules the trial of most expected profit; returns whether there is one.
    pub(super) fn schedule(&mut self, direction: Direction) -> bool {
        let d = direction as usize;
        let executions = self.total[d].executions;
        let settings = self.experience.settings();
        let Some(preferred) = self.preferred[d] else { return false };
        if executions == 0
            || executions < self.next_trial[d]
            || self.scheduled[d].is_some()
            || self.on_trial[d].is_some()
            || !settings.learns()
        {
            return false;
        }
        let stage = Stage::of(direction);
        let best = self.expect(preferred, stage);
        let budget = &self.experience.budget;
        let profit = |i: usize| {
            let forecast = self.expect(i, stage);
            let improvement = expected_gain(best.log, forecast);
            let gain = improvement * HORIZON * executions as f64;
            let trial = self.trial_executions(forecast);
            let (mean, slow) = price(best.log, forecast, trial);
            let outlay = self.outlay(i, false);
            let profit = gain - mean - outlay;
            let affordable = || budget.affords(slow + outlay, settings.exploration);
            (profit > 0.0 && affordable()).then_some((i, profit))
        };
        let rivals = self.able().iter().filter(|&i| i != preferred);
        let next = rivals.filter_map(profit).max_by(|(_, a), (_, b)| a.total_cmp(b));
        self.scheduled[d] = next.map(|(i, _)| i);
        next.is_some()
    }

    /// Number of executions in a trial: of a backend with one to warm caches, of a method one.
    fn trial_executions(&self, forecast: Forecast) -> u32 {
        match self.timings.subject {
            Subject::Map(_) => 1 + repeats(forecast.log.exp()),
            Subject::Work(_) => 1,
        }
    }

    /// Starts the scheduled trial, if the caller can run it.
    pub(crate) fn begin_trial(
        &mut self,
        direction: Direction,
        usable: CandidateSet,
    ) -> Option<usize> {
        let d = direction as usize;
        let i = self.scheduled[d].take_if(|i| usable.has(*i))?;
        self.on_trial[d] = Some(i);
        self.next_trial[d] = self.total[d].executions;
        self.report(i, Occurrence::Tried { direction });
        Some(i)
    }
}

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
