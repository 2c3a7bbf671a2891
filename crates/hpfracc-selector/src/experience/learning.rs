//! Learning from executions: statistics of a workload are updated, and what changed is recorded.

use super::Experience;
use super::candidate_list::{CandidateList, CandidateSet};
use super::events::Occurrence;
use super::models::ModelKey;
use super::readings::RecentReadings;
use super::statistics::{CandidateStatistics, Statistics};
use super::sync::{lock, try_lock};
use super::tally::Counted;
use super::timings::Timings;
use super::timings::TimingsCache;
use crate::cost::features::Counts;
use crate::cost::model::{Forecast, Reading, Sample};
use crate::task::{Stage, Subject};
use hpfracc_backend::Direction;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, MutexGuard};

/// A candidate must be faster by this much, in the logarithm, to replace the preferred one.
const TIE: f64 = 0.03;

/// Change of a time, in the logarithm, that is stored in the model.
const CHANGE: f64 = 0.03;

/// Change of a time, in the logarithm, that is an event in the history.
const DRIFT: f64 = 0.223;

/// Time in a cell of a tally after which the statistics are updated. An update takes one or two
/// microseconds.
const UPDATE_NANOS: u64 = 200_000;

/// Largest number of executions between updates.
const PATIENCE: u64 = 256;

/// Exclusive access to the statistics of one workload, with all executions so far counted in.
pub(crate) struct StatisticsGuard<'a> {
    pub(super) experience: &'a Experience,
    pub(super) timings: &'a Timings,
    statistics: MutexGuard<'a, Statistics>,
}

impl Deref for StatisticsGuard<'_> {
    type Target = Statistics;
    fn deref(&self) -> &Statistics {
        &self.statistics
    }
}

impl DerefMut for StatisticsGuard<'_> {
    fn deref_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl Experience {
    /// The timings of a subject, new if it was not used lately.
    pub(crate) fn timings<K: Hash + Eq + Clone>(
        &self,
        (cache, key): (&TimingsCache<K>, &K),
        list: &Arc<CandidateList>,
        subject: impl FnOnce() -> (Subject, Vec<Counts>),
    ) -> Arc<Timings> {
        let (timings, removed) = cache.get_or_insert(key, || {
            let (subject, counts) = subject();
            self.new_timings(subject, list, counts)
        });
        // Their last executions are learned from before they are dropped.
        removed.iter().for_each(|timings| drop(self.look(timings)));
        timings
    }

    fn new_timings(
        &self,
        subject: Subject,
        list: &Arc<CandidateList>,
        counts: Vec<Counts>,
    ) -> Timings {
        let empty = Statistics::new(&subject, list, Vec::new(), (self.generation(), 0));
        let timings = Timings::new(subject, Arc::clone(list), counts, empty);
        let statistics = lock(&timings.statistics);
        let mut guard = StatisticsGuard { experience: self, timings: &timings, statistics };
        guard.start();
        for direction in Direction::BOTH {
            timings.set_preferred(direction, guard.best(list, direction, guard.able()));
        }
        drop(guard);
        timings
    }

    /// The statistics, with all executions so far counted in.
    pub(crate) fn look<'a>(&'a self, timings: &'a Timings) -> StatisticsGuard<'a> {
        let statistics = lock(&timings.statistics);
        let mut guard = StatisticsGuard { experience: self, timings, statistics };
        guard.update();
        guard
    }

    /// The candidate preferred for repeated application: no lock unless a file was read since.
    pub(crate) fn preferred(&self, timings: &Timings, direction: Direction) -> Option<usize> {
        if timings.outdated.load(Relaxed) {
            drop(self.look(timings));
        }
        timings.preferred(direction)
    }

    /// Records an execution.
    #[inline]
    pub(crate) fn record_execution(
        &self,
        timings: &Timings,
        direction: Direction,
        i: usize,
        nanos: u64,
    ) {
        let cell = timings.tallies[i][direction as usize].add(nanos);
        if cell.executions >= timings.patience.load(Relaxed) || cell.nanos >= UPDATE_NANOS {
            // A thread that has the lock will count this in.
            if let Some(statistics) = try_lock(&timings.statistics) {
                StatisticsGuard { experience: self, timings, statistics }.update();
            }
        }
    }

    /// Records the time of planning or binding.
    pub(crate) fn record_once(&self, timings: &Timings, stage: Stage, i: usize, nanos: u64) {
        let mut guard = self.look(timings);
        guard.binds += u64::from(stage == Stage::Bind);
        guard.read(stage, i, Counted { executions: 1, nanos });
    }

    /// Records times of a measurement: candidate, stage, seconds and executions.
    pub(crate) fn record_measured(&self, timings: &Timings, times: &[(usize, Stage, f64, u64)]) {
        let mut guard = self.look(timings);
        for &(i, stage, seconds, executions) in times {
            let nanos = (seconds * 1e9).max(1.0) * executions as f64;
            // Three readings: the least of several repeats is worth more than a single one.
            for share in [executions, 0, 0] {
                guard.read_log(stage, i, (nanos / executions as f64 * 1e-9).ln(), share);
            }
        }
        guard.measured = true;
        guard.rank();
    }
}

impl StatisticsGuard<'_> {
    /// Counts in all executions since the last update, and what a reset or a file changed.
    fn update(&mut self) {
        let timings = self.timings;
        if self.generation != self.experience.generation() {
            self.start();
            // Executions before the reset are dropped too.
            timings.tallies.iter().flatten().for_each(|tally| {
                tally.take();
            });
            timings.patience.store(1, Relaxed);
            timings.epoch.fetch_add(1, Relaxed);
        }
        let (outdated, mut counted_any) = (timings.outdated.swap(false, Relaxed), false);
        if outdated {
            self.candidates = self.stored();
        }
        for (i, tallies) in timings.tallies.iter().enumerate() {
            for direction in Direction::BOTH {
                let counted = tallies[direction as usize].take();
                if counted.executions > 0 {
                    self.count(direction, i, counted);
                    counted_any = true;
                }
            }
        }
        if counted_any {
            let patience = timings.patience.load(Relaxed);
            timings.patience.store((2 * patience).min(PATIENCE), Relaxed);
        }
        if outdated || counted_any {
            self.rank();
        }
    }

    /// Statistics without executions, from the stored timings and the models.
    fn start(&mut self) {
        let (experience, timings) = (self.experience, self.timings);
        let versions = (experience.generation(), experience.models.readings());
        let candidates = self.stored();
        *self.statistics = Statistics::new(&timings.subject, &timings.list, candidates, versions);
    }

    /// Readings of the stored timings, and the forecasts of the models.
    fn stored(&self) -> Vec<CandidateStatistics> {
        let subject = &self.timings.subject;
        let of = |i: usize| CandidateStatistics {
            readings: Stage::ALL.map(|stage| {
                let stored = self.experience.models.reading(self.key(i, stage), subject, stage);
                stored.map_or(RecentReadings::default(), |reading| {
                    RecentReadings::stored(reading.log, reading.executions)
                })
            }),
            forecasts: self.forecasts(i),
            drift_from: [None; 2],
        };
        (0..self.timings.list.members.len()).map(of).collect()
    }

    fn key(&self, i: usize, stage: Stage) -> ModelKey {
        let list = &self.timings.list;
        ModelKey::new(list.members[i].id, list.scalar, &self.timings.subject, stage)
    }

    /// Forecasts of the models, by stage.
    pub(crate) fn forecasts(&self, i: usize) -> [Forecast; Stage::COUNT] {
        Stage::ALL.map(|stage| {
            self.experience.forecast(self.key(i, stage), &self.timings.features(i, stage))
        })
    }

    fn count(&mut self, direction: Direction, i: usize, counted: Counted) {
        let d = direction as usize;
        if self.on_trial[d] == Some(i) {
            let best = self.preferred[d].map_or(0.0, |p| self.seconds(p, Stage::of(direction)));
            let lost = counted.nanos as f64 - counted.executions as f64 * best * 1e9;
            self.experience.budget.add_lost(lost.max(0.0) as u64);
        }
        self.total[d].executions += counted.executions;
        self.total[d].nanos += counted.nanos;
        self.experience.budget.add_executed(counted.nanos);
        self.read(Stage::of(direction), i, counted);
    }

    fn read(&mut self, stage: Stage, i: usize, counted: Counted) {
        let seconds = (counted.nanos as f64 / counted.executions as f64).max(0.1) * 1e-9;
        self.read_log(stage, i, seconds.ln(), counted.executions);
    }

    fn read_log(&mut self, stage: Stage, i: usize, log: f64, executions: u64) {
        let now = self.executions();
        let readings = &mut self.candidates[i].readings[stage as usize];
        readings.add(log, executions, now);
        if readings.moved(CHANGE).is_none() {
            return;
        }
        let (log, executions) = (readings.log(), readings.executions());
        let reading = Reading { log, executions, at: self.experience.unix_seconds() };
        let (subject, features) = (self.timings.subject.clone(), self.timings.features(i, stage));
        let sample = Sample { subject, stage, features, reading };
        self.experience.store(self.key(i, stage), sample);
        if let Some(d) = Direction::BOTH.iter().position(|d| Stage::of(*d) == stage) {
            self.report_drift(d, i, log);
        }
    }

    fn report_drift(&mut self, d: usize, i: usize, log: f64) {
        let own = &mut self.candidates[i];
        let Some(from) = own.drift_from[d] else {
            // The first readings settle before a change counts as drift.
            if own.readings[Stage::of(Direction::BOTH[d]) as usize].executions() > 2 {
                own.drift_from[d] = Some(log);
            }
            return;
        };
        if (log - from).abs() > DRIFT {
            own.drift_from[d] = Some(log);
            self.report(i, Occurrence::Drifted { from: from.exp(), to: log.exp() });
        }
    }

    /// Adds an event about a candidate to the history.
    pub(crate) fn report(&self, i: usize, what: Occurrence) {
        self.experience.report(self.timings, i, what);
    }

    /// Candidates that can take this workload and may be chosen for speed.
    pub(super) fn able(&self) -> CandidateSet {
        let list = &self.timings.list;
        list.hardware(self.admitted().and(list.awake(self.experience.now())))
    }

    /// Ranks the candidates again, and invalidates the choices of the maps if that changed any.
    fn rank(&mut self) {
        self.refresh_forecasts();
        let changed = Direction::BOTH.map(|d| self.prefer(d) | self.schedule(d));
        for direction in Direction::BOTH {
            self.timings.set_preferred(direction, self.preferred[direction as usize]);
        }
        if changed.contains(&true) {
            self.timings.epoch.fetch_add(1, Relaxed);
        }
    }

    /// Updates the preferred candidate; returns whether it changed.
    fn prefer(&mut self, direction: Direction) -> bool {
        let (d, stage, able) = (direction as usize, Stage::of(direction), self.able());
        let log = |i: usize| self.expect(i, stage).log;
        let Some(best) = self.timings.list.fastest(able, log) else { return false };
        let before = self.preferred[d];
        if before.is_some_and(|b| b == best || (able.has(b) && log(best) > log(b) - TIE)) {
            return false;
        }
        let seconds = log(best).exp();
        self.preferred[d] = Some(best);
        if self.total[d].executions > 0 {
            let instead_of = before.map(|b| self.timings.list.members[b].name.clone());
            self.report(best, Occurrence::Preferred { direction, instead_of, seconds });
        }
        true
    }

    /// Updates the forecasts whenever the number of executions has doubled: other workloads may
    /// have changed the models.
    fn refresh_forecasts(&mut self) {
        let executions = self.executions();
        if executions >= 2 * self.forecast_at {
            self.forecast_at = executions.max(1);
            self.update_forecasts();
        }
    }

    /// Updates the forecasts if the models have a quarter more readings: before a new plan.
    pub(crate) fn catch_up(&mut self) {
        let readings = self.experience.models.readings();
        if readings > self.forecast_readings + self.forecast_readings / 4 {
            self.update_forecasts();
        }
    }

    /// Updates the forecasts if the models have any new reading: before an answer to the user.
    pub(crate) fn update_forecasts(&mut self) {
        let readings = self.experience.models.readings();
        if readings != self.forecast_readings {
            self.forecast_readings = readings;
            for i in 0..self.candidates.len() {
                self.candidates[i].forecasts = self.forecasts(i);
            }
        }
    }
}
