//! The first few paths of an ensemble.

use hpfracc::sde::Rows;
use hpfracc::sde::{Collect, Layout, PathStatistics, RecordIndex, StatisticsRequest};
use hpfracc::types::Real;

/// Collects the first `paths` paths in double precision.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstPaths {
    pub(super) paths: usize,
}

/// Path, time index and observables.
type Sample = (usize, usize, Vec<f64>);

impl<T: Real> Collect<T> for FirstPaths {
    type Shard = Vec<Sample>;
    /// Indexed by path, observable and time.
    type Output = Vec<Vec<Vec<f64>>>;

    fn shard(&self, _: &Layout) -> Self::Shard {
        Vec::new()
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        for (lane, path) in (at.path..self.paths).take(x.lanes()).enumerate() {
            shard.push((path, at.time, (0..x.rows()).map(|row| x[row][lane].widen()).collect()));
        }
    }

    fn request(&self) -> Option<StatisticsRequest> {
        Some(StatisticsRequest { first_paths: self.paths, ..StatisticsRequest::default() })
    }

    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        if statistics.first_paths > 0 {
            let rows = Rows::new(&statistics.first, statistics.first_paths);
            Collect::<T>::record(self, shard, at, rows);
        }
    }

    fn merge(&self, into: &mut Self::Shard, mut next: Self::Shard) {
        into.append(&mut next);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let count = self.paths.min(layout.paths);
        let mut first = vec![vec![vec![0.0; layout.times.len()]; layout.dim]; count];
        for (path, time, values) in all {
            for (series, value) in first[path].iter_mut().zip(values) {
                series[time] = value;
            }
        }
        first
    }
}
