//! Numbers of many paths side by side.

use std::ops::{Index, IndexMut};

/// Rows of numbers, each with a lane for every path of a tile.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a, T> {
    values: &'a [T],
    lanes: usize,
}

/// Rows of numbers to be written, each with a lane for every path of a tile.
#[derive(Debug)]
pub struct RowsMut<'a, T> {
    values: &'a mut [T],
    lanes: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Whole rows of so many lanes; what is left over at the end belongs to none.
    #[inline(always)]
    pub fn new(values: &'a [T], lanes: usize) -> Self {
        Self { values, lanes }
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

    /// All numbers, row by row.
    #[inline(always)]
    pub fn as_slice(&self) -> &'a [T] {
        self.values
    }
}

impl<T> Index<usize> for Rows<'_, T> {
    type Output = [T];
    #[inline(always)]
    fn index(&self, row: usize) -> &[T] {
        &self.values[row * self.lanes..][..self.lanes]
    }
}

impl<'a, T> RowsMut<'a, T> {
    /// Whole rows of so many lanes; what is left over at the end belongs to none.
    #[inline(always)]
    pub fn new(values: &'a mut [T], lanes: usize) -> Self {
        Self { values, lanes }
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

    /// The same rows, to be read.
    #[inline(always)]
    pub fn as_rows(&self) -> Rows<'_, T> {
        Rows { values: self.values, lanes: self.lanes }
    }

    /// The same rows for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> RowsMut<'_, T> {
        RowsMut { values: self.values, lanes: self.lanes }
    }

    /// All numbers, row by row.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.values
    }
}

impl<T> Index<usize> for RowsMut<'_, T> {
    type Output = [T];
    #[inline(always)]
    fn index(&self, row: usize) -> &[T] {
        &self.values[row * self.lanes..][..self.lanes]
    }
}

impl<T> IndexMut<usize> for RowsMut<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.lanes..][..self.lanes]
    }
}
