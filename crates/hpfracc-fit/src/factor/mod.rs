//! Triangular factors of matrices with many rows.
//!
//! The factor of a matrix A is the upper triangle R with R^T R = A^T A. A fit knows its data by the factor of
//! [J r], the Jacobian matrix beside the residuals: steps, bounds, stopping and covariance follow from it, and no
//! normal equations are formed, whose condition number is the square.

mod block;
mod householder;
mod tree;

pub(crate) use block::{BLOCK, Block};
pub(crate) use householder::triangularise;
pub(crate) use tree::{Part, Tree};

use serde::{Deserialize, Serialize};

/// Rows of a task of a thread: whole blocks, so that the bits do not depend on the number of threads.
pub(crate) const TASK: usize = 256 * BLOCK;

/// Upper triangular factor R of a matrix A: `R^T R = A^T A`.
///
/// Norms and products of columns of A are those of columns of R, so that R replaces A in linear least squares.
///
/// ```
/// use hpfracc_fit::Factor;
///
/// // Columns (3, 4) and (1, 2), whose product is 11.
/// let factor = Factor::of(&[3.0, 1.0, 4.0, 2.0], 2);
/// assert!((factor.norm(0) - 5.0).abs() < 1e-15);
/// assert!((factor.product(0, 1) - 11.0).abs() < 1e-14);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    columns: usize,
    /// Row by row, zeros below the diagonal.
    entries: Vec<f64>,
}

impl Factor {
    /// Factor of a matrix without rows.
    pub fn zero(columns: usize) -> Self {
        Self { columns, entries: vec![0.0; columns * columns] }
    }

    /// Factor of a matrix given row by row.
    pub fn of(rows: &[f64], columns: usize) -> Self {
        let mut all = rows.to_vec();
        all.resize(all.len().max(columns * columns), 0.0);
        triangularise(&mut all, columns);
        all.truncate(columns * columns);
        Self { columns, entries: all }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Entry of a row and a column.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.columns + column] = value;
    }

    /// Product of two columns of the matrix.
    pub fn product(&self, a: usize, b: usize) -> f64 {
        (0..=a.min(b)).map(|row| self.entry(row, a) * self.entry(row, b)).sum()
    }

    /// Euclidean norm of a column of the matrix.
    pub fn norm(&self, column: usize) -> f64 {
        self.product(column, column).sqrt()
    }

    /// Whether all entries are finite.
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_finite())
    }

    /// Appends the rows of another matrix by its factor.
    pub fn append(&mut self, other: &Self) {
        self.append_rows(&other.entries);
    }

    /// Appends rows.
    pub fn append_rows(&mut self, rows: &[f64]) {
        let len = self.entries.len();
        self.entries.extend_from_slice(rows);
        triangularise(&mut self.entries, self.columns);
        self.entries.truncate(len);
    }

    /// Factor of the matrix of some columns, in this order.
    pub fn select(&self, columns: &[usize]) -> Self {
        let rows = 0..self.columns;
        let entries = rows.flat_map(|row| columns.iter().map(move |&k| self.entry(row, k)));
        Self::of(&entries.collect::<Vec<f64>>(), columns.len())
    }
}
