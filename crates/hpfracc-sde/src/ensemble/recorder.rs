//! States of an ensemble that something else solves, such as a GPU.

use super::run::Run;
use super::{Collect, RecordIndex};
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
        if let Some(position) = not_finite(x.as_slice()) {
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
        let paths = if at.time + 1 == run.saved.len() { last - first } else { 0 };
        if let Some(finished) = run.watch.finished {
            finished.fetch_add(paths, Ordering::Relaxed);
        }
        Ok(())
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
