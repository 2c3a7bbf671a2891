use crate::SdeError;
use rayon::prelude::*;

/// Number of shards, whatever the number of threads.
pub(crate) const SHARDS: usize = 64;

/// The partition of an ensemble: tiles of `lanes` paths each (the last one may be narrower), and
/// shards, of which shard k has the tiles k, k + 64, k + 128, ...
///
/// Each shard takes its tiles in order, and callers merge the shards in order: results do not
/// depend on the number of threads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shards {
    pub(crate) paths: usize,
    pub(crate) lanes: usize,
}

impl Shards {
    /// Number of shards that have a tile.
    pub(crate) fn used(self) -> usize {
        self.paths.div_ceil(self.lanes).min(SHARDS)
    }

    /// Number of tiles of a shard.
    pub(crate) fn tiles_of(self, shard: usize) -> usize {
        self.paths.div_ceil(self.lanes).saturating_sub(shard).div_ceil(SHARDS)
    }

    /// First path and number of paths of a tile of a shard.
    pub(crate) fn tile(self, shard: usize, index: usize) -> (usize, usize) {
        let path = (shard + index * SHARDS) * self.lanes;
        (path, self.lanes.min(self.paths - path))
    }

    /// First path and number of paths of each tile of a shard.
    pub(crate) fn tiles(self, shard: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..self.tiles_of(shard)).map(move |index| self.tile(shard, index))
    }

    /// Calls `solve(state, path, lanes)` for each tile of some shards, in parallel, `states[k]` for
    /// shard `first + k`.
    pub(crate) fn for_each_tile<S: Send>(
        self,
        first: usize,
        states: &mut [S],
        solve: impl Fn(&mut S, usize, usize) -> Result<(), SdeError> + Sync,
    ) -> Result<(), SdeError> {
        states.par_iter_mut().enumerate().try_for_each(|(shard, state)| {
            self.tiles(first + shard).try_for_each(|(path, lanes)| solve(state, path, lanes))
        })
    }
}
