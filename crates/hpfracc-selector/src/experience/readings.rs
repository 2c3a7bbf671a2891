use crate::cost::model::Forecast;

/// The time of one candidate for one workload: a running median of the last few readings.
///
/// A reading is the mean time of the executions between two looks. The median is that of the last
/// [`WINDOW`] readings, the lower one of an even number: two interruptions do not move it, three
/// slow readings in a row do, because a lasting change is real. A lower quantile would favour
/// candidates whose times vary, threads on a busy machine for instance.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RecentReadings {
    /// Logarithms of seconds, the latest at `readings - 1` modulo [`WINDOW`].
    recent: [f64; WINDOW],
    readings: usize,
    executions: u64,
    /// Executions of the workload by all candidates when the last reading was taken.
    read_at: u64,
    /// The median when [`RecentReadings::moved`] last reported a change.
    reported: f64,
}

const WINDOW: usize = 5;

/// Standard deviation of a single reading, whose caches may have been cold.
const READING: f64 = 0.25;

/// Standard deviation that no number of readings removes.
const FLOOR: f64 = 0.02;

/// Growth of the variance each time the executions since the last reading double.
const AGEING: f64 = 0.1 * 0.1;

/// Number of executions before a reading starts to age.
const YOUNG: f64 = 256.0;

impl RecentReadings {
    pub(crate) fn add(&mut self, log: f64, executions: u64, now: u64) {
        self.recent[self.readings % WINDOW] = log;
        self.readings += 1;
        // The count of a wisdom file can be of any size.
        self.executions = self.executions.saturating_add(executions);
        self.read_at = now;
    }

    /// A stored time, which counts as two readings.
    pub(crate) fn stored(log: f64, executions: u64) -> Self {
        let mut stored = Self::default();
        stored.add(log, executions, 0);
        stored.add(log, 0, 0);
        stored.reported = log;
        stored
    }

    fn is_known(&self) -> bool {
        self.readings > 0
    }

    pub(crate) fn executions(&self) -> u64 {
        self.executions
    }

    /// Median of the logarithms of seconds.
    pub(crate) fn log(&self) -> f64 {
        let n = self.readings.min(WINDOW);
        let mut sorted = self.recent;
        sorted[..n].sort_by(f64::total_cmp);
        sorted[n.saturating_sub(1) / 2]
    }

    /// Expected time of the next execution, the `now`-th of this workload, from the readings and
    /// the forecast of the model.
    pub(crate) fn expect(&self, forecast: Forecast, now: u64) -> Forecast {
        if !self.is_known() {
            return forecast;
        }
        let age = (1.0 + now.saturating_sub(self.read_at) as f64 / YOUNG).log2();
        let variance = READING * READING / self.readings as f64 + FLOOR * FLOOR + AGEING * age;
        // Inverse variances as weights; a forecast never weighs more than one good reading.
        let other = (forecast.deviation * forecast.deviation).max(READING * READING);
        let weight = other / (variance + other);
        Forecast {
            log: weight * self.log() + (1.0 - weight) * forecast.log,
            deviation: (weight * variance).sqrt(),
            fitted: true,
        }
    }

    /// The previously reported median, if the median has moved from it by more than `step`; the
    /// present one is the reported one from then on.
    pub(crate) fn moved(&mut self, step: f64) -> Option<f64> {
        let (log, before) = (self.log(), self.reported);
        if self.readings > 1 && (log - before).abs() <= step {
            return None;
        }
        self.reported = log;
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VAGUE: Forecast = Forecast { log: 0.0, deviation: 10.0, fitted: false };

    fn of(values: &[f64]) -> RecentReadings {
        let mut readings = RecentReadings::default();
        for &value in values {
            readings.add(value, 1, 0);
        }
        readings
    }

    #[test]
    fn a_cold_start_and_an_interruption_do_not_move_the_median() {
        assert_eq!(of(&[9.0, 1.0]).log(), 1.0);
        assert_eq!(of(&[1.0, 1.1, 9.0, 1.05, 9.0]).log(), 1.1);
    }

    #[test]
    fn a_lasting_change_moves_the_median() {
        assert_eq!(of(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]).log(), 1.0);
        assert_eq!(of(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]).log(), 2.0);
    }

    #[test]
    fn certainty_comes_with_readings_and_goes_with_age() {
        let one = of(&[1.0]).expect(VAGUE, 0).deviation;
        let four = of(&[1.0; 4]).expect(VAGUE, 0).deviation;
        let old = of(&[1.0; 4]).expect(VAGUE, 1 << 30).deviation;
        assert!(four < 0.6 * one && old > 1.2 * four, "{one} {four} {old}");
    }

    #[test]
    fn a_move_is_reported_once() {
        let mut readings = of(&[1.0]);
        assert!(readings.moved(0.1).is_some());
        readings.add(1.05, 1, 0);
        assert_eq!(readings.moved(0.1), None);
        for _ in 0..5 {
            readings.add(3.0, 1, 0);
        }
        assert_eq!(readings.moved(0.1), Some(1.0));
        assert_eq!(readings.moved(0.1), None);
    }
}
