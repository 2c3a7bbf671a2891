//! Sequences of powers and binomials in numbers that may carry a derivative.

use crate::Number;
use hpfracc_special as special;

/// `k^b` for k < n; entry 0 as in [`special::powers`].
pub(crate) fn powers<N: Number>(b: N, n: usize) -> Vec<N> {
    b.sequence(n, special::powers, special::powers_derivative)
}

/// `(k+1)^b - k^b` for k < n.
pub(crate) fn forward_differences_of_powers<N: Number>(b: N, n: usize) -> Vec<N> {
    b.sequence(
        n,
        special::forward_differences_of_powers,
        special::forward_differences_of_powers_derivative,
    )
}

/// `(k+1)^b - 2 k^b + (k-1)^b` for k < n; 1 for k = 0.
pub(crate) fn second_differences_of_powers<N: Number>(b: N, n: usize) -> Vec<N> {
    b.sequence(
        n,
        special::second_differences_of_powers,
        special::second_differences_of_powers_derivative,
    )
}

/// `(-1)^k C(b, k)` for k < n.
pub(crate) fn binomial_weights<N: Number>(b: N, n: usize) -> Vec<N> {
    b.sequence(n, special::binomial_weights, special::binomial_weights_derivative)
}
