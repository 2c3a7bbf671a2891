//! Sums and updates of fields with the same bits for any number of threads: sums are taken over
//! blocks of 4096 values and then over halves of the blocks. Threads share the blocks of fields from
//! 131072 values on. Nothing is allocated.
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

use crate::chunks::PARALLEL;
use crate::scalar::Scalar;
use std::array::from_fn;
use std::ops::Range;

/// Points of a block.
const BLOCK: usize = 4096;

/// Calls `work(points, rows)` for each block of some rows of n values, and returns the sum of the
/// results. Row k of a block is that part of row k.
///
/// ```
/// use hpfracc_spatial::reductions::{rows_of, sum_blocks};
///
/// let mut fields = [1.0, 2.0, 10.0, 20.0]; // two fields of two points
/// let rows = rows_of::<2, _>(&mut fields, 2);
/// let total = |_, [one, other]: [&mut [f64]; 2]| -> f64 { one.iter().chain(&*other).sum() };
/// assert_eq!(sum_blocks(2, rows, total, |a, b| a + b), 33.0);
/// ```
pub fn sum_blocks<const F: usize, T: Send, R: Send>(
    n: usize,
    rows: [&mut [T]; F],
    work: impl Fn(Range<usize>, [&mut [T]; F]) -> R + Sync,
    add: impl Fn(R, R) -> R + Sync,
) -> R {
    Blocks { work, add, parallel: n >= PARALLEL }.sum(0..n, rows)
}

/// Calls `work(points, rows)` for each block of some rows of n values.
pub fn for_blocks<const F: usize, T: Send>(
    n: usize,
    rows: [&mut [T]; F],
    work: impl Fn(Range<usize>, [&mut [T]; F]) + Sync,
) {
    sum_blocks(n, rows, work, |(), ()| ());
}

/// The first F rows of n values.
///
/// # Panics
/// If there are fewer values.
pub fn rows_of<const F: usize, T>(mut values: &mut [T], n: usize) -> [&mut [T]; F] {
    from_fn(|_| {
        let (row, rest) = std::mem::take(&mut values).split_at_mut(n);
        values = rest;
        row
    })
}

struct Blocks<W, A> {
    work: W,
    add: A,
    parallel: bool,
}

impl<W, A> Blocks<W, A> {
    /// Of a range of points, halved until one block is left.
    fn sum<const F: usize, T: Send, R: Send>(&self, range: Range<usize>, rows: [&mut [T]; F]) -> R
    where
        W: Fn(Range<usize>, [&mut [T]; F]) -> R + Sync,
        A: Fn(R, R) -> R + Sync,
    {
        if range.len() <= BLOCK {
            return (self.work)(range, rows);
        }
        let half = range.len().div_ceil(BLOCK) / 2 * BLOCK;
        let middle = range.start + half;
        let [lower, upper] = split(rows, half);
        let lower = || self.sum(range.start..middle, lower);
        let upper = || self.sum(middle..range.end, upper);
        let (lower, upper) =
            if self.parallel { rayon::join(lower, upper) } else { (lower(), upper()) };
        (self.add)(lower, upper)
    }
}

/// Splits each row.
fn split<const F: usize, T>(rows: [&mut [T]; F], at: usize) -> [[&mut [T]; F]; 2] {
    let mut upper = from_fn(|_| <&mut [T]>::default());
    let mut ends = upper.iter_mut();
    let lower = rows.map(|row| {
        let (lower, end) = row.split_at_mut(at);
        if let Some(upper) = ends.next() {
            *upper = end;
        }
        lower
    });
    [lower, upper]
}

/// Sum of `term(block)` over the blocks of n points.
fn sum_of_blocks<S: Scalar>(n: usize, term: impl Fn(Range<usize>) -> S + Sync) -> S {
    sum_blocks::<0, S, S>(n, [], |block, []| term(block), |a, b| a + b)
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
    for_blocks(y.len(), [y], |block, [y]| {
        y.iter_mut().zip(block).for_each(|(y, i)| f(i, y));
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
