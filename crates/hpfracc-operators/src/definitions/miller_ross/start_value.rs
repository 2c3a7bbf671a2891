//! The initial value of the first Caputo derivative.
//!
//! The second derivative in a sequence is that of the first one less its value at 0, and that value
//! is Gamma(alpha+1) times the coefficient of t^alpha in f: zero for a smooth f. The coefficient is
//! fitted to f_1 - f_0, .., f_4 - f_0 by
//!
//! ```text
//! t^alpha, t^(2 alpha), t, t^2
//! ```
//!
//! A fit w that takes t^alpha to 1 and the others to 0 takes the divided differences of p -> j^p
//! over the exponents 2, 2 alpha, 1, alpha to 0, 0, 0 and the inverse product of the exponents'
//! distances from alpha. These differences are well-conditioned for exponents that are close, or
//! equal as 2 alpha = 1 are at alpha = 1/2: as sums over complete homogeneous symmetric
//! polynomials,
//!
//! ```text
//! [p_0 .. p_k] j^p = sum_{m>=k} (ln j)^m / m! h_{m-k}(p_0, .., p_k)
//! ```
//!
//! they have positive terms only.

use crate::Number;

/// Samples besides the first one.
pub(super) const SAMPLES: usize = 4;

/// (ln 4)^m 2^m / m! is below rounding from here on.
const TERMS: usize = 40;

/// The weights of f_j - f_0, j = 1, .., 4, in the coefficient of t^alpha, on a unit step.
pub(super) fn weights<N: Number>(alpha: N) -> [N; SAMPLES] {
    let exponents = [N::constant(2.0), alpha * 2.0, N::constant(1.0), alpha];
    let mut rows = divided_differences(exponents);
    let mut right = [N::constant(0.0); SAMPLES];
    right[3] = (alpha * (alpha - 1.0) * (alpha * -1.0 + 2.0)).recip();
    // The matrix is totally positive: elimination needs no pivots and loses nothing.
    for pivot in 0..SAMPLES {
        for row in pivot + 1..SAMPLES {
            let factor = rows[row][pivot] * rows[pivot][pivot].recip();
            for column in pivot..SAMPLES {
                rows[row][column] = rows[row][column] - factor * rows[pivot][column];
            }
            right[row] = right[row] - factor * right[pivot];
        }
    }
    let mut weights = [N::constant(0.0); SAMPLES];
    for row in (0..SAMPLES).rev() {
        let known = (row + 1..SAMPLES).map(|column| rows[row][column] * weights[column]);
        let rest = known.fold(right[row], |rest, term| rest - term);
        weights[row] = rest * rows[row][row].recip();
    }
    weights
}

/// Of j^p over the first 1, 2, 3 and 4 exponents, for j = 1, .., 4.
fn divided_differences<N: Number>(exponents: [N; SAMPLES]) -> [[N; SAMPLES]; SAMPLES] {
    let mut rows = [[N::constant(0.0); SAMPLES]; SAMPLES];
    // h_0, h_1, .. of no exponents.
    let mut symmetric = [N::constant(0.0); TERMS];
    symmetric[0] = N::constant(1.0);
    for (k, row) in rows.iter_mut().enumerate() {
        for r in 1..TERMS {
            symmetric[r] = symmetric[r] + exponents[k] * symmetric[r - 1];
        }
        for (j, entry) in row.iter_mut().enumerate() {
            let ln = ((j + 1) as f64).ln();
            // (ln j)^m / m!
            let mut term = (1..=k).fold(1.0, |term, m| term * ln / m as f64);
            for (r, h) in symmetric.iter().enumerate() {
                *entry = *entry + *h * term;
                term *= ln / (k + r + 1) as f64;
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::weights;
    use crate::{Dual, Number};

    #[test]
    fn the_fit_finds_the_coefficient_and_nothing_else() {
        for alpha in [0.02, 0.3, 0.5, 0.5000001, 0.8, 0.999] {
            let order = Dual::variable(alpha);
            let w = weights(order);
            for (power, expected) in [
                (order, 1.0),
                (order * 2.0, 0.0),
                (Dual::constant(1.0), 0.0),
                (Dual::constant(2.0), 0.0),
            ] {
                let terms = || (1..=4).map(|j| w[j - 1] * Dual::constant(j as f64).powf(power));
                let sum = terms().fold(Dual::constant(0.0), |sum, term| sum + term);
                let size: f64 = terms().map(|t| t.value.abs() + t.derivative.abs()).sum();
                let error = (sum.value - expected).abs().max(sum.derivative.abs());
                assert!(error < 1e-14 * size, "{alpha} {power:?}: {sum:?} of {size:e}");
            }
        }
    }
}
