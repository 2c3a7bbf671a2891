//! Online convolution by transforms of complete blocks.
//!
//! Time is cut into blocks of L times, some of which (siblings) make one of the next level, and so
//! on. Within a block of the lowest level sums are taken directly. When a block starts, its earlier
//! siblings are complete; what they add to all its sums is one inverse transform of
//! `sum_i F_i W_{c-i}`: the stored transforms of the c earlier siblings times those of the weights
//! for their distances. What earlier parents add is part of the parent's sums, which the block
//! inherits.
//!
//! With two blocks to a parent this is the scheme of Hairer, Lubich and Schlichte (SIAM J. Sci.
//! Stat. Comput. 6 (1985) 532). More of them need fewer transforms for more products of spectra:
//! with 8, 21 transforms of length 2L where three levels of two take 36 (two kernels).

mod blocked_rows;
mod blocked_series;
mod row_transform;

pub use blocked_rows::{BlockedRows, BlockedRowsState};
pub use blocked_series::BlockedSeries;

/// Lengths of blocks by level, from the smallest up, and when they start.
#[derive(Debug, Clone, Default)]
struct Schedule {
    levels: Vec<Blocks>,
}

/// Blocks of one level.
#[derive(Debug, Clone, Copy)]
struct Blocks {
    len: usize,
    /// Blocks to a parent that there are times for, at most the radix.
    siblings: usize,
}

/// A block that starts.
#[derive(Debug, Clone, Copy)]
struct BlockStart {
    /// Number of its earlier siblings, all complete.
    place: usize,
    /// Where its sums begin among those of its parent, if there is one.
    inherited: Option<usize>,
}

impl Schedule {
    /// The block of a level that starts at a time after the first, if one does. Parents are to be
    /// started before their children.
    #[inline(always)]
    fn start(&self, level: usize, time: usize) -> Option<BlockStart> {
        let Blocks { len, siblings } = self.levels[level];
        if !time.is_multiple_of(len) {
            return None;
        }
        let parent = self.levels.get(level + 1);
        let inherited = parent.map(|parent| time % parent.len);
        Some(BlockStart { place: time / len % siblings, inherited })
    }

    /// Length of the longest blocks, or `none` without levels.
    fn longest(&self, none: usize) -> usize {
        self.levels.last().map_or(none, |level| level.len)
    }
}
