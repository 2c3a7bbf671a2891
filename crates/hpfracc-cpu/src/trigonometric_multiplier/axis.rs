//! Transforms of all lines along an axis of a field, in blocks that fit the cache.

use super::line::{LineTransform, Step};
use crate::buffers::column_bands::each_band;
use crate::buffers::scratch_pool::ScratchPool;
use crate::fourier::planners::Transforms;
use hpfracc_backend::RealTransform;
use hpfracc_types::Real;
use num_complex::Complex;
use rayon::prelude::*;

/// Complex lines of a block, two real lines each: rows of two cache lines in f64.
const LINES: usize = 8;

/// Entries between lines of a block, so that the same entry of all lines is not in one cache set.
const GAP: usize = 8;

/// An axis of a field as lines: `[outer, n, inner]`, row-major.
pub(super) struct Axis<T> {
    transform: LineTransform<T>,
    outer: usize,
    inner: usize,
}

impl<T: Real> Axis<T> {
    /// Axis number `axis` of a field with these axes.
    pub(super) fn new(
        axes: &[(usize, RealTransform)],
        axis: usize,
        transforms: &Transforms,
    ) -> Self {
        let len = |axes: &[(usize, RealTransform)]| axes.iter().map(|(n, _)| n).product();
        let (n, transform) = axes[axis];
        Self {
            transform: LineTransform::new(transform, n, transforms),
            outer: len(&axes[..axis]),
            inner: len(&axes[axis + 1..]),
        }
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        self.transform.bytes()
    }

    /// Complex lines that are transformed at once.
    fn lines(&self) -> usize {
        if self.inner == 1 { 1 } else { LINES.min(self.inner.div_ceil(2)) }
    }

    /// Number of blocks that threads compute in parallel.
    pub(super) fn blocks(&self) -> usize {
        match (self.outer, self.inner) {
            (outer, 1) => outer.div_ceil(2 * LINES),
            (1, inner) => inner.div_ceil(2 * LINES),
            (outer, _) => outer,
        }
    }

    fn line_stride(&self) -> usize {
        self.transform.len() + GAP
    }

    /// Length of the scratch of a thread.
    pub(super) fn scratch_len(&self) -> usize {
        self.lines() * self.line_stride() + self.transform.scratch_len()
    }

    /// Multipliers of a field whose first axis this is, in the order of a step: those of two
    /// neighbouring lines in one.
    pub(super) fn paired(&self, multipliers: &[T], paired: &mut [Complex<T>]) {
        let n = self.transform.len();
        for (pair, values) in paired.chunks_exact_mut(n).enumerate() {
            for (k, value) in values.iter_mut().enumerate() {
                let row = &multipliers[k * self.inner..][..self.inner];
                let second = row.get(2 * pair + 1).copied().unwrap_or(T::zero());
                *value = Complex::new(row[2 * pair], second);
            }
        }
    }

    /// Number of paired multipliers.
    pub(super) fn paired_len(&self) -> usize {
        self.transform.len() * self.inner.div_ceil(2)
    }

    /// Transforms a field in place along this axis.
    pub(super) fn run(
        &self,
        step: Step<'_, T>,
        field: &mut [T],
        parallel: bool,
        pool: &ScratchPool<Complex<T>>,
    ) {
        let (n, inner) = (self.transform.len(), self.inner);
        let parallel = parallel && self.blocks() > 1;
        if inner == 1 {
            let rows = |scratch: &mut [Complex<T>], rows: &mut [T]| self.rows(step, rows, scratch);
            let len = 2 * LINES * n;
            if parallel {
                let chunks = field.par_chunks_mut(len);
                chunks.for_each_init(|| pool.lend(), |scratch, chunk| rows(scratch, chunk));
            } else {
                let mut scratch = pool.lend();
                field.chunks_mut(len).for_each(|chunk| rows(&mut scratch, chunk));
            }
        } else if parallel && self.outer > 1 {
            let slabs = field.par_chunks_exact_mut(n * inner);
            slabs.for_each(|slab| self.columns(step, slab, false, pool));
        } else {
            let slabs = field.chunks_exact_mut(n * inner);
            slabs.for_each(|slab| self.columns(step, slab, parallel, pool));
        }
    }

    /// Rows that are lines, one after the other.
    fn rows(&self, step: Step<'_, T>, rows: &mut [T], scratch: &mut [Complex<T>]) {
        let n = self.transform.len();
        let (line, scratch) = scratch.split_at_mut(n);
        let multipliers = if let Step::Multiply(all) = step { all } else { &[] };
        let [before, after] = self.places(step);
        for pair in rows.chunks_mut(2 * n) {
            let (first, second) = pair.split_at_mut(n);
            if second.is_empty() {
                for (i, a) in first.iter().enumerate() {
                    line[self.transform.place(i, before)] = Complex::new(*a, T::zero());
                }
            }
            for (i, (a, b)) in first.iter().zip(&*second).enumerate() {
                line[self.transform.place(i, before)] = Complex::new(*a, *b);
            }
            self.transform.run(step, line, multipliers, scratch);
            for (i, a) in first.iter_mut().enumerate() {
                *a = line[self.transform.place(i, after)].re;
            }
            for (i, b) in second.iter_mut().enumerate() {
                *b = line[self.transform.place(i, after)].im;
            }
        }
    }

    /// All columns of a slab of n rows.
    fn columns(
        &self,
        step: Step<'_, T>,
        slab: &mut [T],
        parallel: bool,
        pool: &ScratchPool<Complex<T>>,
    ) {
        let (n, stride) = (self.transform.len(), self.line_stride());
        let lens = (self.inner, self.inner, 2 * LINES);
        let [before, after] = self.places(step);
        each_band(
            slab,
            lens,
            parallel,
            || pool.lend(),
            |scratch, index, mut band| {
                let (lines, scratch) = scratch.split_at_mut(self.lines() * stride);
                for i in 0..n {
                    let place = self.transform.place(i, before);
                    let row = band.row(i);
                    for (pair, lines) in row.chunks(2).zip(lines.chunks_exact_mut(stride)) {
                        let second = pair.get(1).copied().unwrap_or(T::zero());
                        lines[place] = Complex::new(pair[0], second);
                    }
                }
                let count = band.row(0).len().div_ceil(2);
                for (l, line) in lines.chunks_exact_mut(stride).take(count).enumerate() {
                    let multipliers = match step {
                        Step::Multiply(all) => &all[(index * LINES + l) * n..][..n],
                        _ => &[],
                    };
                    self.transform.run(step, &mut line[..n], multipliers, scratch);
                }
                for i in 0..n {
                    let place = self.transform.place(i, after);
                    let row = band.row(i);
                    for (pair, lines) in row.chunks_mut(2).zip(lines.chunks_exact(stride)) {
                        pair[0] = lines[place].re;
                        if let Some(second) = pair.get_mut(1) {
                            *second = lines[place].im;
                        }
                    }
                }
            },
        );
    }

    /// Whether the lines are values before a step, and after it.
    fn places(&self, step: Step<'_, T>) -> [bool; 2] {
        [!matches!(step, Step::ToValues), !matches!(step, Step::ToModes)]
    }
}
