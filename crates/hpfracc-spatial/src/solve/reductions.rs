//! Sums and linear combinations of fields. Sums are taken over blocks of a fixed length and then
//! over the blocks in order: the bits are the same for any number of threads.

use num_complex::Complex64;
use rayon::prelude::*;

/// Values of a block.
const BLOCK: usize = 4096;
/// Length from which blocks are shared among threads.
const PARALLEL: usize = 1 << 15;

/// Sum of `term(block)` over the blocks 0..n.
fn sum_of_blocks<S>(n: usize, term: impl Fn(std::ops::Range<usize>) -> S + Sync) -> S
where
    S: Send + std::iter::Sum<S>,
{
    let block = |b: usize| term(b * BLOCK..((b + 1) * BLOCK).min(n));
    let blocks = 0..n.div_ceil(BLOCK);
    if n < PARALLEL {
        return blocks.map(block).sum();
    }
    blocks.into_par_iter().map(block).collect::<Vec<_>>().into_iter().sum()
}

/// Sum over i of `f(i-th pair)` with eight partial sums, which vectorise.
fn eight_sums(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (xs, ys) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in xs.zip(ys) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// `sum_i w_i x_i y_i`, with all weights 1 if there are none.
pub(crate) fn dot(weights: Option<&[f64]>, x: &[f64], y: &[f64]) -> f64 {
    sum_of_blocks(x.len(), |block| match weights {
        None => eight_sums(&x[block.clone()], &y[block]),
        Some(w) => block.map(|i| w[i] * x[i] * y[i]).sum(),
    })
}

/// `sum_i w_i x_i y_i` without conjugation.
pub(crate) fn complex_dot(weights: Option<&[f64]>, x: &[Complex64], y: &[Complex64]) -> Complex64 {
    sum_of_blocks(x.len(), |block| match weights {
        None => block.map(|i| x[i] * y[i]).sum(),
        Some(w) => block.map(|i| x[i] * y[i] * w[i]).sum(),
    })
}

/// Norm of a field in the inner product with weights.
pub(crate) fn norm(weights: Option<&[f64]>, x: &[f64]) -> f64 {
    dot(weights, x, x).sqrt()
}

/// Norm of a complex field in the inner product with weights.
pub(crate) fn complex_norm(weights: Option<&[f64]>, x: &[Complex64]) -> f64 {
    sum_of_blocks(x.len(), |block| match weights {
        None => block.map(|i| x[i].norm_sqr()).sum::<f64>(),
        Some(w) => block.map(|i| w[i] * x[i].norm_sqr()).sum(),
    })
    .sqrt()
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
pub(crate) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    update(y, |i, y| *y += a * x[i]);
}
