use crate::SdeError;
use crate::error::in_range;

/// A cell `[index, index + 1] 2^-level` of the unit interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    level: u32,
    index: u32,
}

impl Cell {
    /// The unit interval.
    pub const WHOLE: Self = Self { level: 0, index: 0 };

    /// The most levels that a tree has: cells of 2^-30 of the interval.
    pub const DEEPEST: u32 = 30;

    /// The cell `[index, index + 1] 2^-level`.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a level beyond [`DEEPEST`](Self::DEEPEST) or an index beyond
    /// the interval.
    pub fn new(level: u32, index: u32) -> Result<Self, SdeError> {
        let what = "the level of a Brownian tree";
        in_range(level <= Self::DEEPEST, what, f64::from(level), "0 to 30")?;
        let what = "the index of a cell";
        in_range(index >> level == 0, what, f64::from(index), "below 2^level")?;
        Ok(Self { level, index })
    }

    /// How often the interval was halved.
    pub const fn level(self) -> u32 {
        self.level
    }

    /// The cells of this level before it.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Where it starts, as a part of the interval, exactly.
    pub fn start(self) -> f64 {
        f64::from(self.index) * self.length()
    }

    /// Its length, as a part of the interval, exactly.
    pub fn length(self) -> f64 {
        (-f64::from(self.level)).exp2()
    }

    /// Its halves; `None` at the deepest level.
    pub fn halves(self) -> Option<[Self; 2]> {
        let level = self.level + 1;
        let half = |right| Self { level, index: 2 * self.index + right };
        (level <= Self::DEEPEST).then(|| [half(0), half(1)])
    }

    /// The cell of which it is a half; `None` of the whole.
    pub fn parent(self) -> Option<Self> {
        Some(Self { level: self.level.checked_sub(1)?, index: self.index / 2 })
    }

    /// The next cell of the same length; `None` at the end.
    pub fn next(self) -> Option<Self> {
        let index = self.index + 1;
        (index >> self.level == 0).then_some(Self { index, ..self })
    }

    /// The cell of a level that contains it, or that it starts with.
    pub(super) fn at_level(self, level: u32) -> u32 {
        self.index >> (self.level - level)
    }
}
