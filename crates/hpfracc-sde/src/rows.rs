//! Small operations on the rows of a tile of paths.

use hpfracc_types::Real;

/// Sets the length of `values` to `len` and all of them to zero; reuses their memory.
pub(crate) fn zeros<T: Real>(values: &mut Vec<T>, len: usize) {
    values.clear();
    values.resize(len, T::zero());
}

/// Splits rows into parts of these lengths.
#[inline(always)]
pub(crate) fn parts<T, const N: usize>(mut rows: &mut [T], lengths: [usize; N]) -> [&mut [T]; N] {
    lengths.map(|length| {
        let (part, rest) = std::mem::take(&mut rows).split_at_mut(length);
        rows = rest;
        part
    })
}

/// `to += terms`
#[inline(always)]
pub(crate) fn add<T: Real>(to: &mut [T], terms: &[T]) {
    to.iter_mut().zip(terms).for_each(|(to, term)| *to += *term);
}

/// `to += factor terms`
#[inline(always)]
pub(crate) fn add_scaled<T: Real>(to: &mut [T], factor: T, terms: &[T]) {
    to.iter_mut().zip(terms).for_each(|(to, term)| *to += factor * *term);
}

/// `to += a b`, entry by entry.
#[inline(always)]
pub(crate) fn add_products<T: Real>(to: &mut [T], a: &[T], b: &[T]) {
    to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to += *a * *b);
}

/// `to = factor x`
#[inline(always)]
pub(crate) fn write_scaled<T: Real>(to: &mut [T], factor: T, x: &[T]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to = factor * *x);
}

/// `to = x + factor terms`
#[inline(always)]
pub(crate) fn write_sum<T: Real>(to: &mut [T], x: &[T], factor: T, terms: &[T]) {
    to.iter_mut().zip(x).zip(terms).for_each(|((to, x), term)| *to = *x + factor * *term);
}

/// Index of the first value that is not finite.
#[inline(always)]
pub(crate) fn not_finite<T: Real>(x: &[T]) -> Option<usize> {
    // 0 x is 0 for finite x and NaN for all else. Sixteen partial sums, as in a register, then those of
    // halves: few additions wait for others.
    let mut sums = [T::zero(); 16];
    let parts = x.chunks_exact(sums.len());
    let mut sum = parts.remainder().iter().fold(T::zero(), |sum, &x| sum + x * T::zero());
    for part in parts {
        for (sum, &x) in sums.iter_mut().zip(part) {
            *sum += x * T::zero();
        }
    }
    for half in [8, 4, 2, 1] {
        let (sums, others) = sums.split_at_mut(half);
        sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += *other);
    }
    sum += sums[0];
    if sum == T::zero() { None } else { x.iter().position(|x| !x.widen().is_finite()) }
}
