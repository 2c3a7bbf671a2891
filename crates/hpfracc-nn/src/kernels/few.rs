use crate::Scalar;

/// The first `count` of N lanes, padded with zeros.
#[inline(always)]
pub(crate) fn lanes<T: Scalar, const N: usize>(row: &[T], count: usize) -> [T; N] {
    if count == N
        && let Some(whole) = row.first_chunk()
    {
        return *whole;
    }
    let mut few = [T::zero(); N];
    few[..count].copy_from_slice(&row[..count]);
    few
}

/// Writes the first `count` of N lanes.
#[inline(always)]
pub(crate) fn write<T: Scalar, const N: usize>(row: &mut [T], count: usize, values: &[T; N]) {
    if count == N
        && let Some(whole) = row.first_chunk_mut()
    {
        *whole = *values;
    } else {
        row[..count].copy_from_slice(&values[..count]);
    }
}

/// Consecutive parts of these lengths; the rest is left out.
#[inline]
pub(crate) fn split<T, const N: usize>(mut rest: &[T], lengths: [usize; N]) -> [&[T]; N] {
    lengths.map(|length| {
        let (part, after) = rest.split_at(length);
        rest = after;
        part
    })
}

/// As [`split`], mutable.
#[inline]
pub(crate) fn split_mut<T, const N: usize>(
    mut rest: &mut [T],
    lengths: [usize; N],
) -> [&mut [T]; N] {
    lengths.map(|length| {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(length);
        rest = after;
        part
    })
}
