//! Loops over the points of several fields, in blocks of fixed length shared among threads: the same
//! bits for any number of them.

use rayon::prelude::*;

/// Points of a block.
const BLOCK: usize = 4096;
/// Number of points from which blocks are shared.
const PARALLEL: usize = 1 << 15;

/// Calls `work` with the first point of each block and the part of each row of `rows` in it, and
/// returns the results in order. A row has n values.
pub(crate) fn map_blocks<R: Send>(
    n: usize,
    rows: &mut [f64],
    work: impl Fn(usize, &mut [&mut [f64]]) -> R + Sync,
) -> Vec<R> {
    let mut chunks: Vec<_> = rows.chunks_mut(n.max(1)).map(|row| row.chunks_mut(BLOCK)).collect();
    let mut block = |_: usize| chunks.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>();
    let blocks = n.div_ceil(BLOCK);
    if n < PARALLEL {
        return (0..blocks).map(|b| work(b * BLOCK, &mut block(b))).collect();
    }
    let all: Vec<(usize, Vec<&mut [f64]>)> = (0..blocks).map(|b| (b * BLOCK, block(b))).collect();
    all.into_par_iter().map(|(start, mut rows)| work(start, &mut rows)).collect()
}

/// Replaces each value by `f(index, value)`.
pub(crate) fn update(x: &mut [f64], f: impl Fn(usize, f64) -> f64 + Sync) {
    let n = x.len();
    map_blocks(n, x, |start, rows| {
        for (i, x) in rows[0].iter_mut().enumerate() {
            *x = f(start + i, *x);
        }
    });
}

/// `sum_i f(i)`, by blocks.
pub(crate) fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    let block = |b: usize| -> f64 {
        let (mut sums, range) = ([0.0; 4], b * BLOCK..((b + 1) * BLOCK).min(n));
        let end = range.start + range.len() / 4 * 4;
        for i in (range.start..end).step_by(4) {
            for k in 0..4 {
                sums[k] += f(i + k);
            }
        }
        sums.iter().sum::<f64>() + (end..range.end).map(&f).sum::<f64>()
    };
    let blocks = n.div_ceil(BLOCK);
    if n < PARALLEL {
        return (0..blocks).map(block).sum();
    }
    (0..blocks).into_par_iter().map(block).collect::<Vec<_>>().into_iter().sum()
}

/// Product of two vectors.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    sum(x.len(), |i| x[i] * y[i])
}
