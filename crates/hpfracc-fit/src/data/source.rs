use crate::SourceError;
use ndarray::{ArrayBase, Axis, Data, Ix2};
use std::fmt::Debug;

/// Table of numbers that is read in pieces, by several threads, as often as needed.
pub trait Source: Debug + Send + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Number of columns.
    fn columns(&self) -> usize;

    /// Reads rows from `first` on, one after the other, until `values` is full.
    ///
    /// # Errors
    /// [`SourceError`] for rows that cannot be read.
    fn read(&self, first: usize, values: &mut [f64]) -> Result<(), SourceError>;

    /// Checks that the numbers are still those of the first pass.
    ///
    /// # Errors
    /// [`SourceError`] if they are not.
    fn unchanged(&self) -> Result<(), SourceError> {
        Ok(())
    }
}

impl<S: Data<Elem = f64> + Send + Sync> Source for ArrayBase<S, Ix2> {
    fn rows(&self) -> usize {
        self.nrows()
    }

    fn columns(&self) -> usize {
        self.ncols()
    }

    fn read(&self, first: usize, values: &mut [f64]) -> Result<(), SourceError> {
        let rows = self.slice_axis(Axis(0), (first..).into());
        for (row, values) in rows.outer_iter().zip(values.chunks_exact_mut(self.ncols())) {
            values.iter_mut().zip(row).for_each(|(to, from)| *to = *from);
        }
        Ok(())
    }
}
