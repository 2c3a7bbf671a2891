//! Reduction of a row of sums to one number for each sample: neighbours first, then pairs, then
//! quads.

use super::nodes::row;
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::Simd;

/// Number of samples whose rows are reduced together.
pub(super) const AT_ONCE: usize = 4;

/// Lanes of a quad. Registers that are shorter are reduced one sample at a time.
pub(super) const QUAD: usize = 4;

/// `d s` and the sum of a row, for one sample.
#[inline(always)]
pub(super) fn total<T: Lanes>(d: T, sample: T, row: &[T]) -> T {
    let (quads, _) = row.as_chunks::<QUAD>();
    let quad = |q: usize| {
        let [a, b, c, d] = quads[q];
        (a + b) + (c + d)
    };
    d * sample + of_quads(quad)
}

/// The sum of a row from the sums of its quads.
#[inline(always)]
fn of_quads<T: Lanes>(quad: impl Fn(usize) -> T) -> T {
    let pairs = quad(0) + quad(1);
    if row::<T>() > 8 { pairs + (quad(2) + quad(3)) } else { pairs }
}

/// The sums of the quads of four registers. Their order depends on the instruction set.
#[inline(always)]
pub(super) fn sum_quads<T: Lanes, S: Simd>(simd: S, four: [T::Vector<S>; AT_ONCE]) -> T::Vector<S> {
    let [a, b, c, d] = T::quads_apart(simd, four);
    T::sum(simd, T::sum(simd, a, b), T::sum(simd, c, d))
}

/// The sums of the quads of all rows, a row for each four.
#[inline(always)]
pub(super) fn sum_rows<T: Lanes, S: Simd>(simd: S, sums: &[T], quads: &mut [T]) {
    let fours = sums.chunks_exact(AT_ONCE * row::<T>());
    for (sums, quads) in fours.zip(quads.chunks_exact_mut(row::<T>())) {
        for (part, quads) in quads.chunks_exact_mut(T::count::<S>()).enumerate() {
            let sums = registers::<T, S>(simd, &sums[part * T::count::<S>()..]);
            T::store::<S>(quads, sum_quads::<T, S>(simd, sums));
        }
    }
}

/// A register of each of four rows.
#[inline(always)]
pub(super) fn registers<T: Lanes, S: Simd>(simd: S, rows: &[T]) -> [T::Vector<S>; AT_ONCE] {
    let mut four = [T::splat(simd, T::zero()); AT_ONCE];
    for (r, register) in four.iter_mut().enumerate() {
        *register = T::load::<S>(&rows[r * row::<T>()..][..T::count::<S>()]);
    }
    four
}

/// `d s` and the sum of a row, for each sample, from a row for each four samples that
/// [`sum_quads`] wrote.
#[inline(always)]
pub(super) fn totals<T: Lanes, S: Simd>(
    simd: S,
    d: T,
    samples: &[T],
    quads: &[T],
    outputs: &mut [T],
) {
    let order = order::<T, S>(simd);
    let mut rows = quads.chunks_exact(row::<T>());
    let (outputs, last_outputs) = outputs.as_chunks_mut::<AT_ONCE>();
    let (samples, last_samples) = samples.as_chunks::<AT_ONCE>();
    for ((outputs, samples), row) in outputs.iter_mut().zip(samples).zip(&mut rows) {
        *outputs = four(&order, d, samples, row);
    }
    if let Some(row) = rows.next() {
        let mut samples = [T::zero(); AT_ONCE];
        for (sample, &last) in samples.iter_mut().zip(last_samples) {
            *sample = last;
        }
        let totals = four(&order, d, &samples, row);
        for (output, total) in last_outputs.iter_mut().zip(totals) {
            *output = total;
        }
    }
}

/// Quads of the longest row.
const QUADS: usize = LONGEST / QUAD;

/// By sample and quad, the place of a sum in a row.
type Order = [[usize; QUADS]; AT_ONCE];

/// The totals of four samples.
#[inline(always)]
fn four<T: Lanes>(order: &Order, d: T, samples: &[T; AT_ONCE], row: &[T]) -> [T; AT_ONCE] {
    let mut totals = [T::zero(); AT_ONCE];
    for i in 0..AT_ONCE {
        totals[i] = d * samples[i] + of_quads(|quad| row[order[i][quad]]);
    }
    totals
}

/// The order of [`sum_quads`], found by applying its operation to numbers; the compiler folds it.
#[inline(always)]
fn order<T: Lanes, S: Simd>(simd: S) -> Order {
    let lanes = T::count::<S>();
    let mut registers = [T::splat(simd, T::zero()); AT_ONCE];
    for (r, register) in registers.iter_mut().enumerate() {
        let mut numbers = [T::zero(); LONGEST];
        for (k, number) in numbers.iter_mut().enumerate() {
            *number = T::narrow(((r * lanes + k) / QUAD) as f64);
        }
        *register = T::load::<S>(&numbers);
    }
    let [first, ..] = T::quads_apart(simd, registers);
    let mut found = [T::zero(); LONGEST];
    T::store::<S>(&mut found[..lanes], first);
    let mut order = [[0; QUADS]; AT_ONCE];
    let quads = lanes / QUAD;
    for (at, number) in found.into_iter().enumerate().take(lanes) {
        let number = number.widen() as usize;
        for part in 0..row::<T>() / lanes {
            order[number / quads][part * quads + number % quads] = part * lanes + at;
        }
    }
    order
}
