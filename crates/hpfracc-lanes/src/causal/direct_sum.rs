//! Direct causal sums over rows of lanes: products with triangular Toeplitz matrices.

use crate::product::few;
use crate::{LONGEST, Lanes};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Zeros before and after the weights of a table: blocks of rows then need no special ends.
pub const PADDING: usize = 7;

/// Weights by lag and the series that they act on:
///
/// ```text
/// y[n] = sum_s sum_{0 <= k < taps} w_s[k] x_s[n-k]
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DirectSum<'a, T> {
    /// Tables of `taps` weights between [`PADDING`] zeros; the table of series s begins at
    /// `s * stride`.
    pub tables: &'a [T],
    /// Distance from one table to the next.
    pub stride: usize,
    /// Weights of a table.
    pub taps: usize,
    /// Series one after the other.
    pub x: &'a [T],
    /// Number of series.
    pub series: usize,
    /// Distance from one series to the next, in rows.
    pub length: usize,
    /// Values of a row.
    pub lanes: usize,
    /// Time of the first row of a series, and the end of the times whose rows are read.
    pub times: (usize, usize),
    /// Weights of the first sample by time. Where they are given, the tables act on the differences
    /// from the first sample.
    pub first: Option<&'a [T]>,
    /// Fused multiplication and addition. Without it the bits are the same on every instruction
    /// set.
    pub fused: bool,
}

impl<T: Lanes> DirectSum<'_, T> {
    /// Adds the sums at a range of times to the rows `y`, the first of which has the first of the
    /// times.
    ///
    /// # Panics
    /// Panics if a slice is shorter than the sizes say; so do the other sums.
    pub fn convolve(self, arch: Arch, times: Range<usize>, y: &mut [T]) {
        arch.dispatch(Sums { sum: self, times, transposed: false, target: Target::Add(y) });
    }

    /// Adds `sum_s sum_k w_s[k] x_s[n+k]`, the transpose, at a range of times to the rows `y`; the
    /// weights of the first sample are ignored.
    pub fn correlate(self, arch: Arch, times: Range<usize>, y: &mut [T]) {
        arch.dispatch(Sums { sum: self, times, transposed: true, target: Target::Add(y) });
    }

    /// The inner product of the sums at all times with rows.
    pub fn inner_product(self, arch: Arch, rows: &[T]) -> T {
        let mut total = T::zero();
        let (times, target) = (self.times.0..self.times.1, Target::InnerProduct(rows, &mut total));
        arch.dispatch(Sums { sum: self, times, transposed: false, target });
        total
    }
}

/// Use of the sums.
pub enum Target<'a, T> {
    /// Added to these rows.
    Add(&'a mut [T]),
    /// Their inner product with these rows is added to the number.
    InnerProduct(&'a [T], &'a mut T),
}

struct Sums<'a, T> {
    sum: DirectSum<'a, T>,
    times: Range<usize>,
    transposed: bool,
    target: Target<'a, T>,
}

/// Bytes of a register in a set that has 32 of them.
const WIDEST: usize = 64;

impl<T: Lanes> WithSimd for Sums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // The registers that the factors leave hold sums.
        if size_of::<T::Vector<S>>() == WIDEST || cfg!(target_arch = "aarch64") {
            self.panels::<S, 8, 2>(simd);
        } else {
            self.panels::<S, 4, 2>(simd);
        }
    }
}

impl<T: Lanes> Sums<'_, T> {
    #[inline(always)]
    fn panels<S: Simd, const M: usize, const N: usize>(&mut self, simd: S) {
        let (lanes, all) = (T::count::<S>(), self.sum.lanes);
        let mut lane = 0;
        while lane < all {
            let left = all - lane;
            let width = if left >= N * lanes { N * lanes } else { left.min(lanes) };
            for time in self.times.clone().step_by(M) {
                let at = At { time, height: M.min(self.times.end - time), lane, width };
                match (width == N * lanes, self.sum.fused) {
                    (true, true) => simd.vectorize(Block::<T, M, N, true>(self.reborrow(), at)),
                    (true, false) => simd.vectorize(Block::<T, M, N, false>(self.reborrow(), at)),
                    (false, true) => simd.vectorize(Block::<T, M, 1, true>(self.reborrow(), at)),
                    (false, false) => simd.vectorize(Block::<T, M, 1, false>(self.reborrow(), at)),
                }
            }
            lane += width;
        }
    }

    #[inline(always)]
    fn reborrow(&mut self) -> Sums<'_, T> {
        let target = match &mut self.target {
            Target::Add(y) => Target::Add(y),
            Target::InnerProduct(rows, total) => Target::InnerProduct(rows, total),
        };
        Sums { times: self.times.clone(), target, ..*self }
    }
}

#[derive(Clone, Copy)]
struct At {
    time: usize,
    /// Times that are stored, at most M.
    height: usize,
    lane: usize,
    /// Lanes: `N` registers, or at most one.
    width: usize,
}

/// `M` times and `N` registers of lanes. A function of its own: within a large one the compiler
/// spills.
struct Block<'a, T, const M: usize, const N: usize, const FUSED: bool>(Sums<'a, T>, At);

impl<T: Lanes, const M: usize, const N: usize, const FUSED: bool> WithSimd
    for Block<'_, T, M, N, FUSED>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(Sums { sum, times, transposed, target }, at) = self;
        let sums = if transposed {
            sum.future::<S, M, N, FUSED>(simd, at)
        } else if let Some(first) = sum.first {
            sum.past_from_first::<S, M, N, FUSED>(simd, at, first)
        } else {
            sum.past::<S, M, N, FUSED>(simd, at, |line| line)
        };
        let count = T::count::<S>();
        let row = |m: usize| (at.time + m - times.start) * sum.lanes + at.lane;
        match target {
            Target::Add(y) => {
                for (m, sums) in sums.iter().enumerate().take(at.height) {
                    let line = &mut y[row(m)..][..at.width];
                    for (part, sum) in line.chunks_mut(count).zip(sums) {
                        let present = load_some::<T, S>(part);
                        T::store::<S>(part, T::sum(simd, *sum, present));
                    }
                }
            }
            Target::InnerProduct(rows, total) => {
                let mut total_lanes = T::splat(simd, T::zero());
                for (m, sums) in sums.iter().enumerate().take(at.height) {
                    let line = &rows[row(m)..][..at.width];
                    for (part, sum) in line.chunks(count).zip(sums) {
                        // Beyond the last lane there may be anything in a sum.
                        let mut own = [T::zero(); LONGEST];
                        T::store::<S>(&mut own[..part.len()], *sum);
                        let own = T::load::<S>(&own[..count]);
                        total_lanes = T::fused(simd, own, load_some::<T, S>(part), total_lanes);
                    }
                }
                *total += T::total(simd, total_lanes);
            }
        }
    }
}

/// A register of at most as many numbers as it has lanes.
#[inline(always)]
pub(super) fn load_some<T: Lanes, S: Simd>(part: &[T]) -> T::Vector<S> {
    if part.len() == T::count::<S>() { T::load::<S>(part) } else { few::<T, S>(part) }
}

/// `a * b + c` with one rounding where the instruction set has it, or with two everywhere.
#[inline(always)]
fn multiply_add<T: Lanes, S: Simd, const FUSED: bool>(
    simd: S,
    a: T::Vector<S>,
    b: T::Vector<S>,
    c: T::Vector<S>,
) -> T::Vector<S> {
    if FUSED { T::fused(simd, a, b, c) } else { T::sum(simd, T::product(simd, a, b), c) }
}

impl<T: Lanes> DirectSum<'_, T> {
    /// Registers of a row of a series from a lane on; beyond the last lane they have what follows
    /// the row, which no result reads.
    #[inline(always)]
    fn line<S: Simd, const N: usize>(
        self,
        series: usize,
        row: usize,
        lane: usize,
    ) -> [T::Vector<S>; N] {
        let count = T::count::<S>();
        let rest = &self.x[(series * self.length + row) * self.lanes + lane..];
        if rest.len() >= N * count {
            std::array::from_fn(|n| T::load::<S>(&rest[n * count..][..count]))
        } else {
            [few::<T, S>(rest); N]
        }
    }

    /// The sums over the past of M times.
    #[inline(always)]
    fn past<S: Simd, const M: usize, const N: usize, const FUSED: bool>(
        self,
        simd: S,
        At { time, lane, .. }: At,
        map: impl Fn([T::Vector<S>; N]) -> [T::Vector<S>; N],
    ) -> [[T::Vector<S>; N]; M] {
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let (start_time, end) = self.times;
        let times = start_time.max((time + 1).saturating_sub(self.taps))..end.min(time + M);
        for s in 0..self.series {
            for past in times.clone() {
                let line = map(self.line::<S, N>(s, past - start_time, lane));
                let weights = &self.tables[s * self.stride + PADDING + time - past..][..M];
                for m in 0..M {
                    let weight = T::splat(simd, weights[m]);
                    for n in 0..N {
                        sums[m][n] = multiply_add::<T, S, FUSED>(simd, weight, line[n], sums[m][n]);
                    }
                }
            }
        }
        sums
    }

    /// The same for differences from the first sample.
    #[inline(always)]
    fn past_from_first<S: Simd, const M: usize, const N: usize, const FUSED: bool>(
        self,
        simd: S,
        at: At,
        first: &[T],
    ) -> [[T::Vector<S>; N]; M] {
        let start = self.line::<S, N>(0, 0, at.lane);
        let mut sums = self.past::<S, M, N, FUSED>(simd, at, |line| {
            std::array::from_fn(|n| T::difference(simd, line[n], start[n]))
        });
        for m in 0..at.height {
            let weight = T::splat(simd, first[at.time + m]);
            for n in 0..N {
                sums[m][n] = multiply_add::<T, S, FUSED>(simd, weight, start[n], sums[m][n]);
            }
        }
        sums
    }

    /// The sums over the future of M times.
    #[inline(always)]
    fn future<S: Simd, const M: usize, const N: usize, const FUSED: bool>(
        self,
        simd: S,
        At { time, lane, .. }: At,
    ) -> [[T::Vector<S>; N]; M] {
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let (start_time, end) = self.times;
        let times = start_time.max(time)..end.min(time + M - 1 + self.taps);
        for s in 0..self.series {
            for later in times.clone() {
                let line = self.line::<S, N>(s, later - start_time, lane);
                let weights = &self.tables[s * self.stride + PADDING + later - time + 1 - M..][..M];
                for m in 0..M {
                    let weight = T::splat(simd, weights[M - 1 - m]);
                    for n in 0..N {
                        sums[m][n] = multiply_add::<T, S, FUSED>(simd, weight, line[n], sums[m][n]);
                    }
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::numbers;

    /// Against the sums as they are written, in small integers: exact in any order.
    #[test]
    fn against_loops() {
        fn check<T: Lanes>() {
            let arch = Arch::new();
            for length in [1, 2, 7, 8, 9, 19] {
                for lanes in [1, 2, 15, 16, 17, 33, 70] {
                    for (series, taps) in [(1, length), (2, 3.min(length)), (3, 1)] {
                        shape::<T>(arch, length, lanes, series, taps);
                    }
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }

    fn shape<T: Lanes>(arch: Arch, length: usize, lanes: usize, series: usize, taps: usize) {
        let stride = taps + 2 * PADDING;
        let mut tables = vec![T::zero(); series * stride];
        for (s, table) in tables.chunks_mut(stride).enumerate() {
            table[PADDING..][..taps].copy_from_slice(&numbers::<T>(taps + 5 * s)[5 * s..]);
        }
        let x = numbers::<T>(series * length * lanes);
        let y = numbers::<T>(length * lanes);
        let c = numbers::<T>(length);
        for times in [(0, length), (0, length / 2), (length / 3, length)] {
            for first in [None, Some(c.as_slice())] {
                if first.is_some() && (series > 1 || times != (0, length)) {
                    continue;
                }
                let x = &x[times.0 * lanes..];
                let tables = &tables;
                let sum = DirectSum {
                    tables,
                    stride,
                    taps,
                    x,
                    series,
                    length,
                    lanes,
                    times,
                    first,
                    fused: true,
                };
                let (mut past, mut future) = (y.clone(), y.clone());
                for (n, lane) in (0..length).flat_map(|n| (0..lanes).map(move |lane| (n, lane))) {
                    for s in 0..series {
                        let at = |n: usize| x[(s * length + n - times.0) * lanes + lane];
                        let start = if first.is_some() { at(0) } else { T::zero() };
                        for k in 0..taps {
                            let w = tables[s * stride + PADDING + k];
                            if n >= k && (times.0..times.1).contains(&(n - k)) {
                                past[n * lanes + lane] += w * (at(n - k) - start);
                            }
                            if (times.0..times.1).contains(&(n + k)) {
                                future[n * lanes + lane] += w * at(n + k);
                            }
                        }
                        if let Some(c) = first {
                            past[n * lanes + lane] += c[n] * start;
                        }
                    }
                }
                let from = length / 3;
                let mut found = y.clone();
                sum.convolve(arch, from..length, &mut found[from * lanes..]);
                sum.convolve(arch, 0..from, &mut found);
                assert_eq!(found, past, "{length} {lanes} {series} {taps}");
                if times == (0, length) {
                    let meeting = past.iter().zip(&y).zip(&y);
                    let exact =
                        meeting.fold(T::zero(), |total, ((p, a), b)| total + (*p - *a) * *b);
                    assert_eq!(
                        sum.inner_product(arch, &y),
                        exact,
                        "{length} {lanes} {series} {taps}"
                    );
                }
                let mut found = y.clone();
                sum.correlate(arch, from..length, &mut found[from * lanes..]);
                sum.correlate(arch, 0..from, &mut found);
                assert_eq!(found, future, "{length} {lanes} {series} {taps}");
            }
        }
    }
}
