//! States of an ensemble that something else solves, such as a GPU.

use super::path_tiles::Observer;
use super::run::Run;
use super::shards::{Merged, Part};
use super::{Collect, PathStatistics, RecordIndex, StatisticsRequest};
use crate::SdeError;
use crate::noise::Gaussian;
use crate::problem::{PathStop, ProblemData};
use crate::rows::not_finite;
use hpfracc_lanes::{Rows, RowsMut};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// The ensemble's side of a solve outside of this crate: initial values, states at saved nodes, and progress.
pub trait PathRecorder<T>: Send {
    /// Paths of a tile. Sums are rounded tile by tile: records of whole tiles have the results of the CPU.
    fn tile(&self) -> usize;

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

    /// Takes the stops of paths from `path` on, if events stop paths: once, after the last saved node of these paths.
    fn record_stops(&mut self, path: usize, stops: &[Option<PathStop>]);

    /// Solves on the CPU what is not recorded yet: all nodes of the other paths, and the later nodes of paths with some.
    /// Nothing is recorded twice.
    ///
    /// # Errors
    /// Those of a solve on the CPU.
    fn solve_rest(&mut self) -> Result<(), SdeError>;

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
    recorded: RecordedNodes,
    broken: Option<u64>,
}

impl<'a, 'r, T: Gaussian, K: Collect<T>> Recorder<'a, 'r, T, K> {
    pub(crate) fn new(run: &'a Run<'r, T, K>, data: &'a ProblemData<T>) -> Self {
        let used = run.partition().used();
        Self {
            run,
            data,
            shards: (0..used).map(|_| None).collect(),
            recorded: RecordedNodes::default(),
            broken: None,
        }
    }

    /// Number of a path that is not finite, after an error of [`record`](PathRecorder::record).
    pub(crate) fn broken(&self) -> Option<u64> {
        self.broken
    }

    /// The result of the collector.
    pub(crate) fn finish(self) -> K::Output {
        let Run { collector, layout, .. } = self.run;
        let (partition, mut merged) = (self.run.partition(), Merged::default());
        let rest = std::iter::repeat_with(|| None);
        for data in self.shards.into_iter().chain(rest).take(partition.count()) {
            let part = Part { level: 0, data };
            merged.push(part, partition.depth, |a, b| collector.merge(a, b));
        }
        let all = merged.total.unwrap_or_else(|| collector.shard(layout));
        collector.finish(layout, all)
    }

    /// Notes that paths are recorded at a node; at the last one they are finished.
    fn note(&mut self, at: RecordIndex, paths: usize) {
        self.recorded.add(at.path..at.path + paths, at.time);
        if at.time + 1 == self.run.saved.len() {
            self.run.count_finished(paths);
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
    fn tile(&self) -> usize {
        self.run.lanes
    }

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
        self.note(at, last - first);
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
        self.note(at, statistics.paths);
    }

    fn record_stops(&mut self, path: usize, stops: &[Option<PathStop>]) {
        let (run, partition) = (self.run, self.run.partition());
        for (number, shard) in self.shards.iter_mut().enumerate() {
            for (first, lanes) in partition.tiles(number) {
                let (begin, end) = (first.max(path), (first + lanes).min(path + stops.len()));
                if begin < end {
                    let shard = shard.get_or_insert_with(|| run.collector.shard(&run.layout));
                    let stops = &stops[begin - path..end - path];
                    run.collector.record_stops(shard, begin, stops);
                }
            }
        }
    }

    fn solve_rest(&mut self) -> Result<(), SdeError> {
        let Self { run, shards, recorded, .. } = self;
        let nodes = run.saved.len();
        run.done.store(recorded.finished(nodes) as u64 * run.last() as u64, Ordering::Relaxed);
        let partition = run.partition();
        shards.par_iter_mut().enumerate().try_for_each(|(number, shard)| {
            for (path, lanes) in partition.tiles(number) {
                let pieces = recorded.pieces(path..path + lanes);
                if pieces.iter().any(|(_, times)| *times < nodes) {
                    run.solve_pieces((path, lanes), &pieces, shard)?;
                }
            }
            Ok(())
        })
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), SdeError> {
        self.run.went(path_steps)
    }
}

/// Position of a number that is not finite on the first path that has one.
fn first_not_finite<T: Gaussian>(x: Rows<'_, T>) -> Option<usize> {
    let rows = (0..x.rows()).filter_map(|row| Some((not_finite(&x[row])?, row)));
    rows.min().map(|(lane, row)| row * x.lanes() + lane)
}

/// Paths that are recorded at the first few saved nodes, from a solve in parts.
#[derive(Debug, Default)]
struct RecordedNodes(Vec<(Range<usize>, usize)>);

impl RecordedNodes {
    /// Adds the node of this index, which follows the last one of these paths.
    fn add(&mut self, paths: Range<usize>, time: usize) {
        match self.0.iter_mut().rev().find(|(known, _)| *known == paths) {
            Some((_, times)) => *times = time + 1,
            None => self.0.push((paths, time + 1)),
        }
    }

    /// Number of paths with all nodes.
    fn finished(&self, nodes: usize) -> usize {
        self.0.iter().filter(|(_, times)| *times == nodes).map(|(paths, _)| paths.len()).sum()
    }

    /// Consecutive paths with their numbers of recorded nodes.
    fn pieces(&self, paths: Range<usize>) -> Vec<(Range<usize>, usize)> {
        let mut pieces = Vec::new();
        let mut path = paths.start;
        while path < paths.end {
            let inside = self.0.iter().find(|(known, _)| known.contains(&path));
            let next = self.0.iter().map(|(known, _)| known.start).filter(|start| *start > path);
            let (end, times) = match inside {
                Some((known, times)) => (known.end, *times),
                None => (next.min().unwrap_or(paths.end), 0),
            };
            let end = end.min(paths.end);
            pieces.push((path..end, times));
            path = end;
        }
        pieces
    }
}

impl<T: Gaussian, K: Collect<T>> Run<'_, T, K> {
    /// Solves a tile and records each of its pieces at the nodes where it is not recorded.
    fn solve_pieces(
        &self,
        (path, lanes): (usize, usize),
        pieces: &[(Range<usize>, usize)],
        shard: &mut Option<K::Shard>,
    ) -> Result<(), SdeError> {
        self.went(0)?;
        let mut rows = Vec::new();
        let mut record = |time: usize, x: Rows<'_, T>| {
            for (paths, _) in pieces.iter().filter(|(_, times)| *times <= time) {
                rows.clear();
                for component in 0..x.rows() {
                    rows.extend_from_slice(&x[component][paths.start - path..paths.end - path]);
                }
                let shard = shard.get_or_insert_with(|| self.collector.shard(&self.layout));
                let at = RecordIndex { path: paths.start, time };
                self.collector.record(shard, at, Rows::new(&rows, paths.len()));
            }
        };
        let mut pause = |path_steps: usize| self.went(path_steps as u64);
        let observer = Observer { record: &mut record, pause: &mut pause };
        let stops = self.tiles.solve((path, lanes), &self.saved, observer)?;
        let nodes = self.saved.len();
        let unfinished = pieces.iter().filter(|(_, times)| *times < nodes);
        for (paths, _) in unfinished.clone().filter(|_| !stops.is_empty()) {
            let shard = shard.get_or_insert_with(|| self.collector.shard(&self.layout));
            let stops = &stops[paths.start - path..paths.end - path];
            self.collector.record_stops(shard, paths.start, stops);
        }
        self.count_finished(unfinished.map(|(paths, _)| paths.len()).sum());
        Ok(())
    }

    /// Counts finished paths.
    fn count_finished(&self, paths: usize) {
        if let Some(finished) = self.watch.finished {
            finished.fetch_add(paths, Ordering::Relaxed);
        }
    }

    /// Reports paths times steps.
    fn went(&self, path_steps: u64) -> Result<(), SdeError> {
        self.done.fetch_add(path_steps, Ordering::Relaxed);
        if let Some(watched) = self.watch.watched {
            watched(self.progress());
        }
        let cancelled = self.watch.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if cancelled { Err(SdeError::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_what_was_recorded() {
        let mut recorded = RecordedNodes::default();
        recorded.add(10..20, 0);
        recorded.add(10..20, 1);
        recorded.add(20..30, 0);
        assert_eq!(recorded.pieces(5..25), [(5..10, 0), (10..20, 2), (20..25, 1)]);
        assert_eq!(recorded.pieces(28..40), [(28..30, 1), (30..40, 0)]);
        assert_eq!((recorded.finished(2), recorded.finished(1)), (10, 10));
    }
}
