//! Sums over the past of series whose times are rows: products with triangular Toeplitz matrices.

use super::product::few;
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Zeros before and behind the weights of a table: blocks of rows then need no ends of their own.
pub(crate) const AROUND: usize = 7;

/// Weights by lag, and the series that they meet:
///
/// ```text
/// y[n] = sum_s sum_{0 <= k < taps} w_s[k] x_s[n-k]
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Causal<'a, T> {
    /// Tables of `taps` weights between [`AROUND`] zeros; the one of series s begins at `s * apart`.
    pub(crate) tables: &'a [T],
    /// From one table to the next.
    pub(crate) apart: usize,
    /// Weights of a table.
    pub(crate) taps: usize,
    /// Series one behind the other.
    pub(crate) x: &'a [T],
    /// Number of series.
    pub(crate) series: usize,
    /// From one series to the next, in rows.
    pub(crate) length: usize,
    /// Numbers of a row.
    pub(crate) lanes: usize,
    /// The time of the first row of a series, and the first time that no row is read of.
    pub(crate) known: (usize, usize),
    /// What is added for the first sample, by time. Where it is given, the weights meet the differences
    /// from the first sample.
    pub(crate) first: Option<&'a [T]>,
}

impl<T: Lanes> Causal<'_, T> {
    /// Adds the sums at some times to the rows `y`, the first of which has the first of the times.
    pub(crate) fn convolve(self, arch: Arch, times: Range<usize>, y: &mut [T]) {
        arch.dispatch(Sums { causal: self, times, back: false, target: Target::Add(y) });
    }

    /// Adds `sum_s sum_k w_s[k] x_s[n+k]`, the transpose, at some times to the rows `y`; without regard to
    /// what is added for the first sample.
    pub(crate) fn correlate(self, arch: Arch, times: Range<usize>, y: &mut [T]) {
        arch.dispatch(Sums { causal: self, times, back: true, target: Target::Add(y) });
    }

    /// The inner product of the sums at the known times with rows.
    pub(crate) fn meet(self, arch: Arch, rows: &[T]) -> T {
        let mut total = T::zero();
        let (times, target) = (self.known.0..self.known.1, Target::Meet(rows, &mut total));
        arch.dispatch(Sums { causal: self, times, back: false, target });
        total
    }
}

/// What becomes of sums.
pub(crate) enum Target<'a, T> {
    /// They are added to these rows.
    Add(&'a mut [T]),
    /// Their inner product with these rows is added.
    Meet(&'a [T], &'a mut T),
}

struct Sums<'a, T> {
    causal: Causal<'a, T>,
    times: Range<usize>,
    back: bool,
    target: Target<'a, T>,
}

/// Bytes of a register in a set that has 32 of them.
const WIDEST: usize = 64;

impl<T: Lanes> WithSimd for Sums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many sums in registers as there is room for beside the factors.
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
        let (lanes, all) = (T::count::<S>(), self.causal.lanes);
        let mut lane = 0;
        while lane < all {
            let left = all - lane;
            let width = if left >= N * lanes { N * lanes } else { left.min(lanes) };
            for time in self.times.clone().step_by(M) {
                let at = At { time, height: M.min(self.times.end - time), lane, width };
                if width == N * lanes {
                    simd.vectorize(Block::<T, M, N>(self.reborrow(), at));
                } else {
                    simd.vectorize(Block::<T, M, 1>(self.reborrow(), at));
                }
            }
            lane += width;
        }
    }

    #[inline(always)]
    fn reborrow(&mut self) -> Sums<'_, T> {
        let target = match &mut self.target {
            Target::Add(y) => Target::Add(y),
            Target::Meet(rows, total) => Target::Meet(rows, total),
        };
        Sums { times: self.times.clone(), target, ..*self }
    }
}

#[derive(Clone, Copy)]
struct At {
    time: usize,
    /// Times that are wanted, at most as many as are computed.
    height: usize,
    lane: usize,
    /// Lanes: `N` registers, or at most one.
    width: usize,
}

/// `M` times and `N` registers of lanes. A function of its own: within a large one the compiler spills.
struct Block<'a, T, const M: usize, const N: usize>(Sums<'a, T>, At);

impl<T: Lanes, const M: usize, const N: usize> WithSimd for Block<'_, T, M, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(Sums { causal, times, back, target }, at) = self;
        let sums = if back {
            causal.ahead::<S, M, N>(simd, at)
        } else if let Some(first) = causal.first {
            causal.past_from_first::<S, M, N>(simd, at, first)
        } else {
            causal.past::<S, M, N>(simd, at, |line| line)
        };
        let count = T::count::<S>();
        let row = |m: usize| (at.time + m - times.start) * causal.lanes + at.lane;
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
            Target::Meet(rows, total) => {
                let mut together = T::splat(simd, T::zero());
                for (m, sums) in sums.iter().enumerate().take(at.height) {
                    let line = &rows[row(m)..][..at.width];
                    for (part, sum) in line.chunks(count).zip(sums) {
                        // Beyond the last lane there may be anything in a sum.
                        let mut own = [T::zero(); LONGEST];
                        T::store::<S>(&mut own[..part.len()], *sum);
                        let own = T::load::<S>(&own[..count]);
                        together = T::fused(simd, own, load_some::<T, S>(part), together);
                    }
                }
                *total += T::total(simd, together);
            }
        }
    }
}

/// A register of at most as many numbers as it has lanes.
#[inline(always)]
pub(super) fn load_some<T: Lanes, S: Simd>(part: &[T]) -> T::Vector<S> {
    if part.len() == T::count::<S>() { T::load::<S>(part) } else { few::<T, S>(part) }
}

impl<T: Lanes> Causal<'_, T> {
    /// Registers of a row of a series from a lane on. Beyond the last lane of a row there is what follows it, and no
    /// matter.
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
    fn past<S: Simd, const M: usize, const N: usize>(
        self,
        simd: S,
        At { time, lane, .. }: At,
        counted: impl Fn([T::Vector<S>; N]) -> [T::Vector<S>; N],
    ) -> [[T::Vector<S>; N]; M] {
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let (known, end) = self.known;
        let times = known.max((time + 1).saturating_sub(self.taps))..end.min(time + M);
        for s in 0..self.series {
            for past in times.clone() {
                let line = counted(self.line::<S, N>(s, past - known, lane));
                let weights = &self.tables[s * self.apart + AROUND + time - past..][..M];
                for m in 0..M {
                    let weight = T::splat(simd, weights[m]);
                    for n in 0..N {
                        sums[m][n] = T::fused(simd, weight, line[n], sums[m][n]);
                    }
                }
            }
        }
        sums
    }

    /// The same with samples counted from the first one.
    #[inline(always)]
    fn past_from_first<S: Simd, const M: usize, const N: usize>(
        self,
        simd: S,
        at: At,
        first: &[T],
    ) -> [[T::Vector<S>; N]; M] {
        let start = self.line::<S, N>(0, 0, at.lane);
        let mut sums = self.past::<S, M, N>(simd, at, |line| {
            std::array::from_fn(|n| T::difference(simd, line[n], start[n]))
        });
        for m in 0..at.height {
            let weight = T::splat(simd, first[at.time + m]);
            for n in 0..N {
                sums[m][n] = T::fused(simd, weight, start[n], sums[m][n]);
            }
        }
        sums
    }

    /// The sums over what is ahead of M times.
    #[inline(always)]
    fn ahead<S: Simd, const M: usize, const N: usize>(
        self,
        simd: S,
        At { time, lane, .. }: At,
    ) -> [[T::Vector<S>; N]; M] {
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let (known, end) = self.known;
        let times = known.max(time)..end.min(time + M - 1 + self.taps);
        for s in 0..self.series {
            for ahead in times.clone() {
                let line = self.line::<S, N>(s, ahead - known, lane);
                let weights = &self.tables[s * self.apart + AROUND + ahead - time + 1 - M..][..M];
                for m in 0..M {
                    let weight = T::splat(simd, weights[M - 1 - m]);
                    for n in 0..N {
                        sums[m][n] = T::fused(simd, weight, line[n], sums[m][n]);
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

    fn numbers<T: Lanes>(n: usize) -> Vec<T> {
        (0..n).map(|i| T::narrow(((i * 37 + 11) % 23) as f64 - 11.0)).collect()
    }

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
        let apart = taps + 2 * AROUND;
        let mut tables = vec![T::zero(); series * apart];
        for (s, table) in tables.chunks_mut(apart).enumerate() {
            table[AROUND..][..taps].copy_from_slice(&numbers::<T>(taps + 5 * s)[5 * s..]);
        }
        let x = numbers::<T>(series * length * lanes);
        let y = numbers::<T>(length * lanes);
        let c = numbers::<T>(length);
        for known in [(0, length), (0, length / 2), (length / 3, length)] {
            for first in [None, Some(c.as_slice())] {
                if first.is_some() && (series > 1 || known != (0, length)) {
                    continue;
                }
                let x = &x[known.0 * lanes..];
                let tables = &tables;
                let causal = Causal { tables, apart, taps, x, series, length, lanes, known, first };
                let (mut past, mut ahead) = (y.clone(), y.clone());
                for (n, lane) in (0..length).flat_map(|n| (0..lanes).map(move |lane| (n, lane))) {
                    for s in 0..series {
                        let at = |n: usize| x[(s * length + n - known.0) * lanes + lane];
                        let start = if first.is_some() { at(0) } else { T::zero() };
                        for k in 0..taps {
                            let w = tables[s * apart + AROUND + k];
                            if n >= k && (known.0..known.1).contains(&(n - k)) {
                                past[n * lanes + lane] += w * (at(n - k) - start);
                            }
                            if (known.0..known.1).contains(&(n + k)) {
                                ahead[n * lanes + lane] += w * at(n + k);
                            }
                        }
                        if let Some(c) = first {
                            past[n * lanes + lane] += c[n] * start;
                        }
                    }
                }
                let from = length / 3;
                let mut found = y.clone();
                causal.convolve(arch, from..length, &mut found[from * lanes..]);
                causal.convolve(arch, 0..from, &mut found);
                assert_eq!(found, past, "{length} {lanes} {series} {taps}");
                if known == (0, length) {
                    let meeting = past.iter().zip(&y).zip(&y);
                    let exact = meeting.fold(T::zero(), |sum, ((p, a), b)| sum + (*p - *a) * *b);
                    assert_eq!(causal.meet(arch, &y), exact, "{length} {lanes} {series} {taps}");
                }
                let mut found = y.clone();
                causal.correlate(arch, from..length, &mut found[from * lanes..]);
                causal.correlate(arch, 0..from, &mut found);
                assert_eq!(found, ahead, "{length} {lanes} {series} {taps}");
            }
        }
    }
}
