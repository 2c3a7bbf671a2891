//! Products with the matrix: sums of the fluxes through the faces of each cell.

use super::{Diffusion, faces};
use crate::chunks::for_each_chunk;
use crate::scalar::Scalar;

/// Number of values that a thread writes at least.
const CHUNK: usize = 1 << 12;

impl Diffusion {
    /// Writes `y = (z + A) x`.
    pub(super) fn apply_shifted<T: Scalar>(&self, z: T, x: &[T], y: &mut [T]) {
        let len = *self.grid.shape().last().unwrap_or(&1);
        let rows = CHUNK.div_ceil(len);
        for_each_chunk(
            y,
            rows * len,
            || (),
            |(), k, chunk| {
                for (r, y) in chunk.chunks_exact_mut(len).enumerate() {
                    let row = k * rows + r;
                    let here = &x[row * len..][..len];
                    match &self.reaction {
                        None => y.iter_mut().zip(here).for_each(|(y, x)| *y = z * *x),
                        Some(c) => {
                            let c = &c[row * len..][..len];
                            for ((y, x), c) in y.iter_mut().zip(here).zip(c) {
                                *y = (z + T::from(*c)) * *x;
                            }
                        }
                    }
                    self.add_along_last(row, here, y);
                    self.add_across_rows(row, x, y);
                }
            },
        );
    }

    /// Adds the fluxes along the last axis to a row of it.
    fn add_along_last<T: Scalar>(&self, row: usize, x: &[T], y: &mut [T]) {
        let last = self.faces.len() - 1;
        let n = x.len();
        let faces = &self.faces[last][row * (n + 1)..][..n + 1];
        for i in 0..n - 1 {
            let flux = (x[i + 1] - x[i]).scale(faces[i + 1]);
            y[i] -= flux;
            y[i + 1] += flux;
        }
        if self.grid.axes()[last].is_periodic() {
            let flux = (x[0] - x[n - 1]).scale(faces[0]);
            y[n - 1] -= flux;
            y[0] += flux;
        } else {
            let [(lower, _), (upper, _)] = self.ends[last];
            y[0] += x[0].scale(lower * faces[0]);
            y[n - 1] += x[n - 1].scale(upper * faces[n]);
        }
    }

    /// Adds the fluxes along the other axes to a row of the last axis.
    fn add_across_rows<T: Scalar>(&self, row: usize, x: &[T], y: &mut [T]) {
        let len = y.len();
        let here = &x[row * len..][..len];
        let mut stride = 1;
        for d in (0..self.faces.len() - 1).rev() {
            let axis = &self.grid.axes()[d];
            let n = axis.len();
            let i = row / stride % n;
            let first = faces::row_of_faces(row, stride, n);
            for (side, at_end) in [i == 0, i == n - 1].into_iter().enumerate() {
                let faces = &self.faces[d][(first + side * stride) * len..][..len];
                if at_end && !axis.is_periodic() {
                    let factor = self.ends[d][side].0;
                    for ((y, x), f) in y.iter_mut().zip(here).zip(faces) {
                        *y += x.scale(factor * f);
                    }
                    continue;
                }
                let neighbour = match (side, at_end) {
                    (0, false) => row - stride,
                    (0, true) => row + (n - 1) * stride,
                    (_, false) => row + stride,
                    (_, true) => row - (n - 1) * stride,
                };
                let there = &x[neighbour * len..][..len];
                for (((y, x), other), f) in y.iter_mut().zip(here).zip(there).zip(faces) {
                    *y += (*x - *other).scale(*f);
                }
            }
            stride *= n;
        }
    }
}
