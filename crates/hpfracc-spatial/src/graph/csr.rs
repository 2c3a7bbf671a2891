//! Sparse matrix in compressed rows.

use rayon::prelude::*;

/// Rows of a task.
pub(crate) const ROWS: usize = 1024;
/// Entries from which rows are shared among threads.
pub(crate) const PARALLEL: usize = 1 << 15;

/// Square matrix without diagonal: columns of a row ascend, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Csr {
    /// Entries of row i are `offsets[i]..offsets[i + 1]`.
    pub(crate) offsets: Vec<usize>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl Csr {
    /// Matrix of `(row, column, value)` entries; those at the same place are summed in the order of
    /// the list. The second number is that of entries merged.
    pub(crate) fn from_entries(rows: usize, entries: &[(u32, u32, f64)]) -> (Self, usize) {
        let mut starts = vec![0usize; rows + 1];
        for &(row, _, _) in entries {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut sorted = vec![(0u32, 0.0); entries.len()];
        let mut next = starts.clone();
        for &(row, column, value) in entries {
            sorted[next[row as usize]] = (column, value);
            next[row as usize] += 1;
        }
        let mut matrix = Self { offsets: vec![0], ..Self::default() };
        for row in 0..rows {
            let row = &mut sorted[starts[row]..starts[row + 1]];
            row.sort_by_key(|entry| entry.0);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                matrix.columns.push(same[0].0);
                matrix.values.push(same.iter().map(|entry| entry.1).sum());
            }
            matrix.offsets.push(matrix.columns.len());
        }
        let merged = entries.len() - matrix.columns.len();
        (matrix, merged)
    }

    pub(crate) fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Columns and values of a row.
    pub(crate) fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Replaces each value by `f(row, column, value)`.
    pub(crate) fn map_values(&mut self, f: impl Fn(usize, usize, f64) -> f64) {
        for row in 0..self.rows() {
            for k in self.offsets[row]..self.offsets[row + 1] {
                self.values[k] = f(row, self.columns[k] as usize, self.values[k]);
            }
        }
    }

    /// Row i of the matrix times x.
    #[inline]
    pub(crate) fn row_times(&self, i: usize, x: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        let (mut even, mut odd) = (0.0, 0.0);
        let (pairs, weights) = (columns.chunks_exact(2), values.chunks_exact(2));
        if let ([j], [w]) = (pairs.remainder(), weights.remainder()) {
            even = w * x[*j as usize];
        }
        for (j, w) in pairs.zip(weights) {
            even += w[0] * x[j[0] as usize];
            odd += w[1] * x[j[1] as usize];
        }
        even + odd
    }

    /// Sets `y_i = f(i)` for all rows; rows are shared among threads.
    pub(crate) fn for_rows(&self, y: &mut [f64], f: impl Fn(usize) -> f64 + Sync) {
        let block = |(b, y): (usize, &mut [f64])| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = f(b * ROWS + i);
            }
        };
        if self.columns.len() < PARALLEL {
            y.chunks_mut(ROWS).enumerate().for_each(block);
        } else {
            y.par_chunks_mut(ROWS).enumerate().for_each(block);
        }
    }
}
