//! Transforms of all lines along an axis of a field, in blocks that fit into the cache.
//!
//! Each line is transformed on its own, so that the results have the same bits for any number of
//! threads.

use super::grid::Layout;
use super::value::Value;
use crate::chunks::{PARALLEL, for_each_chunk};
use num_complex::Complex64;
use rayon::prelude::*;

/// Complex lines of a block: 16 real or 8 complex values are two cache lines of a field.
const COMPLEX_LINES: usize = 8;

/// Calls `f` with the complex lines along an axis of a field and overwrites them with what it
/// leaves. `f(first, line, scratch)`: the number of the first line in the complex line, the line of
/// n values, and a scratch of the given length. `work` has as many values as the field.
pub(crate) fn along_axis<T: Value>(
    x: &mut [T],
    layout: Layout,
    work: &mut [T],
    scratch_len: usize,
    f: impl Fn(usize, &mut [Complex64], &mut [Complex64]) + Sync,
) {
    let Layout { n, inner, .. } = layout;
    let block = COMPLEX_LINES * T::PER_COMPLEX;
    // Lines of the last axis are complex one by one, those of other axes in blocks.
    let lines = if inner == 1 { 1 } else { COMPLEX_LINES };
    let new_scratch = || vec![Complex64::default(); lines * n + scratch_len];
    if inner == 1 {
        let rows = |scratch: &mut Vec<Complex64>, k: usize, chunk: &mut [T]| {
            let pairs = chunk.chunks_mut(n * T::PER_COMPLEX);
            for (pair, lines) in pairs.enumerate() {
                let (line, rest) = scratch.split_at_mut(n);
                join_lines(lines, line);
                f(k * block + pair * T::PER_COMPLEX, line, rest);
                split_lines(line, lines);
            }
        };
        for_each_chunk(x, n * block, new_scratch, rows);
        return;
    }
    let slab = |(outer, (x, work)): (usize, (&mut [T], &mut [T]))| {
        let from = &*x;
        let columns = |scratch: &mut Vec<Complex64>, k: usize, chunk: &mut [T]| {
            let (lines, rest) = scratch.split_at_mut(COMPLEX_LINES * n);
            let count = chunk.len() / n;
            gather(from, inner, k * block, count, lines);
            for (pair, values) in chunk.chunks_mut(n * T::PER_COMPLEX).enumerate() {
                let line = &mut lines[pair * n..][..n];
                f(outer * inner + k * block + pair * T::PER_COMPLEX, line, rest);
                split_lines(line, values);
            }
        };
        for_each_chunk(work, n * block, new_scratch, columns);
        let from = &*work;
        let rows = |_: &mut (), k: usize, chunk: &mut [T]| scatter(from, n, inner, k, chunk);
        for_each_chunk(x, inner * ROWS, || (), rows);
    };
    let parallel = layout.outer > 1 && x.len() >= PARALLEL;
    let slabs = x.chunks_mut(n * inner).zip(work.chunks_mut(n * inner)).enumerate();
    if parallel {
        slabs.collect::<Vec<_>>().into_par_iter().for_each(slab);
    } else {
        slabs.for_each(slab);
    }
}

/// A complex line of one or two lines, one after the other in a field.
fn join_lines<T: Value>(lines: &[T], line: &mut [Complex64]) {
    let n = line.len();
    match lines.split_at(n) {
        (first, []) => line.iter_mut().zip(first).for_each(|(z, a)| *z = T::join(&[*a])),
        (first, second) => {
            let values = first.iter().zip(second);
            line.iter_mut().zip(values).for_each(|(z, (a, b))| *z = T::join(&[*a, *b]));
        }
    }
}

/// The one or two lines of a complex line.
fn split_lines<T: Value>(line: &[Complex64], lines: &mut [T]) {
    let n = line.len();
    let mut pair = [T::default(); 2];
    match lines.split_at_mut(n) {
        (first, []) => {
            for (z, a) in line.iter().zip(first) {
                T::split(*z, &mut pair[..1]);
                *a = pair[0];
            }
        }
        (first, second) => {
            for (z, (a, b)) in line.iter().zip(first.iter_mut().zip(second)) {
                T::split(*z, &mut pair);
                [*a, *b] = pair;
            }
        }
    }
}

/// Complex lines of `count` columns from `first` of a slab of rows of `inner` values.
fn gather<T: Value>(x: &[T], inner: usize, first: usize, count: usize, lines: &mut [Complex64]) {
    let n = x.len() / inner;
    for (i, row) in x.chunks_exact(inner).enumerate() {
        let values = row[first..first + count].chunks(T::PER_COMPLEX);
        for (pair, values) in values.enumerate() {
            lines[pair * n + i] = T::join(values);
        }
    }
}

/// Rows of a slab that are written at once.
const ROWS: usize = 8;

/// Writes chunk k of [`ROWS`] rows of a slab from its transpose, lines of n values.
fn scatter<T: Value>(transposed: &[T], n: usize, inner: usize, k: usize, chunk: &mut [T]) {
    let first = k * ROWS;
    for (j, line) in transposed.chunks_exact(n).enumerate() {
        let values = &line[first..first + chunk.len() / inner];
        for (i, value) in values.iter().enumerate() {
            chunk[i * inner + j] = *value;
        }
    }
}
