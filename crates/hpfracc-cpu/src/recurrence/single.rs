//! Signals of one sample: the states go from the input to the output through registers.

use super::nodes::{Nodes, row};
use super::pass::advance;
use super::totals::total;
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::{Simd, WithSimd};

/// The recurrence, or its transpose, applied to signals of one sample; to be dispatched. The same
/// bits as in blocks.
pub(super) struct Single<'a, T, const BACKWARD: bool> {
    pub(super) nodes: &'a Nodes<T>,
    pub(super) from: &'a [T],
    pub(super) to: &'a mut [T],
}

impl<T: Lanes, const BACKWARD: bool> WithSimd for Single<'_, T, BACKWARD> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { nodes, mut from, mut to } = self;
        let len = nodes.number + 1;
        // No iterator of chunks, which would divide.
        while let Some((signal, from_rest)) = from.split_at_checked(len) {
            let Some((result, to_rest)) = to.split_at_mut_checked(len) else { return };
            single::<T, S, BACKWARD>(simd, nodes, signal, result);
            (from, to) = (from_rest, to_rest);
        }
    }
}

/// The states after a sample, and its output.
#[inline(always)]
fn single<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    nodes: &Nodes<T>,
    from: &[T],
    to: &mut [T],
) {
    let (Some((sample, before)), Some((output, after))) = (from.split_last(), to.split_last_mut())
    else {
        return;
    };
    let lanes = T::count::<S>();
    let whole = before.len() - before.len() % row::<T>();
    let (before, last_before) = before.split_at(whole);
    let (after, last_after) = after.split_at_mut(whole);
    // The states of the last row are padded with zeros.
    let mut padded = [T::zero(); LONGEST];
    let padded = &mut padded[..row::<T>()];
    let is_padded = !last_before.is_empty();
    if is_padded {
        padded[..last_before.len()].copy_from_slice(last_before);
    }
    let splat = T::splat(simd, *sample);
    let mut sums = [T::zero(); LONGEST];
    for part in (0..row::<T>()).step_by(lanes) {
        let mut sum = T::splat(simd, T::zero());
        let nodes =
            nodes.rates.chunks_exact(row::<T>()).zip(nodes.coefficients.chunks_exact(row::<T>()));
        let node = |(rates, coefficients): (&[T], &[T])| {
            (T::load::<S>(&rates[part..]), T::load::<S>(&coefficients[part..]))
        };
        let states = before.chunks_exact(row::<T>()).zip(after.chunks_exact_mut(row::<T>()));
        for ((before, after), of) in states.zip(nodes.clone()) {
            let z = T::load::<S>(&before[part..]);
            let moved;
            (moved, sum) = advance::<T, S, BACKWARD>(simd, node(of), splat, z, sum);
            T::store::<S>(&mut after[part..part + lanes], moved);
        }
        if let Some(of) = nodes.last().filter(|_| is_padded) {
            let z = T::load::<S>(&padded[part..]);
            let moved;
            (moved, sum) = advance::<T, S, BACKWARD>(simd, node(of), splat, z, sum);
            T::store::<S>(&mut padded[part..part + lanes], moved);
        }
        T::store::<S>(&mut sums[part..part + lanes], sum);
    }
    if is_padded {
        last_after.copy_from_slice(&padded[..last_after.len()]);
    }
    *output = total(nodes.d, *sample, &sums[..row::<T>()]);
}
