use crate::model::Forecast;

/// What one candidate takes for one workload, from the last few readings.
///
/// A reading is the mean over the executions between two looks. The level is the median of the last
/// [`KEPT`], of an even number the lower one: two interruptions do not move it, three slow readings in a
/// row do, as a change that lasts is believed. A lower quantile would favour candidates whose times
/// vary, threads on a busy machine for instance.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Level {
    /// Logarithms of seconds, the latest at `readings - 1` modulo [`KEPT`].
    recent: [f64; KEPT],
    readings: usize,
    executions: u64,
    /// Executions of the workload, by any candidate, when the last reading was taken.
    read_at: u64,
    /// Where the level was when somebody was last told.
    told: f64,
}

const KEPT: usize = 5;

/// Standard deviation of a single reading: caches may have been cold.
const READING: f64 = 0.25;

/// What no number of readings removes.
const FLOOR: f64 = 0.02;

/// Growth of the variance each time the executions since the last reading double.
const AGEING: f64 = 0.1 * 0.1;

/// Executions before a reading starts to age.
const YOUNG: f64 = 256.0;

impl Level {
    pub(crate) fn add(&mut self, log: f64, executions: u64, now: u64) {
        self.recent[self.readings % KEPT] = log;
        self.readings += 1;
        // What a file told may be as large as it likes.
        self.executions = self.executions.saturating_add(executions);
        self.read_at = now;
    }

    /// A level remembered from an earlier day counts as two readings.
    pub(crate) fn remembered(log: f64, executions: u64) -> Self {
        let mut level = Self::default();
        level.add(log, executions, 0);
        level.add(log, 0, 0);
        level.told = log;
        level
    }

    pub(crate) fn is_known(&self) -> bool {
        self.readings > 0
    }

    pub(crate) fn executions(&self) -> u64 {
        self.executions
    }

    /// Logarithm of seconds.
    pub(crate) fn log(&self) -> f64 {
        let n = self.readings.min(KEPT);
        let mut sorted = self.recent;
        sorted[..n].sort_by(f64::total_cmp);
        sorted[n.saturating_sub(1) / 2]
    }

    /// What to expect of the next execution, as the `now`-th of this workload, from the readings and
    /// from what the model says.
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

    /// Whether the level has moved by more than `step` since this last said yes; tells from where.
    pub(crate) fn moved(&mut self, step: f64) -> Option<f64> {
        let (log, before) = (self.log(), self.told);
        if self.readings > 1 && (log - before).abs() <= step {
            return None;
        }
        self.told = log;
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VAGUE: Forecast = Forecast { log: 0.0, deviation: 10.0, fitted: false };

    fn level(readings: &[f64]) -> Level {
        let mut level = Level::default();
        for &r in readings {
            level.add(r, 1, 0);
        }
        level
    }

    #[test]
    fn a_cold_start_and_an_interruption_do_not_count() {
        assert_eq!(level(&[9.0, 1.0]).log(), 1.0);
        assert_eq!(level(&[1.0, 1.1, 9.0, 1.05, 9.0]).log(), 1.1);
    }

    #[test]
    fn a_change_that_lasts_is_believed() {
        assert_eq!(level(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]).log(), 1.0);
        assert_eq!(level(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]).log(), 2.0);
    }

    #[test]
    fn certainty_comes_with_readings_and_goes_with_age() {
        let one = level(&[1.0]).expect(VAGUE, 0).deviation;
        let four = level(&[1.0; 4]).expect(VAGUE, 0).deviation;
        let old = level(&[1.0; 4]).expect(VAGUE, 1 << 30).deviation;
        assert!(four < 0.6 * one && old > 1.2 * four, "{one} {four} {old}");
    }

    #[test]
    fn says_once_that_it_moved() {
        let mut level = level(&[1.0]);
        assert!(level.moved(0.1).is_some());
        level.add(1.05, 1, 0);
        assert_eq!(level.moved(0.1), None);
        for _ in 0..5 {
            level.add(3.0, 1, 0);
        }
        assert_eq!(level.moved(0.1), Some(1.0));
        assert_eq!(level.moved(0.1), None);
    }
}
