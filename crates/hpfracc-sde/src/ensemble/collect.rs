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

    /// Adds the data of the `next` shard.
    fn merge(&self, into: &mut Self::Shard, next: Self::Shard);

    /// Computes the result from the data of all shards.
    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output;

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

/// The whole numbers of a saved shard, from the next one to be read on.
pub type SavedWords<'a> = std::slice::Iter<'a, u64>;

/// A collector whose shards can be written down as whole numbers, for a
/// [`Checkpoint`](super::Checkpoint).
pub trait Persist<T: Real>: Collect<T> {
    /// Appends all that a shard knows.
    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>);

    /// Reads it, and no word more; `None` if no shard of this collector has written it.
    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard>;
}

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
}

impl<T: Real, A: Persist<T>, B: Persist<T>> Persist<T> for (A, B) {
    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        self.0.save(&shard.0, words);
        self.1.save(&shard.1, words);
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        Some((self.0.restore(layout, words)?, self.1.restore(layout, words)?))
    }
}
