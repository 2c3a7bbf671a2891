//! Some rows of nodes over the samples of a block, their states in registers.

use super::stream::{Nodes, row};
use crate::lanes::{LONGEST, Lanes};
use pulp::{Simd, WithSimd};

/// What a pass works on.
pub(super) struct Block<'a, T> {
    pub(super) nodes: &'a Nodes<T>,
    /// The first node.
    pub(super) start: usize,
    /// The first lane within a row.
    pub(super) part: usize,
    pub(super) states: &'a mut [T],
    pub(super) samples: &'a [T],
    /// A row for each sample.
    pub(super) sums: &'a mut [T],
}

/// One of up to 8 rows together.
#[inline(always)]
pub(super) fn pass<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    rows: usize,
    block: Block<'_, T>,
) {
    // Each is a function of its own: within one large function the compiler spills.
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

struct Pass<'a, T, const BACKWARD: bool, const ROWS: usize>(Block<'a, T>);

impl<T: Lanes, const BACKWARD: bool, const ROWS: usize> WithSimd for Pass<'_, T, BACKWARD, ROWS> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Block { nodes, start, part, states, samples, sums } = self.0;
        let lanes = T::count::<S>();
        let at = |r: usize| start + r * row::<T>();
        let rates: [_; ROWS] =
            std::array::from_fn(|r| T::load::<S>(&nodes.rates[at(r)..][..lanes]));
        let coefficients: [_; ROWS] =
            std::array::from_fn(|r| T::load::<S>(&nodes.coefficients[at(r)..][..lanes]));
        let mut z: [_; ROWS] = std::array::from_fn(|r| load::<T, S>(states, at(r)));
        let mut step = |sample: T, sums: &mut [T]| {
            let sample = T::splat(simd, sample);
            let sums = &mut sums[part..part + lanes];
            let mut sum = T::load::<S>(sums);
            for r in 0..ROWS {
                if BACKWARD {
                    sum = T::sum(simd, sum, z[r]);
                    let faded = T::fused_negative(simd, rates[r], z[r], z[r]);
                    z[r] = T::fused(simd, coefficients[r], sample, faded);
                } else {
                    sum = T::fused(simd, coefficients[r], z[r], sum);
                    let change = T::fused_negative(simd, rates[r], z[r], sample);
                    z[r] = T::sum(simd, z[r], change);
                }
            }
            T::store::<S>(sums, sum);
        };
        let each = samples.iter().zip(sums.chunks_exact_mut(row::<T>()));
        if BACKWARD {
            each.rev().for_each(|(&sample, sums)| step(sample, sums));
        } else {
            each.for_each(|(&sample, sums)| step(sample, sums));
        }
        for r in 0..ROWS {
            let own = within(at(r), lanes, states.len());
            T::store::<S>(&mut states[own], z[r]);
        }
    }
}

/// A register of states; zeros behind the last.
#[inline(always)]
fn load<T: Lanes, S: Simd>(states: &[T], start: usize) -> T::Vector<S> {
    let lanes = T::count::<S>();
    let own = &states[within(start, lanes, states.len())];
    if own.len() == lanes {
        return T::load::<S>(own);
    }
    let mut all = [T::zero(); LONGEST];
    all[..own.len()].copy_from_slice(own);
    T::load::<S>(&all[..lanes])
}

#[inline(always)]
fn within(start: usize, lanes: usize, len: usize) -> std::ops::Range<usize> {
    start.min(len)..(start + lanes).min(len)
}
