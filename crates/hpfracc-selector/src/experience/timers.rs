use super::Experience;
use super::sync::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// Number of runs and total time of users' own code, by label.
#[derive(Default)]
pub(crate) struct Timers {
    totals: Mutex<BTreeMap<String, (u64, Duration)>>,
}

impl Timers {
    /// Number of runs and total time of each timer.
    pub(crate) fn totals(&self) -> Vec<(String, u64, Duration)> {
        lock(&self.totals).iter().map(|(label, &(n, time))| (label.clone(), n, time)).collect()
    }

    pub(super) fn clear(&self) {
        lock(&self.totals).clear();
    }

    fn add(&self, label: &str, nanos: u64) {
        let mut totals = lock(&self.totals);
        let total = match totals.get_mut(label) {
            Some(total) => total,
            None => totals.entry(label.to_owned()).or_default(),
        };
        *total = (total.0 + 1, total.1 + Duration::from_nanos(nanos));
    }
}

/// Measures the time from its creation until it is dropped; [`Experience::summary`] has the sums by
/// label.
///
/// ```
/// use hpfracc_selector::{Experience, Settings};
///
/// let experience = Experience::new(Settings::default());
/// {
///     let _timer = experience.timer("reading the data");
/// }
/// assert_eq!(experience.summary().timers[0].executions, 1);
/// ```
#[must_use = "the measurement ends when the guard is dropped"]
#[derive(Debug)]
pub struct Timer<'a> {
    experience: &'a Experience,
    label: &'a str,
    start: u64,
}

impl Experience {
    /// Measures the time until the guard is dropped.
    pub fn timer<'a>(&'a self, label: &'a str) -> Timer<'a> {
        Timer { experience: self, label, start: self.now() }
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        let nanos = self.experience.since(self.start);
        self.experience.timers.add(self.label, nanos);
    }
}
