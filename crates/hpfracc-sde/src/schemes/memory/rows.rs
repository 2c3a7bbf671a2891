//! Sums of rows in registers.

use hpfracc_types::Real;

/// `sum += w row` for all terms, lane by lane: many lanes at a time, so that their sums stay in
/// registers.
#[inline(always)]
pub(crate) fn add_weighted<'a, T: Real>(
    terms: impl Iterator<Item = (T, &'a [T])> + Clone,
    sum: &mut [T],
) {
    let mut at = 0;
    while at + 64 <= sum.len() {
        some_lanes::<T, 64>(terms.clone(), at, sum);
        at += 64;
    }
    while at + 16 <= sum.len() {
        some_lanes::<T, 16>(terms.clone(), at, sum);
        at += 16;
    }
    for at in at..sum.len() {
        some_lanes::<T, 1>(terms.clone(), at, sum);
    }
}

#[inline(always)]
fn some_lanes<'a, T: Real, const W: usize>(
    terms: impl Iterator<Item = (T, &'a [T])>,
    at: usize,
    sum: &mut [T],
) {
    let mut total = [T::zero(); W];
    total.copy_from_slice(&sum[at..at + W]);
    for (weight, row) in terms {
        for (total, x) in total.iter_mut().zip(&row[at..at + W]) {
            *total += weight * *x;
        }
    }
    sum[at..at + W].copy_from_slice(&total);
}
