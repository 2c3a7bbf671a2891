//! A few rows of nodes over the samples of a block, with their states in registers.

use super::nodes::{Nodes, row};
use super::totals::{AT_ONCE, registers, sum_quads};
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Largest number of rows in a pass.
pub(super) const TOGETHER: usize = 8;

/// The data of a pass.
pub(super) struct Block<'a, T> {
    pub(super) nodes: &'a Nodes<T>,
    /// The first node.
    pub(super) start: usize,
    /// The first lane within a row.
    pub(super) part: usize,
    pub(super) states: States<'a, T>,
    pub(super) samples: &'a [T],
    /// A row for each sample, if there are several passes or registers are shorter than quads:
    /// overwritten by the first pass, added to by the others.
    pub(super) sums: &'a mut [T],
    /// A row for each four samples, if there is one pass: the sums of quads.
    pub(super) quads: &'a mut [T],
}

/// The states of a signal: whole rows, and the last row padded with zeros if it is not whole.
pub(super) struct States<'a, T> {
    pub(super) rows: &'a mut [T],
    pub(super) last: &'a mut [T],
}

impl<T: Lanes> States<'_, T> {
    /// The registers from a node on.
    #[inline(always)]
    fn at(&mut self, node: usize, lanes: usize) -> &mut [T] {
        match node.checked_sub(self.rows.len()) {
            None => &mut self.rows[node..node + lanes],
            Some(lane) => &mut self.last[lane..lane + lanes],
        }
    }
}

/// A pass of up to 8 rows.
#[inline(always)]
pub(super) fn pass<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    rows: usize,
    block: Block<'_, T>,
) {
    // Each is a separate function: within one large function the compiler spills registers.
    match rows {
        1 => simd.vectorize(Pass::<T, BACKWARD, 1>(block)),
        2 => simd.vectorize(Pass::<T, BACKWARD, 2>(block)),
        3 => simd.vectorize(Pass::<T, BACKWARD, 3>(block)),
        4 => simd.vectorize(Pass::<T, BACKWARD, 4>(block)),
        5 => simd.vectorize(Pass::<T, BACKWARD, 5>(block)),
        6 => simd.vectorize(Pass::<T, BACKWARD, 6>(block)),
        7 => simd.vectorize(Pass::<T, BACKWARD, 7>(block)),
        _ => simd.vectorize(Pass::<T, BACKWARD, 8>(block)),
    }
}

/// Moves the states of a register by one sample, and adds their part of its output to `sum`:
/// returns the new states and the sum.
#[inline(always)]
pub(super) fn advance<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    (rate, coefficient): (T::Vector<S>, T::Vector<S>),
    sample: T::Vector<S>,
    z: T::Vector<S>,
    sum: T::Vector<S>,
) -> (T::Vector<S>, T::Vector<S>) {
    if BACKWARD {
        let decayed = T::fused_negative(simd, rate, z, z);
        (T::fused(simd, coefficient, sample, decayed), T::sum(simd, sum, z))
    } else {
        let change = T::fused_negative(simd, rate, z, sample);
        (T::sum(simd, z, change), T::fused(simd, coefficient, z, sum))
    }
}

struct Pass<'a, T, const BACKWARD: bool, const ROWS: usize>(Block<'a, T>);

impl<T: Lanes, const BACKWARD: bool, const ROWS: usize> WithSimd for Pass<'_, T, BACKWARD, ROWS> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Block { nodes, start, part, mut states, samples, sums, quads } = self.0;
        let mut registers = Registers::<T, S, ROWS>::load(simd, nodes, start, &mut states);
        let part = part..part + T::count::<S>();
        if sums.is_empty() {
            let (fours, rest) = samples.as_chunks::<AT_ONCE>();
            let (quads, rest_quads) = quads.split_at_mut(fours.len() * row::<T>());
            let mut each = fours.iter().zip(quads.chunks_exact_mut(row::<T>()));
            if BACKWARD {
                registers.rest::<BACKWARD>(simd, rest, rest_quads, part.clone());
                while let Some((samples, quads)) = each.next_back() {
                    registers.four::<BACKWARD>(simd, samples, &mut quads[part.clone()]);
                }
            } else {
                for (samples, quads) in each {
                    registers.four::<BACKWARD>(simd, samples, &mut quads[part.clone()]);
                }
                registers.rest::<BACKWARD>(simd, rest, rest_quads, part);
            }
        } else if start < row::<T>() {
            registers.each::<BACKWARD, true>(simd, samples, sums, part);
        } else {
            registers.each::<BACKWARD, false>(simd, samples, sums, part);
        }
        registers.store(start, &mut states);
    }
}

/// Nodes and states of a pass.
struct Registers<T: Lanes, S: Simd, const ROWS: usize> {
    rates: [T::Vector<S>; ROWS],
    coefficients: [T::Vector<S>; ROWS],
    z: [T::Vector<S>; ROWS],
}

impl<T: Lanes, S: Simd, const ROWS: usize> Registers<T, S, ROWS> {
    #[inline(always)]
    fn load(simd: S, nodes: &Nodes<T>, start: usize, states: &mut States<'_, T>) -> Self {
        // Loops, because the compiler does not inline closures that fill an array.
        let [mut rates, mut coefficients, mut z] = [[T::splat(simd, T::zero()); ROWS]; 3];
        for r in 0..ROWS {
            let (node, lanes) = (start + r * row::<T>(), T::count::<S>());
            rates[r] = T::load::<S>(&nodes.rates[node..node + lanes]);
            coefficients[r] = T::load::<S>(&nodes.coefficients[node..node + lanes]);
            z[r] = T::load::<S>(states.at(node, lanes));
        }
        Self { rates, coefficients, z }
    }

    #[inline(always)]
    fn store(&self, start: usize, states: &mut States<'_, T>) {
        for r in 0..ROWS {
            T::store::<S>(states.at(start + r * row::<T>(), T::count::<S>()), self.z[r]);
        }
    }

    /// One sample: adds its output to `sum`, lane by lane.
    #[inline(always)]
    fn one<const BACKWARD: bool>(
        &mut self,
        simd: S,
        sample: T,
        mut sum: T::Vector<S>,
    ) -> T::Vector<S> {
        let sample = T::splat(simd, sample);
        for r in 0..ROWS {
            let node = (self.rates[r], self.coefficients[r]);
            (self.z[r], sum) = advance::<T, S, BACKWARD>(simd, node, sample, self.z[r], sum);
        }
        sum
    }

    /// Four samples, whose sums are reduced together: the states do not wait for that.
    #[inline(always)]
    fn four<const BACKWARD: bool>(&mut self, simd: S, samples: &[T; AT_ONCE], quads: &mut [T]) {
        let zero = T::splat(simd, T::zero());
        let mut sums = [zero; AT_ONCE];
        for i in 0..AT_ONCE {
            let i = if BACKWARD { AT_ONCE - 1 - i } else { i };
            sums[i] = self.one::<BACKWARD>(simd, samples[i], zero);
        }
        T::store::<S>(quads, sum_quads::<T, S>(simd, sums));
    }

    /// Fewer than four samples.
    #[inline(always)]
    fn rest<const BACKWARD: bool>(
        &mut self,
        simd: S,
        samples: &[T],
        quads: &mut [T],
        part: Range<usize>,
    ) {
        if samples.is_empty() {
            return;
        }
        let mut rows = [T::zero(); AT_ONCE * LONGEST];
        self.each::<BACKWARD, true>(simd, samples, &mut rows, part.clone());
        let sums = registers::<T, S>(simd, &rows[part.start..]);
        T::store::<S>(&mut quads[part], sum_quads::<T, S>(simd, sums));
    }

    /// Samples one by one: writes their sums, or adds to them.
    #[inline(always)]
    fn each<const BACKWARD: bool, const FIRST: bool>(
        &mut self,
        simd: S,
        samples: &[T],
        sums: &mut [T],
        part: Range<usize>,
    ) {
        let mut each = samples.iter().zip(sums.chunks_exact_mut(row::<T>()));
        while let Some((sample, sums)) = if BACKWARD { each.next_back() } else { each.next() } {
            let sums = &mut sums[part.clone()];
            let sum = if FIRST { T::splat(simd, T::zero()) } else { T::load::<S>(sums) };
            T::store::<S>(sums, self.one::<BACKWARD>(simd, *sample, sum));
        }
    }
}
