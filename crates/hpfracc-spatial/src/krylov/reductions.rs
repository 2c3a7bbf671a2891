//! Sums and updates of fields with the same bits for any number of threads: sums are taken over
//! blocks of 4096 values and then over the blocks in order. Threads share the blocks of fields from
//! 32768 values on.
//!
//! ```
//! use hpfracc_spatial::reductions::{axpy, dot, norm, sum, update};
//!
//! let (mut x, y) = ([3.0, 4.0], [1.0, 0.5]);
//! assert_eq!((dot(&x, &y), norm(&x), sum(2, |i| x[i] * x[i])), (5.0, 5.0, 25.0));
//! update(&mut x, |i, x| *x /= y[i]);
//! axpy(2.0, &y, &mut x);
//! assert_eq!(x, [5.0, 9.0]);
//! ```

use crate::scalar::Scalar;
use rayon::prelude::*;

/// Values of a block.
const BLOCK: usize = 4096;
/// Length from which blocks are shared among threads.
const PARALLEL: usize = 1 << 15;

/// Sum of `term(block)` over the blocks 0..n.
fn sum_of_blocks<S: Scalar>(n: usize, term: impl Fn(std::ops::Range<usize>) -> S + Sync) -> S {
    let block = |b: usize| term(b * BLOCK..((b + 1) * BLOCK).min(n));
    let blocks = 0..n.div_ceil(BLOCK);
    if n < PARALLEL {
        return blocks.map(block).sum();
    }
    blocks.into_par_iter().map(block).collect::<Vec<_>>().into_iter().sum()
}

/// `sum_i f(i)` over 0..n.
pub fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    sum_of_blocks(n, |block| {
        let (mut sums, end) = ([0.0; 4], block.start + block.len() / 4 * 4);
        for i in (block.start..end).step_by(4) {
            for k in 0..4 {
                sums[k] += f(i + k);
            }
        }
        sums.iter().sum::<f64>() + (end..block.end).map(&f).sum::<f64>()
    })
}

/// Sum of `term(x_i, y_i)` with eight partial sums, which vectorise.
fn eight_sums<T: Scalar, S: Scalar>(x: &[T], y: &[T], term: impl Fn(T, T) -> S) -> S {
    let mut sums = [S::default(); 8];
    let (xs, ys) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: S = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| term(*x, *y)).sum();
    for (x, y) in xs.zip(ys) {
        for k in 0..8 {
            sums[k] += term(x[k], y[k]);
        }
    }
    sums.into_iter().sum::<S>() + rest
}

/// Sum of `w_i term(x_i, y_i)`, with all weights 1 if there are none.
fn weighted_sum<T: Scalar, S: Scalar>(
    weights: Option<&[f64]>,
    x: &[T],
    y: &[T],
    term: impl Fn(T, T) -> S + Sync,
) -> S {
    sum_of_blocks(x.len(), |block| match weights {
        None => eight_sums(&x[block.clone()], &y[block], &term),
        Some(w) => block.map(|i| term(x[i], y[i]).scale(w[i])).sum(),
    })
}

/// `sum_i w_i x_i y_i` without conjugation, with all weights 1 if there are none.
pub(crate) fn weighted_dot<T: Scalar>(weights: Option<&[f64]>, x: &[T], y: &[T]) -> T {
    weighted_sum(weights, x, y, |x, y| x * y)
}

/// Norm of a field in the inner product with weights.
pub(crate) fn weighted_norm<T: Scalar>(weights: Option<&[f64]>, x: &[T]) -> f64 {
    weighted_sum(weights, x, x, |x, _| x.norm_sqr()).sqrt()
}

/// Inner product `sum_i conj(x_i) y_i`.
///
/// # Panics
/// If the lengths differ.
pub fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    assert_eq!(x.len(), y.len(), "lengths of the two fields");
    weighted_sum(None, x, y, |x, y| x.conj() * y)
}

/// Euclidean norm.
pub fn norm<T: Scalar>(x: &[T]) -> f64 {
    weighted_norm(None, x)
}

/// Calls `f(i, y_i)` for each value of y.
pub fn update<T: Send>(y: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    if y.len() < PARALLEL {
        y.iter_mut().enumerate().for_each(|(i, y)| f(i, y));
        return;
    }
    y.par_chunks_mut(BLOCK).enumerate().for_each(|(b, block)| {
        for (i, y) in block.iter_mut().enumerate() {
            f(b * BLOCK + i, y);
        }
    });
}

/// `y += a x`.
///
/// # Panics
/// If the lengths differ.
pub fn axpy<T: Scalar>(a: T, x: &[T], y: &mut [T]) {
    assert_eq!(x.len(), y.len(), "lengths of the two fields");
    update(y, |i, y| *y += a * x[i]);
}

/// Calls `work(start, rows)` for each block of points of several fields of n points, which follow one
/// another in `fields`: the first point of the block, and the part of each field in it. Returns the
/// results in the order of the blocks.
///
/// # Panics
/// If `fields` has not a multiple of n values.
///
/// ```
/// use hpfracc_spatial::reductions::map_blocks;
///
/// let mut fields = [1.0, 2.0, 10.0, 20.0]; // two fields of two points
/// let sums = map_blocks(2, &mut fields, |_, rows| {
///     (0..rows[0].len()).map(|i| rows[0][i] + rows[1][i]).sum::<f64>()
/// });
/// assert_eq!(sums, [33.0]);
/// ```
pub fn map_blocks<T: Send, R: Send>(
    n: usize,
    fields: &mut [T],
    work: impl Fn(usize, &mut [&mut [T]]) -> R + Sync,
) -> Vec<R> {
    assert_eq!(fields.len() % n.max(1), 0, "values beyond the last field of {n} points");
    let mut chunks: Vec<_> =
        fields.chunks_mut(n.max(1)).map(|field| field.chunks_mut(BLOCK)).collect();
    let mut block = |_| chunks.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>();
    let blocks = n.div_ceil(BLOCK);
    if n < PARALLEL {
        return (0..blocks).map(|b| work(b * BLOCK, &mut block(b))).collect();
    }
    let all: Vec<(usize, Vec<&mut [T]>)> = (0..blocks).map(|b| (b * BLOCK, block(b))).collect();
    all.into_par_iter().map(|(start, mut rows)| work(start, &mut rows)).collect()
}
