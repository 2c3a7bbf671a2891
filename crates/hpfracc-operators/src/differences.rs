use hpfracc_types::Real;

/// The backward difference of a signal at its next sample f, of order q, where `previous` has the
/// last differences of the orders 0 .. q. Updates `previous`.
#[inline]
pub(crate) fn next_difference<T: Real>(previous: &mut [T], f: T) -> T {
    previous.iter_mut().fold(f, |f, before| {
        let difference = f - *before;
        *before = f;
        difference
    })
}
