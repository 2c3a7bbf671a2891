use crate::error::require_len;
use crate::graph::GraphLaplacian;
use crate::graph::csr::{PARALLEL, ROWS};
use crate::{Result, SpatialOperator};
use rayon::prelude::*;
use std::ops::{AddAssign, Mul, SubAssign};

/// Numbers of fields with many columns: `f32` and `f64`.
pub trait Real:
    sealed::Sealed + Copy + Send + Sync + Default + Mul<Output = Self> + AddAssign + SubAssign
{
    /// The nearest number.
    fn from_f64(x: f64) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Real for f32 {
    fn from_f64(x: f64) -> Self {
        x as Self
    }
}

impl Real for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
}

/// Columns that are summed at a time, in registers.
const LANES: usize = 16;

impl GraphLaplacian {
    /// Product with many columns, `Y = A X`: node-major, the columns of a node one after the other,
    /// `x[node * columns + column]`.
    ///
    /// Cost: reads `4 columns` (f32) bytes for each stored entry; bound by memory.
    ///
    /// # Errors
    /// [`Length`](crate::SpatialError::Length) unless x and y have `nodes * columns` values.
    ///
    /// ```
    /// use hpfracc_spatial::{Graph, GraphLaplacian};
    ///
    /// let laplacian = GraphLaplacian::combinatorial(&Graph::path(2)?)?;
    /// let mut y = [0.0f32; 4];
    /// laplacian.apply_columns(2, &[1.0, 5.0, 2.0, 5.0], &mut y)?;
    /// assert_eq!(y, [-1.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), hpfracc_spatial::SpatialError>(())
    /// ```
    pub fn apply_columns<T: Real>(&self, columns: usize, x: &[T], y: &mut [T]) -> Result<()> {
        let len = self.len() * columns;
        require_len("x", x.len(), len)?;
        require_len("y", y.len(), len)?;
        if columns == 0 {
            return Ok(());
        }
        let block = |(b, y): (usize, &mut [T])| {
            for (i, y) in y.chunks_exact_mut(columns).enumerate() {
                self.row_of_columns(b * ROWS + i, x, y);
            }
        };
        if self.entries.columns.len() * columns < PARALLEL {
            y.chunks_mut(ROWS * columns).enumerate().for_each(block);
        } else {
            y.par_chunks_mut(ROWS * columns).enumerate().for_each(block);
        }
        Ok(())
    }

    /// Row of the product: blocks of columns, then the rest one by one.
    fn row_of_columns<T: Real>(&self, row: usize, x: &[T], y: &mut [T]) {
        let columns = y.len();
        let (neighbours, weights) = self.entries.row(row);
        let diagonal = T::from_f64(self.diagonal[row]);
        let mut from = 0;
        while from + LANES <= columns {
            let lanes = |node: usize| &x[node * columns + from..][..LANES];
            let mut sum = [T::default(); LANES];
            for (sum, x) in sum.iter_mut().zip(lanes(row)) {
                *sum = diagonal * *x;
            }
            for (&node, &weight) in neighbours.iter().zip(weights) {
                let weight = T::from_f64(weight);
                for (sum, x) in sum.iter_mut().zip(lanes(node as usize)) {
                    *sum -= weight * *x;
                }
            }
            y[from..from + LANES].copy_from_slice(&sum);
            from += LANES;
        }
        for column in from..columns {
            let mut sum = diagonal * x[row * columns + column];
            for (&node, &weight) in neighbours.iter().zip(weights) {
                sum -= T::from_f64(weight) * x[node as usize * columns + column];
            }
            y[column] = sum;
        }
    }
}
