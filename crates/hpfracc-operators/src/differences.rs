use hpfracc_types::Real;

/// The backward difference of a signal at its next sample f, of as many orders as there are differences
/// before; these move on.
#[inline]
pub(crate) fn next_difference<T: Real>(previous: &mut [T], f: T) -> T {
    previous.iter_mut().fold(f, |f, before| {
        let difference = f - *before;
        *before = f;
        difference
    })
}
