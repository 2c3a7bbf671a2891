//! Sums and linear combinations of fields. Sums are taken over blocks of a fixed length and then
//! over the blocks in order: the bits are the same for any number of threads.

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

/// Sum of `f(i)` over 0..n, with four partial sums a block.
pub(crate) fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
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
pub(crate) fn dot<T: Scalar>(weights: Option<&[f64]>, x: &[T], y: &[T]) -> T {
    weighted_sum(weights, x, y, |x, y| x * y)
}

/// `sum_i conj(x_i) y_i`.
pub(crate) fn inner<T: Scalar>(x: &[T], y: &[T]) -> T {
    weighted_sum(None, x, y, |x, y| x.conj() * y)
}

/// Norm of a field in the inner product with weights.
pub(crate) fn norm<T: Scalar>(weights: Option<&[f64]>, x: &[T]) -> f64 {
    weighted_sum(weights, x, x, |x, _| x.norm_sqr()).sqrt()
}

/// Replaces each value of y by `f(i, y_i)`.
pub(crate) fn update<T: Send>(y: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
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
pub(crate) fn axpy<T: Scalar>(a: T, x: &[T], y: &mut [T]) {
    update(y, |i, y| *y += a * x[i]);
}
