//! Shards of paths, and their data merged in order.

mod merged;

pub(crate) use merged::{Merged, Part};

use crate::SdeError;
use rayon::prelude::*;

/// Number of shards of few paths, and of groups of shards of many, whatever the number of threads.
pub(crate) const GROUPS: usize = 64;

/// Fewest tiles of a shard where a group has several.
const TILES: usize = 16;

/// Logarithm of the largest number of shards of a group: 8192 in all.
const DEEPEST: u32 = 7;

/// The partition of an ensemble: tiles of `lanes` paths each (the last one may be narrower), and
/// n shards, of which shard k has the tiles k, k + n, k + 2 n, ...
///
/// Each shard takes its tiles in order, and shards are merged in an order that depends on their
/// number alone ([`Merged`]): results do not depend on the number of threads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shards {
    pub(crate) paths: usize,
    pub(crate) lanes: usize,
    /// Logarithm of the number of shards of a group.
    pub(crate) depth: u32,
}

impl Shards {
    /// 64 shards: for sums that are large.
    pub(crate) fn few(paths: usize, lanes: usize) -> Self {
        Self { paths, lanes, depth: 0 }
    }

    /// 64 to 8192 shards, by the number of tiles: for sums that are small, and any number of threads.
    pub(crate) fn many(paths: usize, lanes: usize) -> Self {
        let shards = paths.div_ceil(lanes) / (TILES * GROUPS);
        let depth = shards.checked_ilog2().unwrap_or(0).min(DEEPEST);
        Self { paths, lanes, depth }
    }

    /// Number of shards.
    pub(crate) fn count(self) -> usize {
        GROUPS << self.depth
    }

    /// Number of shards that have a tile.
    pub(crate) fn used(self) -> usize {
        self.paths.div_ceil(self.lanes).min(self.count())
    }

    /// Number of tiles of a shard.
    pub(crate) fn tiles_of(self, shard: usize) -> usize {
        self.paths.div_ceil(self.lanes).saturating_sub(shard).div_ceil(self.count())
    }

    /// First path and number of paths of a tile of a shard.
    pub(crate) fn tile(self, shard: usize, index: usize) -> (usize, usize) {
        let path = (shard + index * self.count()) * self.lanes;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_in_one_shard() {
        for (paths, shards) in
            [(1, 64), (5000, 64), (2047 * 16, 64), (2048 * 16, 128), (1 << 22, 8192)]
        {
            let all = Shards::many(paths, 16);
            assert_eq!(all.count(), shards, "{paths} paths");
            let mut tiles: Vec<_> = (0..shards).flat_map(|shard| all.tiles(shard)).collect();
            tiles.sort_unstable();
            let last = tiles.iter().fold(0, |next, (path, lanes)| {
                assert_eq!(*path, next);
                path + lanes
            });
            assert_eq!(last, paths);
        }
    }
}
