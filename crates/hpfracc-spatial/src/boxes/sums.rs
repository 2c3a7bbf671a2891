//! Sums of products in an order that does not depend on the number of threads.

use super::value::Value;
use rayon::prelude::*;

/// Number of values of a block, whose sum one thread computes.
const BLOCK: usize = 4096;

/// `sum_i x_i y_i`, without complex conjugation.
pub(crate) fn dot<T: Value>(x: &[T], y: &[T]) -> T {
    sum(x.len(), |range| {
        let (x, y) = (&x[range.clone()], &y[range]);
        accumulate(x.len(), |i| x[i] * y[i])
    })
}

/// `(sum_i |x_i|^2)^(1/2)`.
pub(crate) fn norm<T: Value>(x: &[T]) -> f64 {
    let squares = |range: std::ops::Range<usize>| {
        let x = &x[range];
        accumulate(x.len(), |i| x[i].norm_sqr())
    };
    sum(x.len(), squares).sqrt()
}

/// Sum of the sums of fixed blocks, in their order.
fn sum<T: Value>(n: usize, block: impl Fn(std::ops::Range<usize>) -> T + Sync) -> T {
    let range = |k: usize| k * BLOCK..n.min((k + 1) * BLOCK);
    let blocks = n.div_ceil(BLOCK);
    let sums: Vec<T> = if blocks < 4 {
        (0..blocks).map(|k| block(range(k))).collect()
    } else {
        (0..blocks).into_par_iter().map(|k| block(range(k))).collect()
    };
    sums.into_iter().fold(T::default(), |a, b| a + b)
}

/// Sum with eight accumulators, which the compiler keeps in vector registers.
fn accumulate<T: Value>(n: usize, term: impl Fn(usize) -> T) -> T {
    let mut sums = [T::default(); 8];
    for start in (0..n / 8 * 8).step_by(8) {
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum += term(start + k);
        }
    }
    for i in n / 8 * 8..n {
        sums[i % 8] += term(i);
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
