use crate::SdeError;
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// A collector: statistics of the paths of an ensemble.
///
/// Paths are divided among a fixed number of shards, whatever the number of threads; each shard
/// sees its paths in order, and shards are merged in order. Results therefore are the same bits on
/// any number of threads. A pair of collectors collects both.
pub trait Collect<T: Real>: Sync {
    /// Data of one shard, or of several consecutive ones.
    type Shard: Send;

    /// The result.
    type Output;

    /// An empty shard.
    fn shard(&self, layout: &Layout) -> Self::Shard;

    /// Takes in a tile of paths at a saved time. All numbers are finite.
    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>);

    /// Statistics that it takes in place of the states of all paths from an executor that computes them itself, such as
    /// a GPU; `None` if it needs all states.
    fn request(&self) -> Option<StatisticsRequest> {
        None
    }

    /// Takes in the requested statistics of a block of paths at a saved time, in place of their states. Called only
    /// after [`request`](Self::request) has returned a request.
    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        let _ = (shard, at, statistics);
    }

    /// Adds the data of the `next` shard.
    fn merge(&self, into: &mut Self::Shard, next: Self::Shard);

    /// Computes the result from the data of all shards.
    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output;

    /// Appends all that a shard knows, as whole numbers: for a [`Checkpoint`](super::Checkpoint), and for other ranks.
    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>);

    /// Reads it, and no word more; `None` if no shard of this collector has written it.
    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard>;

    /// Refuses ensembles that it cannot collect, before the first step.
    ///
    /// # Errors
    /// As the collector says.
    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        let _ = layout;
        Ok(())
    }

    /// Refuses tiles of `paths` paths if that width was requested; by default all but the last have
    /// a multiple of 16.
    ///
    /// # Errors
    /// As the collector says.
    fn admit_tiles(&self, paths: usize) -> Result<(), SdeError> {
        let _ = paths;
        Ok(())
    }
}

/// Statistics that a collector needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatisticsRequest {
    /// Whether means and covariances are needed.
    pub moments: bool,
    /// Leading bits of the mantissa of the buckets in which numbers are counted; `None` without counts.
    pub digits: Option<u32>,
    /// Number of paths, from the first of the ensemble on, whose states are needed.
    pub first_paths: usize,
}

impl StatisticsRequest {
    /// All that either request needs; `None` for buckets of different widths.
    pub fn and(self, other: Self) -> Option<Self> {
        let digits = match (self.digits, other.digits) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        Some(Self {
            moments: self.moments || other.moments,
            digits,
            first_paths: self.first_paths.max(other.first_paths),
        })
    }
}

/// Statistics of a block of paths at a saved time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathStatistics<T> {
    /// Number of paths.
    pub paths: usize,
    /// Moments of consecutive parts of the paths, if they were requested.
    pub moments: Vec<BlockMoments>,
    /// Counts of each row, if they were requested.
    pub counts: Vec<BucketCounts>,
    /// Rows of the first paths, if they were requested and are in this block.
    pub first: Vec<T>,
    /// Number of those paths.
    pub first_paths: usize,
}

/// Moments of some paths.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMoments {
    /// Number of paths.
    pub paths: usize,
    /// Mean of each row.
    pub mean: Vec<f64>,
    /// `sum (x_i - mean_i) (x_j - mean_j)` over the paths, row by row.
    pub products: Vec<f64>,
}

/// Counts of numbers in buckets. The key of a bucket is the exponent and the leading bits of the mantissa of the
/// magnitude of its numbers in double precision.
#[derive(Debug, Clone, PartialEq)]
pub struct BucketCounts {
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub greatest: f64,
    /// Number of zeros and of magnitudes more than 63 octaves below that of the largest one.
    pub tiny: u64,
    /// Key of the first bucket, the first one of an octave.
    pub first: u32,
    /// Counts of negative and of positive numbers in whole octaves of buckets.
    pub sides: [Vec<u64>; 2],
}

/// The whole numbers of a saved shard, from the next one to be read on.
pub type SavedWords<'a> = std::slice::Iter<'a, u64>;

/// The sizes of an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Components.
    pub dim: usize,
    /// The first path.
    pub first_path: u64,
    /// Number of paths.
    pub paths: usize,
    /// The times that are saved.
    pub times: Vec<f64>,
}

/// Which tile, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordIndex {
    /// The first path of the tile, counted from the first of the ensemble.
    pub path: usize,
    /// The index of the saved time.
    pub time: usize,
}

impl<T: Real, A: Collect<T>, B: Collect<T>> Collect<T> for (A, B) {
    type Shard = (A::Shard, B::Shard);
    type Output = (A::Output, B::Output);

    fn shard(&self, layout: &Layout) -> Self::Shard {
        (self.0.shard(layout), self.1.shard(layout))
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        self.0.record(&mut shard.0, at, x);
        self.1.record(&mut shard.1, at, x);
    }

    fn request(&self) -> Option<StatisticsRequest> {
        self.0.request()?.and(self.1.request()?)
    }

    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        self.0.record_statistics(&mut shard.0, at, statistics);
        self.1.record_statistics(&mut shard.1, at, statistics);
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        self.0.merge(&mut into.0, next.0);
        self.1.merge(&mut into.1, next.1);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        (self.0.finish(layout, all.0), self.1.finish(layout, all.1))
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        self.0.admit(layout)?;
        self.1.admit(layout)
    }

    fn admit_tiles(&self, paths: usize) -> Result<(), SdeError> {
        self.0.admit_tiles(paths)?;
        self.1.admit_tiles(paths)
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        self.0.save(&shard.0, words);
        self.1.save(&shard.1, words);
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        Some((self.0.restore(layout, words)?, self.1.restore(layout, words)?))
    }
}
