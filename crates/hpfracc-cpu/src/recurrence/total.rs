//! Reduction of a row of sums to one number for each sample.

use super::nodes::row;
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::Simd;

/// Number of rows that are reduced together.
pub(super) const AT_ONCE: usize = 4;

/// Quads of the longest row.
const QUADS: usize = 4;

/// `d s` and the sum of a row, for each sample: neighbours first, then pairs, then quads. `sums`
/// has whole fours of rows.
#[inline(always)]
pub(super) fn total<T: Lanes, S: Simd>(
    simd: S,
    d: T,
    samples: &[T],
    sums: &[T],
    outputs: &mut [T],
) {
    let mut rows = sums.chunks_exact(AT_ONCE * row::<T>());
    let (outputs, last_outputs) = outputs.as_chunks_mut::<AT_ONCE>();
    let (samples, last_samples) = samples.as_chunks::<AT_ONCE>();
    for ((outputs, samples), rows) in outputs.iter_mut().zip(samples).zip(&mut rows) {
        *outputs = four::<T, S>(simd, d, *samples, rows);
    }
    if let Some(rows) = rows.next() {
        let mut samples = [T::zero(); AT_ONCE];
        for (sample, &last) in samples.iter_mut().zip(last_samples) {
            *sample = last;
        }
        let totals = four::<T, S>(simd, d, samples, rows);
        for (output, total) in last_outputs.iter_mut().zip(totals) {
            *output = total;
        }
    }
}

#[inline(always)]
fn four<T: Lanes, S: Simd>(simd: S, d: T, samples: [T; AT_ONCE], rows: &[T]) -> [T; AT_ONCE] {
    let quads = if T::count::<S>() < 4 { one_by_one(rows) } else { together::<T, S>(simd, rows) };
    let mut totals = [T::zero(); AT_ONCE];
    for i in 0..AT_ONCE {
        let pairs = quads[0][i] + quads[1][i];
        let sum = if row::<T>() > 8 { pairs + (quads[2][i] + quads[3][i]) } else { pairs };
        totals[i] = d * samples[i] + sum;
    }
    totals
}

/// The sums of the quads of four rows: of the first quads, of the second, and so on.
type Quads<T> = [[T; AT_ONCE]; QUADS];

#[inline(always)]
fn together<T: Lanes, S: Simd>(simd: S, rows: &[T]) -> Quads<T> {
    let lanes = T::count::<S>();
    let order = order::<T, S>(simd);
    let mut quads = [[T::zero(); AT_ONCE]; QUADS];
    for part in (0..row::<T>()).step_by(lanes) {
        let [a, b, c, d] = T::quads_apart(simd, registers::<T, S>(simd, &rows[part..], row::<T>()));
        let sum = T::sum(simd, T::sum(simd, a, b), T::sum(simd, c, d));
        let mut sums = [T::zero(); LONGEST];
        T::store::<S>(&mut sums[..lanes], sum);
        for (at, sum) in order.into_iter().zip(sums).take(lanes) {
            quads[part / 4 + at % (lanes / 4)][at / (lanes / 4)] = sum;
        }
    }
    quads
}

/// The order of the quads of four registers after they are taken apart, which depends on the
/// instruction set. It is found by applying the operation to numbers; the compiler folds it.
#[inline(always)]
fn order<T: Lanes, S: Simd>(simd: S) -> [usize; LONGEST] {
    let mut numbers = [T::zero(); AT_ONCE * LONGEST];
    for (k, number) in numbers.iter_mut().enumerate() {
        *number = T::narrow((k / 4) as f64);
    }
    let [first, ..] = T::quads_apart(simd, registers::<T, S>(simd, &numbers, T::count::<S>()));
    let mut found = [T::zero(); LONGEST];
    T::store::<S>(&mut found[..T::count::<S>()], first);
    let mut order = [0; LONGEST];
    for (at, number) in order.iter_mut().zip(found) {
        *at = number.widen() as usize;
    }
    order
}

#[inline(always)]
fn registers<T: Lanes, S: Simd>(simd: S, from: &[T], stride: usize) -> [T::Vector<S>; AT_ONCE] {
    let mut four = [T::splat(simd, T::zero()); AT_ONCE];
    for (r, register) in four.iter_mut().enumerate() {
        *register = T::load::<S>(&from[r * stride..][..T::count::<S>()]);
    }
    four
}

/// The sums for registers shorter than a quad.
#[inline(always)]
fn one_by_one<T: Lanes>(rows: &[T]) -> Quads<T> {
    let mut quads = [[T::zero(); AT_ONCE]; QUADS];
    for (i, row) in rows.chunks_exact(row::<T>()).enumerate() {
        for (quads, lanes) in quads.iter_mut().zip(row.chunks_exact(4)) {
            quads[i] = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        }
    }
    quads
}
