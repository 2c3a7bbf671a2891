use super::tile_sweep::{Buffers, TileMemory};
use crate::ensemble::running_means::RunningMeans;
use crate::noise::Gaussian;
use std::sync::{Mutex, PoisonError};

/// Memory for gradients, reused from call to call by
/// [`EnsembleGradient::solve_with`](super::EnsembleGradient::solve_with).
///
/// It holds for each thread the states, memories and sums of one tile of paths, and for each of the
/// shards of an ensemble, 64 at most, sums over parameters, initial values and orders; it grows to
/// the largest gradient. Its contents have no influence on a result. Any scheme may use it, and
/// several gradients at a time.
pub struct GradientWorkspace<T: Gaussian> {
    tiles: Pool<TileMemory<T>>,
    sums: Pool<GradientSums<T>>,
}

/// Values that no one uses at present.
type Pool<V> = Mutex<Vec<V>>;

/// The sums of a gradient.
#[derive(Debug, Default)]
pub(super) struct GradientSums<T> {
    pub(super) shards: Vec<ShardSums<T>>,
    pub(super) total: RunningMeans,
}

/// The sums of a shard.
#[derive(Debug, Default)]
pub(super) struct ShardSums<T> {
    pub(super) means: RunningMeans,
    /// The largest distance of initial values from those reconstructed backwards.
    pub(super) apart: f64,
    /// Cotangents of the initial values of each path, tile after tile, by component; empty unless
    /// requested.
    pub(super) starts: Vec<T>,
}

impl<T: Gaussian> ShardSums<T> {
    /// Sums of `len` numbers over no tile.
    pub(super) fn clear(&mut self, len: usize) {
        self.means.clear(len);
        self.apart = 0.0;
        self.starts.clear();
    }

    /// Adds a tile of `lanes` paths.
    pub(super) fn add(&mut self, lanes: usize, tile: &Buffers<T>, each_path: bool) {
        self.means.add_part(lanes, &tile.sums);
        self.apart = self.apart.max(tile.apart);
        if each_path {
            self.starts.extend_from_slice(&tile.start);
        }
    }
}

impl<T: Gaussian> GradientWorkspace<T> {
    /// Without any memory yet.
    pub fn new() -> Self {
        Self { tiles: Pool::default(), sums: Pool::default() }
    }

    /// Lends the memory of a tile while `with` runs.
    pub(super) fn with_tile<R>(&self, with: impl FnOnce(&mut TileMemory<T>) -> R) -> R {
        lend(&self.tiles, with)
    }

    /// Lends the sums of a gradient while `with` runs.
    pub(super) fn with_sums<R>(&self, with: impl FnOnce(&mut GradientSums<T>) -> R) -> R {
        lend(&self.sums, with)
    }
}

/// Lends a value of the pool, or a new one if all are in use.
fn lend<V: Default, R>(pool: &Pool<V>, with: impl FnOnce(&mut V) -> R) -> R {
    let lock = || pool.lock().unwrap_or_else(PoisonError::into_inner);
    let mut value = lock().pop().unwrap_or_default();
    let result = with(&mut value);
    lock().push(value);
    result
}

impl<T: Gaussian> Default for GradientWorkspace<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Gaussian> std::fmt::Debug for GradientWorkspace<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GradientWorkspace").finish_non_exhaustive()
    }
}
