//! Product with a symmetric block Toeplitz matrix on a box of up to three axes, by real FFTs.
//!
//! Rows along the last axis are transformed to half spectra; each mode of them is then a plane of
//! its own, transformed along the other two axes. Zero rows of the padding are never touched. Work
//! is shared by rows and planes, without sums: the same bits for any number of threads.

use super::toeplitz::{make_hermitian, transform_len};
use crate::pool::Pool;
use num_complex::Complex64;
use rayon::prelude::*;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustdct::DctPlanner;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

/// Number of planes and of rows that are copied together: a cache line of complex numbers.
const TOGETHER: usize = 4;

pub(crate) struct BoxConvolution {
    shape: [usize; 3],
    /// Lengths of the transforms, 1 for an axis of one node.
    lens: [usize; 3],
    row_forward: Arc<dyn RealToComplex<f64>>,
    row_inverse: Arc<dyn ComplexToReal<f64>>,
    /// Forward and inverse transforms of the first two axes.
    plane: [[Arc<dyn Fft<f64>>; 2]; 2],
    /// By mode of the last axis, then the second, then the first: the lower half of each, the rest
    /// being its mirror image.
    spectrum: Vec<f64>,
    reals: Pool<f64>,
    rows: Pool<Complex64>,
    planes: Pool<Complex64>,
    halves: Pool<Complex64>,
    modes: Pool<Complex64>,
}

impl BoxConvolution {
    /// With the entries of the matrix by lag, row-major, even in each axis.
    pub(crate) fn new(entries: &[f64], shape: [usize; 3]) -> Self {
        let padded = |n: usize| if n == 1 { 1 } else { transform_len(2 * n - 1) };
        let lens = [padded(shape[0]), padded(shape[1]), transform_len(2 * shape[2] - 1).max(2)];
        let mut planner = RealFftPlanner::new();
        let row_forward = planner.plan_fft_forward(lens[2]);
        let row_inverse = planner.plan_fft_inverse(lens[2]);
        let mut planner = FftPlanner::new();
        let plane = [0, 1].map(|axis| {
            [planner.plan_fft_forward(lens[axis]), planner.plan_fft_inverse(lens[axis])]
        });
        let scratch = row_forward.get_scratch_len().max(row_inverse.get_scratch_len());
        let (rows, half) = (shape[0] * shape[1], lens[2] / 2 + 1);
        Self {
            shape,
            lens,
            row_forward,
            row_inverse,
            spectrum: spectrum(entries, shape, lens),
            reals: Pool::new(lens[2]),
            rows: Pool::new(TOGETHER * half + scratch),
            planes: Pool::new(2 * lens[0] * lens[1] + scratch_len(&plane)),
            halves: Pool::new(rows * half),
            modes: Pool::new(rows * half),
            plane,
        }
    }

    /// Writes `y = A x` on the whole box.
    pub(crate) fn product(&self, x: &[f64], y: &mut [f64]) {
        self.halves.with(|halves| {
            self.modes.with(|modes| {
                self.transform_rows(x, halves);
                self.multiply_planes(halves, modes);
                self.invert_rows(modes, y);
            });
        });
    }

    /// Number of modes of a row.
    fn half(&self) -> usize {
        self.lens[2] / 2 + 1
    }

    /// Number of rows of the box.
    fn row_count(&self) -> usize {
        self.shape[0] * self.shape[1]
    }

    fn transform_rows(&self, x: &[f64], halves: &mut [Complex64]) {
        let n = self.shape[2];
        halves.par_chunks_mut(self.half()).zip(x.par_chunks(n)).for_each(|(half, x)| {
            self.reals.with(|real| {
                self.rows.with(|scratch| {
                    real[..n].copy_from_slice(x);
                    real[n..].fill(0.0);
                    let scratch = &mut scratch[TOGETHER * self.half()..];
                    let _ = self.row_forward.process_with_scratch(real, half, scratch);
                });
            });
        });
    }

    /// Gathers each mode of the rows to a plane, and multiplies it in Fourier space.
    fn multiply_planes(&self, halves: &[Complex64], modes: &mut [Complex64]) {
        let (rows, half) = (self.row_count(), self.half());
        modes.par_chunks_mut(TOGETHER * rows).enumerate().for_each(|(group, planes)| {
            let first = group * TOGETHER;
            for (row, values) in halves.chunks(half).enumerate() {
                for (plane, value) in planes.chunks_mut(rows).zip(&values[first..]) {
                    plane[row] = *value;
                }
            }
            for (k, plane) in planes.chunks_mut(rows).enumerate() {
                self.planes.with(|work| self.multiply_plane(first + k, plane, work));
            }
        });
    }

    fn multiply_plane(&self, mode: usize, plane: &mut [Complex64], work: &mut [Complex64]) {
        let ([n0, n1, _], [l0, l1, _]) = (self.shape, self.lens);
        let (along1, work) = work.split_at_mut(l0 * l1);
        let (along0, scratch) = work.split_at_mut(l0 * l1);
        let along1 = &mut along1[..n0 * l1];
        let [[forward0, inverse0], [forward1, inverse1]] = &self.plane;
        for (long, short) in along1.chunks_mut(l1).zip(plane.chunks(n1)) {
            long[..n1].copy_from_slice(short);
            long[n1..].fill(Complex64::default());
        }
        forward1.process_with_scratch(along1, scratch);
        for (j, column) in along0.chunks_mut(l0).enumerate() {
            for (i, value) in column[..n0].iter_mut().enumerate() {
                *value = along1[i * l1 + j];
            }
            column[n0..].fill(Complex64::default());
        }
        forward0.process_with_scratch(along0, scratch);
        self.multiply_modes(mode, along0);
        inverse0.process_with_scratch(along0, scratch);
        for (j, column) in along0.chunks(l0).enumerate() {
            for (i, value) in column[..n0].iter().enumerate() {
                along1[i * l1 + j] = *value;
            }
        }
        inverse1.process_with_scratch(along1, scratch);
        for (long, short) in along1.chunks(l1).zip(plane.chunks_mut(n1)) {
            short.copy_from_slice(&long[..n1]);
        }
    }

    fn multiply_modes(&self, mode: usize, values: &mut [Complex64]) {
        let [l0, l1, _] = self.lens;
        let (h0, h1) = (l0 / 2 + 1, l1 / 2 + 1);
        let spectrum = &self.spectrum[mode * h0 * h1..][..h0 * h1];
        for (j, column) in values.chunks_mut(l0).enumerate() {
            let factors = &spectrum[j.min(l1 - j) * h0..][..h0];
            let (lower, upper) = column.split_at_mut(h0);
            lower.iter_mut().zip(factors).for_each(|(v, s)| *v *= s);
            // Mode l0 - i has the factor of i.
            upper.iter_mut().rev().zip(&factors[1..]).for_each(|(v, s)| *v *= s);
        }
    }

    fn invert_rows(&self, modes: &[Complex64], y: &mut [f64]) {
        let (n, rows, half) = (self.shape[2], self.row_count(), self.half());
        y.par_chunks_mut(TOGETHER * n).enumerate().for_each(|(group, y)| {
            self.rows.with(|work| {
                let (gathered, scratch) = work.split_at_mut(TOGETHER * half);
                for (k, plane) in modes.chunks(rows).enumerate() {
                    let values = &plane[group * TOGETHER..];
                    for (row, value) in gathered.chunks_mut(half).zip(values) {
                        row[k] = *value;
                    }
                }
                self.reals.with(|real| {
                    for (row, y) in gathered.chunks_mut(half).zip(y.chunks_mut(n)) {
                        make_hermitian(row);
                        let _ = self.row_inverse.process_with_scratch(row, real, scratch);
                        y.copy_from_slice(&real[..n]);
                    }
                });
            });
        });
    }
}

fn scratch_len(plane: &[[Arc<dyn Fft<f64>>; 2]; 2]) -> usize {
    let lens = plane.iter().flatten().map(|fft| fft.get_inplace_scratch_len());
    lens.fold(0, usize::max)
}

/// Lower half of the spectrum along each axis, of the last axis slowest: cosine transforms of the
/// even extension. With the factor 1 over the number of modes.
fn spectrum(entries: &[f64], shape: [usize; 3], lens: [usize; 3]) -> Vec<f64> {
    let half = lens.map(|len| len / 2 + 1);
    let factor = 1.0 / lens.iter().product::<usize>() as f64;
    let mut values = vec![0.0; half.iter().product()];
    for i in 0..shape[0] {
        for j in 0..shape[1] {
            for k in 0..shape[2] {
                values[(k * half[1] + j) * half[0] + i] =
                    factor * entries[(i * shape[1] + j) * shape[2] + k];
            }
        }
    }
    for (axis, stride) in [(0, 1), (1, half[0]), (2, half[0] * half[1])] {
        if half[axis] > 1 {
            cosines_along(&mut values, half[axis], stride);
        }
    }
    values
}

/// Twice the cosine transform of type I of every line with a stride.
fn cosines_along(values: &mut [f64], n: usize, stride: usize) {
    let plan = DctPlanner::new().plan_dct1(n);
    let mut line = vec![0.0; n];
    for block in values.chunks_mut(n * stride) {
        for offset in 0..stride {
            for (k, value) in line.iter_mut().enumerate() {
                *value = block[offset + k * stride];
            }
            plan.process_dct1(&mut line);
            for (k, value) in line.iter().enumerate() {
                block[offset + k * stride] = 2.0 * value;
            }
        }
    }
}
