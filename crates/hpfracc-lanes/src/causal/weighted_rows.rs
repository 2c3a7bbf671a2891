//! Weighted sums of rows.

use hpfracc_types::Real;

/// `sum += w row` for all terms in their order, lane by lane; products are rounded before they are
/// added.
///
/// Many lanes at a time, so that their sums stay in registers. To be called in code compiled for an
/// instruction set.
#[inline(always)]
pub fn add_weighted<'a, T: Real>(terms: impl Iterator<Item = (T, &'a [T])> + Clone, sum: &mut [T]) {
    let mut lane = 0;
    while lane + 64 <= sum.len() {
        add_lanes::<T, 64>(terms.clone(), lane, sum);
        lane += 64;
    }
    while lane + 16 <= sum.len() {
        add_lanes::<T, 16>(terms.clone(), lane, sum);
        lane += 16;
    }
    for lane in lane..sum.len() {
        add_lanes::<T, 1>(terms.clone(), lane, sum);
    }
}

#[inline(always)]
fn add_lanes<'a, T: Real, const W: usize>(
    terms: impl Iterator<Item = (T, &'a [T])>,
    lane: usize,
    sum: &mut [T],
) {
    let mut total = [T::zero(); W];
    total.copy_from_slice(&sum[lane..lane + W]);
    for (weight, row) in terms {
        for (total, x) in total.iter_mut().zip(&row[lane..lane + W]) {
            *total += weight * *x;
        }
    }
    sum[lane..lane + W].copy_from_slice(&total);
}
