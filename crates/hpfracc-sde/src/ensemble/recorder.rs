//! States of an ensemble that something else solves, such as a GPU.

use super::run::Run;
use super::{Collect, PathStatistics, RecordIndex, StatisticsRequest};
use crate::SdeError;
use crate::noise::Gaussian;
use crate::problem::ProblemData;
use crate::rows::not_finite;
use hpfracc_lanes::{Rows, RowsMut};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// The ensemble's side of a solve outside of this crate: initial values, states at saved nodes, and progress.
pub trait PathRecorder<T> {
    /// Writes the initial values of paths from `path` on, counted from the first of the ensemble.
    fn start(&self, path: usize, x: RowsMut<'_, T>);

    /// Takes the states of paths from `path` on at a saved node. Each path comes once for each saved node.
    ///
    /// # Errors
    /// [`SdeError::PathNotFinite`] with the step before the node.
    fn record(&mut self, at: RecordIndex, x: Rows<'_, T>) -> Result<(), SdeError>;

    /// Statistics that the collector takes in place of the states of all paths; `None` if it needs all states.
    fn request(&self) -> Option<StatisticsRequest>;

    /// Takes the requested statistics of the observables of paths from `path` on at a saved node, in place of
    /// [`record`](Self::record). All numbers were finite.
    fn record_statistics(&mut self, at: RecordIndex, statistics: &PathStatistics<T>);

    /// Reports paths times steps since the last call.
    ///
    /// # Errors
    /// [`SdeError::Cancelled`].
    fn pause(&mut self, path_steps: u64) -> Result<(), SdeError>;
}

/// Collects what is recorded as [`Run`] does: in its tiles and shards, so that equal states give equal results.
pub(crate) struct Recorder<'a, 'r, T: Gaussian, K: Collect<T>> {
    run: &'a Run<'r, T, K>,
    data: &'a ProblemData<T>,
    shards: Vec<Option<K::Shard>>,
    broken: Option<u64>,
}

impl<'a, 'r, T: Gaussian, K: Collect<T>> Recorder<'a, 'r, T, K> {
    pub(crate) fn new(run: &'a Run<'r, T, K>, data: &'a ProblemData<T>) -> Self {
        let used = run.partition().used();
        Self { run, data, shards: (0..used).map(|_| None).collect(), broken: None }
    }

    /// Number of a path that is not finite, after an error of [`record`](PathRecorder::record).
    pub(crate) fn broken(&self) -> Option<u64> {
        self.broken
    }

    /// The result of the collector.
    pub(crate) fn finish(self) -> K::Output {
        let Run { collector, layout, .. } = self.run;
        let mut shards = self.shards.into_iter().flatten();
        let mut all = shards.next().unwrap_or_else(|| collector.shard(layout));
        shards.for_each(|next| collector.merge(&mut all, next));
        collector.finish(layout, all)
    }

    /// Counts paths as finished at the last saved node.
    fn count_finished(&self, at: RecordIndex, paths: usize) {
        if let Some(finished) = self.run.watch.finished
            && at.time + 1 == self.run.saved.len()
        {
            finished.fetch_add(paths, Ordering::Relaxed);
        }
    }

    fn not_finite(&mut self, at: RecordIndex, lanes: usize, position: usize) -> SdeError {
        let node = self.run.saved[at.time];
        let path = self.run.layout.first_path + (at.path + position % lanes) as u64;
        self.broken = Some(path);
        SdeError::PathNotFinite {
            path,
            component: position / lanes,
            step: node.saturating_sub(1),
            t: self.run.layout.times[at.time],
        }
    }
}

impl<T: Gaussian, K: Collect<T>> PathRecorder<T> for Recorder<'_, '_, T, K> {
    fn start(&self, path: usize, x: RowsMut<'_, T>) {
        let number = self.run.layout.first_path + path as u64;
        self.data.write_start((path, number), x);
    }

    fn record(&mut self, at: RecordIndex, x: Rows<'_, T>) -> Result<(), SdeError> {
        if not_finite(x.as_slice()).is_some()
            && let Some(position) = first_not_finite(x)
        {
            return Err(self.not_finite(at, x.lanes(), position));
        }
        let (run, partition) = (self.run, self.run.partition());
        let (first, last) = (at.path, at.path + x.lanes());
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            let mut rows = Vec::new();
            for (path, lanes) in partition.tiles(number) {
                let (begin, end) = (path.max(first), (path + lanes).min(last));
                if begin >= end {
                    continue;
                }
                rows.clear();
                for component in 0..x.rows() {
                    rows.extend_from_slice(&x[component][begin - first..end - first]);
                }
                let shard = shard.get_or_insert_with(|| run.collector.shard(&run.layout));
                let at = RecordIndex { path: begin, ..at };
                run.collector.record(shard, at, Rows::new(&rows, end - begin));
            }
        });
        self.count_finished(at, last - first);
        Ok(())
    }

    fn request(&self) -> Option<StatisticsRequest> {
        self.run.collector.request()
    }

    fn record_statistics(&mut self, at: RecordIndex, statistics: &PathStatistics<T>) {
        let run = self.run;
        if let Some(first) = self.shards.first_mut() {
            let shard = first.get_or_insert_with(|| run.collector.shard(&run.layout));
            run.collector.record_statistics(shard, at, statistics);
        }
        self.count_finished(at, statistics.paths);
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), SdeError> {
        self.run.done.fetch_add(path_steps, Ordering::Relaxed);
        if let Some(watched) = self.run.watch.watched {
            watched(self.run.progress());
        }
        let cancelled = self.run.watch.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if cancelled { Err(SdeError::Cancelled) } else { Ok(()) }
    }
}

/// Position of a number that is not finite on the first path that has one.
fn first_not_finite<T: Gaussian>(x: Rows<'_, T>) -> Option<usize> {
    let rows = (0..x.rows()).filter_map(|row| Some((not_finite(&x[row])?, row)));
    rows.min().map(|(lane, row)| row * x.lanes() + lane)
}
