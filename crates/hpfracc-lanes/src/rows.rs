//! Numbers of many paths side by side.

use std::ops::{Deref, DerefMut, Index, IndexMut};

/// Rows of numbers, each with a lane for every path of a tile.
pub type Rows<'a, T> = RowsOf<&'a [T]>;

/// Rows of numbers to be written, each with a lane for every path of a tile.
pub type RowsMut<'a, T> = RowsOf<&'a mut [T]>;

/// Rows in a slice, shared ([`Rows`]) or exclusive ([`RowsMut`]).
#[derive(Debug, Clone, Copy)]
pub struct RowsOf<V> {
    values: V,
    lanes: usize,
}

impl<T, V: Deref<Target = [T]>> RowsOf<V> {
    /// Whole rows of `lanes` lanes; numbers after the last whole row belong to none.
    #[inline(always)]
    pub fn new(values: V, lanes: usize) -> Self {
        Self { values, lanes }
    }

    /// The same numbers in rows of `lanes` lanes.
    #[inline(always)]
    pub fn with_lanes(self, lanes: usize) -> Self {
        Self { lanes, ..self }
    }

    /// Paths of the tile.
    #[inline(always)]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.values.len() / self.lanes
    }
}

impl<'a, T> Rows<'a, T> {
    /// All numbers, row by row.
    #[inline(always)]
    pub fn as_slice(&self) -> &'a [T] {
        self.values
    }
}

impl<T> RowsMut<'_, T> {
    /// The same rows, to be read.
    #[inline(always)]
    pub fn as_rows(&self) -> Rows<'_, T> {
        RowsOf { values: self.values, lanes: self.lanes }
    }

    /// The same rows for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> RowsMut<'_, T> {
        RowsOf { values: self.values, lanes: self.lanes }
    }

    /// All numbers, row by row.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.values
    }
}

impl<T, V: Deref<Target = [T]>> Index<usize> for RowsOf<V> {
    type Output = [T];
    #[inline(always)]
    fn index(&self, row: usize) -> &[T] {
        &self.values[row * self.lanes..][..self.lanes]
    }
}

impl<T, V: DerefMut<Target = [T]>> IndexMut<usize> for RowsOf<V> {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.lanes..][..self.lanes]
    }
}
