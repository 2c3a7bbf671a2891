use crate::{Collect, Layout, PathStatistics, RecordIndex, SavedWords, StatisticsRequest};
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// The first paths of an ensemble, in double precision: a list by path, component and time.
///
/// Memory: `paths` times saved times times components, and no more for further paths.
///
/// ```
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, FirstPaths};
///
/// let ensemble = Ensemble::new(1000, 50)?.saving_every(10)?;
/// let model = GeometricBrownian::default();
/// let first = model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 1, &FirstPaths { paths: 3 })?;
/// assert_eq!((first.len(), first[0].len(), first[0][0].len()), (3, 1, 6));
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstPaths {
    /// Number of paths; all of an ensemble that has fewer.
    pub paths: usize,
}

/// Path, index of the time and components.
type Sample = (usize, usize, Vec<f64>);

impl<T: Real> Collect<T> for FirstPaths {
    type Shard = Vec<Sample>;
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

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        words.push(shard.len() as u64);
        for (path, time, values) in shard {
            words.extend([*path as u64, *time as u64]);
            words.extend(values.iter().map(|value| value.to_bits()));
        }
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let mut next = || words.next().copied();
        let mut shard = Vec::new();
        for _ in 0..next()? {
            let (path, time) = (usize::try_from(next()?).ok()?, usize::try_from(next()?).ok()?);
            if path >= self.paths || time >= layout.times.len() {
                return None;
            }
            let values = (0..layout.dim).map(|_| next().map(f64::from_bits));
            shard.push((path, time, values.collect::<Option<Vec<f64>>>()?));
        }
        Some(shard)
    }
}
