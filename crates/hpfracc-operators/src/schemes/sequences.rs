//! The sequences of hpfracc-special, each entry mapped as it is written: another pass over a long
//! sequence costs as much as its numbers.

use crate::Number;
use hpfracc_special as special;
use pulp::Arch;

/// `each` of k^b, k = 0, 1, ..., n-1.
pub(crate) fn powers<N: Number>(b: N, n: usize, each: impl Fn(N) -> N) -> Vec<N> {
    let mut out = vec![N::constant(0.0); n];
    let write = write(b, each);
    Arch::new().dispatch(|| special::write_powers(b.value(), &mut out, N::HAS_DERIVATIVE, write));
    out
}

/// `each` of (k+1)^b - k^b, k = 0, 1, ..., n-1.
pub(crate) fn forward_differences_of_powers<N: Number>(
    b: N,
    n: usize,
    each: impl Fn(N) -> N,
) -> Vec<N> {
    let mut out = vec![N::constant(0.0); n];
    write_forward_differences_of_powers(b, &mut out, write(b, each));
    out
}

/// Writes entries from (k+1)^b - k^b and its derivative in b, k = 0, 1, ...
pub(crate) fn write_forward_differences_of_powers<N: Number>(
    b: N,
    out: &mut [N],
    write: impl Fn(&mut N, f64, f64),
) {
    Arch::new().dispatch(|| {
        special::write_forward_differences_of_powers(b.value(), out, N::HAS_DERIVATIVE, write);
    });
}

/// `each` of (k+1)^b - 2k^b + (k-1)^b, k = 0, 1, ..., n-1.
pub(crate) fn second_differences_of_powers<N: Number>(
    b: N,
    n: usize,
    each: impl Fn(N) -> N,
) -> Vec<N> {
    let mut out = vec![N::constant(0.0); n];
    let write = write(b, each);
    Arch::new().dispatch(|| {
        special::write_second_differences_of_powers(b.value(), &mut out, N::HAS_DERIVATIVE, write);
    });
    out
}

/// `each` of (-1)^k C(b, k), k = 0, 1, ..., n-1.
pub(crate) fn binomial_weights<N: Number>(b: N, n: usize, each: impl Fn(N) -> N) -> Vec<N> {
    let mut out = vec![N::constant(0.0); n];
    let write = write(b, each);
    Arch::new().dispatch(|| {
        special::write_binomial_weights(b.value(), &mut out, N::HAS_DERIVATIVE, write);
    });
    out
}

/// Writes `each` of the entries of a sequence with the parameter b.
pub(crate) fn write<N: Number>(b: N, each: impl Fn(N) -> N) -> impl Fn(&mut N, f64, f64) {
    move |entry, value, derivative| *entry = each(b.function(value, derivative))
}
