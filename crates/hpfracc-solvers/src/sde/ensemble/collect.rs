use crate::noise::Rows;
use hpfracc_types::Real;

/// What is kept of an ensemble.
///
/// Paths are divided among a fixed number of shards, whatever the number of threads; each shard sees
/// its paths in order, and shards are joined in order. Results therefore are the same bits on any number
/// of threads. A pair of collectors collects both.
pub trait Collect<T: Real>: Sync {
    /// What one shard has collected.
    type Shard: Send;

    /// What is made of all shards.
    type Output;

    /// A shard that has seen nothing.
    fn shard(&self, layout: &Layout) -> Self::Shard;

    /// Takes in a tile of paths at a saved time.
    fn record(&self, shard: &mut Self::Shard, at: Place, x: Rows<'_, T>);

    /// Puts the shards together.
    fn join(&self, layout: &Layout, shards: Vec<Self::Shard>) -> Self::Output;
}

/// The sizes of what is collected.
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
pub struct Place {
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

    fn record(&self, shard: &mut Self::Shard, at: Place, x: Rows<'_, T>) {
        self.0.record(&mut shard.0, at, x);
        self.1.record(&mut shard.1, at, x);
    }

    fn join(&self, layout: &Layout, shards: Vec<Self::Shard>) -> Self::Output {
        let (first, second) = shards.into_iter().unzip();
        (self.0.join(layout, first), self.1.join(layout, second))
    }
}
