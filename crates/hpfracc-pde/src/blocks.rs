//! Loops over the points of several fields, in blocks of fixed length shared among threads: the
//! same bits for any number of them, and no allocation.

use std::array::from_fn;

/// Points of a block.
const BLOCK: usize = 4096;
/// Number of points from which blocks are shared.
const PARALLEL: usize = 1 << 15;

/// Calls `work(first point, rows)` for each block of some rows, and returns the sum of the results.
/// All rows have n values; `work` gets the part of each row in the block.
pub(crate) fn sum_blocks<const F: usize, R: Send>(
    n: usize,
    rows: [&mut [f64]; F],
    work: impl Fn(usize, usize, [&mut [f64]; F]) -> R + Sync,
    add: impl Fn(R, R) -> R + Sync,
) -> R {
    let blocks = Blocks { work, add, parallel: n >= PARALLEL };
    blocks.sum(0, n, rows)
}

/// Calls `work(first point, rows)` for each block of some rows of n values.
pub(crate) fn for_blocks<const F: usize>(
    n: usize,
    rows: [&mut [f64]; F],
    work: impl Fn(usize, [&mut [f64]; F]) + Sync,
) {
    sum_blocks(n, rows, |start, _, rows| work(start, rows), |(), ()| ());
}

struct Blocks<W, A> {
    work: W,
    add: A,
    parallel: bool,
}

impl<W, A> Blocks<W, A> {
    /// Sum over n points from `start` on, halved until one block is left.
    fn sum<const F: usize, R: Send>(&self, start: usize, n: usize, rows: [&mut [f64]; F]) -> R
    where
        W: Fn(usize, usize, [&mut [f64]; F]) -> R + Sync,
        A: Fn(R, R) -> R + Sync,
    {
        if n <= BLOCK {
            return (self.work)(start, n, rows);
        }
        let half = n.div_ceil(BLOCK) / 2 * BLOCK;
        let [lower, upper] = split(rows, half);
        let lower = || self.sum(start, half, lower);
        let upper = || self.sum(start + half, n - half, upper);
        let (lower, upper) =
            if self.parallel { rayon::join(lower, upper) } else { (lower(), upper()) };
        (self.add)(lower, upper)
    }
}

/// Splits values into F rows of n.
pub(crate) fn rows_of<const F: usize>(mut values: &mut [f64], n: usize) -> [&mut [f64]; F] {
    from_fn(|_| {
        let (row, rest) = std::mem::take(&mut values).split_at_mut(n);
        values = rest;
        row
    })
}

/// Splits each row in two.
fn split<const F: usize>(rows: [&mut [f64]; F], at: usize) -> [[&mut [f64]; F]; 2] {
    let mut upper = from_fn(|_| <&mut [f64]>::default());
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

/// Replaces each value by `f(index, value)`.
pub(crate) fn update(x: &mut [f64], f: impl Fn(usize, f64) -> f64 + Sync) {
    for_blocks(x.len(), [x], |start, [x]| {
        for (i, x) in x.iter_mut().enumerate() {
            *x = f(start + i, *x);
        }
    });
}

/// `sum_i f(i)`, by blocks.
pub(crate) fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    let block = |start: usize, count: usize, []: [&mut [f64]; 0]| {
        let (mut sums, whole) = ([0.0; 4], start + count / 4 * 4);
        for i in (start..whole).step_by(4) {
            for k in 0..4 {
                sums[k] += f(i + k);
            }
        }
        sums.iter().sum::<f64>() + (whole..start + count).map(&f).sum::<f64>()
    };
    sum_blocks(n, [], block, |a, b| a + b)
}

/// Product of two vectors.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    sum(x.len(), |i| x[i] * y[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_visit_each_point_once() {
        for n in [0, 1, BLOCK, BLOCK + 1, PARALLEL - 1, PARALLEL, 5 * PARALLEL + 3] {
            let mut values = vec![0.0; 2 * n];
            for_blocks(n, rows_of::<2>(&mut values, n), |start, [first, second]| {
                assert!(first.len() <= BLOCK && first.len() == second.len());
                for (i, (first, second)) in first.iter_mut().zip(second).enumerate() {
                    *first += (start + i) as f64;
                    *second -= (start + i) as f64;
                }
            });
            let expected = (0..n).map(|i| i as f64).chain((0..n).map(|i| -(i as f64)));
            assert!(values.iter().copied().eq(expected));
            let exact = (n * n.saturating_sub(1) / 2) as f64;
            assert_eq!(sum(n, |i| i as f64), exact);
            assert_eq!(dot(&values[..n], &vec![1.0; n]), exact);
        }
    }
}
