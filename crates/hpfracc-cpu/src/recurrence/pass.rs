//! A few rows of nodes over the samples of a block, with their states in registers.

use super::nodes::{Nodes, row};
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::{Simd, WithSimd};

/// Largest number of rows in a pass.
pub(super) const TOGETHER: usize = 8;

/// The data of a pass.
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

struct Pass<'a, T, const BACKWARD: bool, const ROWS: usize>(Block<'a, T>);

impl<T: Lanes, const BACKWARD: bool, const ROWS: usize> WithSimd for Pass<'_, T, BACKWARD, ROWS> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Block { nodes, start, part, states, samples, sums } = self.0;
        let lanes = T::count::<S>();
        let span = (ROWS - 1) * row::<T>() + lanes;
        let (rates_in, coefficients_in) =
            (&nodes.rates[start..start + span], &nodes.coefficients[start..start + span]);
        // The states are padded with zeros.
        let mut padded = [T::zero(); TOGETHER * LONGEST];
        let own = &mut states[start.min(nodes.number)..];
        let whole = own.len() >= span;
        let registers = if whole {
            &mut own[..span]
        } else {
            padded[..own.len()].copy_from_slice(own);
            &mut padded[..span]
        };
        // Loops, because the compiler does not inline closures that fill an array.
        let zero = T::splat(simd, T::zero());
        let [mut rates, mut coefficients, mut z] = [[zero; ROWS]; 3];
        for r in 0..ROWS {
            let at = r * row::<T>()..r * row::<T>() + lanes;
            rates[r] = T::load::<S>(&rates_in[at.clone()]);
            coefficients[r] = T::load::<S>(&coefficients_in[at.clone()]);
            z[r] = T::load::<S>(&registers[at]);
        }
        let mut step = |sample: T, sums: &mut [T]| {
            let sample = T::splat(simd, sample);
            let sums = &mut sums[part..part + lanes];
            let mut sum = T::load::<S>(sums);
            for r in 0..ROWS {
                if BACKWARD {
                    sum = T::sum(simd, sum, z[r]);
                    let decayed = T::fused_negative(simd, rates[r], z[r], z[r]);
                    z[r] = T::fused(simd, coefficients[r], sample, decayed);
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
            T::store::<S>(&mut registers[r * row::<T>()..][..lanes], z[r]);
        }
        if !whole {
            own.copy_from_slice(&padded[..own.len()]);
        }
    }
}
