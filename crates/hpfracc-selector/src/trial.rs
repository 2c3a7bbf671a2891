//! What a trial of a candidate may bring, and what it costs.

use crate::model::Forecast;

/// Seconds of execution that make a reading: short work is repeated.
const READING: f64 = 5e-5;

/// Seconds saved per execution, on average, if the candidate were run and then used only if it is
/// quicker than `best`: the mean of `max(0, B - X)` for X log-normal.
pub(crate) fn expected_gain(best: f64, forecast: Forecast) -> f64 {
    let s = forecast.deviation.max(1e-6);
    let z = (best - forecast.log) / s;
    let mean = (forecast.log + s * s / 2.0).exp();
    (best.exp() * normal(z) - mean * normal(z - s)).max(0.0)
}

/// Seconds that a trial loses against `best`: on average, and at two standard deviations.
pub(crate) fn price(best: f64, forecast: Forecast) -> (f64, f64) {
    let executions = f64::from(1 + repeats(forecast.log.exp()));
    let s = forecast.deviation;
    let mean = (forecast.log + s * s / 2.0).exp() - best.exp() + expected_gain(best, forecast);
    let slow = (forecast.log + 2.0 * s).exp() - best.exp();
    (executions * mean.max(0.0), executions * slow.max(0.0))
}

/// Executions in a trial, behind a first one that warms caches.
pub(crate) fn repeats(seconds: f64) -> u32 {
    (READING / seconds.max(1e-9)).ceil().clamp(1.0, 64.0) as u32
}

/// Distribution function of the normal distribution.
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
