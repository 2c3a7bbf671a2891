//! Sine transforms along all axes of a box of up to three axes.

use super::sine::SineTransform;
use crate::pool::Pool;
use rayon::prelude::*;

/// Number of planes and of rows that are copied together: a cache line.
const TOGETHER: usize = 8;

/// Discrete sine transform of type I along each axis. Modes are stored by that of the last axis,
/// then the second, then the first.
pub(crate) struct BoxSine {
    shape: [usize; 3],
    axes: [SineTransform; 3],
    boxes: Pool<f64>,
    planes: Pool<f64>,
}

impl BoxSine {
    pub(crate) fn new(shape: [usize; 3]) -> Self {
        Self {
            shape,
            axes: shape.map(SineTransform::new),
            boxes: Pool::new(shape.iter().product()),
            planes: Pool::new(shape[0] * shape[1]),
        }
    }

    /// Factor after which two transforms are the identity.
    pub(crate) fn scale(&self) -> f64 {
        self.shape.iter().map(|n| 2.0 / (n + 1) as f64).product()
    }

    /// Writes the modes of the values x.
    pub(crate) fn to_modes(&self, x: &[f64], modes: &mut [f64]) {
        let [n0, n1, n2] = self.shape;
        let rows = n0 * n1;
        self.boxes.with(|transformed| {
            transformed.par_chunks_mut(n2).zip(x.par_chunks(n2)).for_each(|(row, x)| {
                row.copy_from_slice(x);
                self.axes[2].process(row);
            });
            let transformed = &*transformed;
            modes.par_chunks_mut(TOGETHER * rows).enumerate().for_each(|(group, planes)| {
                for (row, values) in transformed.chunks(n2).enumerate() {
                    let values = &values[group * TOGETHER..];
                    for (plane, value) in planes.chunks_mut(rows).zip(values) {
                        plane[row] = *value;
                    }
                }
                for plane in planes.chunks_mut(rows) {
                    plane.chunks_mut(n1).for_each(|row| self.axes[1].process(row));
                    self.planes.with(|turned| {
                        transpose(plane, turned, n0, n1);
                        turned.chunks_mut(n0).for_each(|row| self.axes[0].process(row));
                        plane.copy_from_slice(turned);
                    });
                }
            });
        });
    }

    /// Writes the values of modes.
    pub(crate) fn to_values(&self, modes: &[f64], x: &mut [f64]) {
        let [n0, n1, n2] = self.shape;
        let rows = n0 * n1;
        self.boxes.with(|planes| {
            planes.par_chunks_mut(rows).zip(modes.par_chunks(rows)).for_each(|(plane, modes)| {
                self.planes.with(|turned| {
                    turned.copy_from_slice(modes);
                    turned.chunks_mut(n0).for_each(|row| self.axes[0].process(row));
                    transpose(turned, plane, n1, n0);
                });
                plane.chunks_mut(n1).for_each(|row| self.axes[1].process(row));
            });
            let planes = &*planes;
            x.par_chunks_mut(TOGETHER * n2).enumerate().for_each(|(group, x)| {
                for (k, plane) in planes.chunks(rows).enumerate() {
                    for (row, value) in x.chunks_mut(n2).zip(&plane[group * TOGETHER..]) {
                        row[k] = *value;
                    }
                }
                x.chunks_mut(n2).for_each(|row| self.axes[2].process(row));
            });
        });
    }
}

/// Writes the transpose of a matrix of n rows and m columns.
fn transpose(from: &[f64], to: &mut [f64], n: usize, m: usize) {
    for (j, row) in to.chunks_mut(n).enumerate() {
        for (i, value) in row.iter_mut().enumerate() {
            *value = from[i * m + j];
        }
    }
}
