//! Starting weights that make a convolution quadrature exact on the first powers of a solution.
//!
//! ```text
//! sum_j s_nj j^nu = r_nu(n) = Gamma(nu+1)/Gamma(nu+1+alpha) n^(nu+alpha) - sum_{j<=n} w_{n-j} j^nu
//! ```
//!
//! for every nu of a set of exponents, on a unit step: a small Vandermonde system for each n.
//!
//! Far from the start the difference cancels. Put x = e^-u: the weights have the series
//! `W(e^-u) = u^-alpha D(u)`, the samples n^nu have
//! `Gamma(nu+1) u^(-nu-1) + sum_i zeta(-nu-i) (-u)^i / i!` (and 1 more if nu = 0), and u^b belongs
//! to `n^(-b-1)/Gamma(-b)`. The product begins with the exact integral; the rest is
//!
//! ```text
//! r_nu(n) = - sum_{m>=2} D_m Gamma(nu+1)/Gamma(nu+1+alpha-m) n^(nu+alpha-m)
//!           - sum_{i,m>=0} zeta(-nu-i) (-1)^i/i! D_m n^(alpha-1-i-m)/Gamma(alpha-i-m)
//! ```
//!
//! A factor (1+x)^alpha of the weights adds the like at x = -1, with alternating signs.

use crate::OdeError;
use crate::error::require;
use hpfracc_lanes::Lu;
use hpfracc_special::{gamma, powers, recip_gamma};
use std::f64::consts::PI;

/// Expansions of a generating function at its singularities.
pub(super) struct Singularities {
    /// `D(u) = u^alpha W(e^-u)`.
    pub(super) at_one: [f64; TERMS],
    /// `v^-alpha W(-e^-v)`, if it is singular there.
    pub(super) at_minus_one: Option<[f64; TERMS]>,
}

/// Number of powers of 1/n. From [`FAR`] on the rest is below rounding, if other singularities lie
/// at |x| of 3 or more (the series D then converges up to ln 3, and term j is of size
/// `j!/(1.1 n)^j`).
pub(super) const TERMS: usize = 20;
const FAR: usize = 48;

/// Exponents closer than this count as equal.
const SAME: f64 = 1e-8;

/// Exponents closer than this to 1 count as 1. The error is this number times h^(2-0.01),
/// negligible next to the error of the method; and as alpha goes to 1 the weights go to those of
/// the classical one.
const NEAR_ONE: f64 = 0.01;

/// Starting weights whose sum is larger for n = 1 are refused.
const MOST_MAGNIFIED: f64 = 1e4;

/// More exponents than this always exceed that bound.
const MANY: usize = 12;

/// Exponents below 1 in the expansion of solutions for these orders, and 1; truncated if too many.
pub(super) fn exponents(orders: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0];
    let mut next = 0;
    while next < found.len() && found.len() <= MANY {
        for alpha in orders {
            let sum = found[next] + alpha;
            if sum < 1.0 - NEAR_ONE && !found.iter().any(|nu: &f64| (nu - sum).abs() < SAME) {
                found.push(sum);
            }
        }
        next += 1;
    }
    found.sort_by(f64::total_cmp);
    found.push(1.0);
    found
}

/// Starting weights for n = 0 .. w.len() - 1: a column for each of the first samples.
///
/// # Errors
/// [`OdeError::OutOfRange`] if they amplify rounding errors too much.
pub(super) fn columns(
    alpha: f64,
    exponents: &[f64],
    w: &[f64],
    singularities: &Singularities,
) -> Result<Vec<Vec<f64>>, OdeError> {
    let (s, n) = (exponents.len(), w.len());
    let mut vandermonde = Lu::new(s);
    for (row, nu) in vandermonde.entries().chunks_exact_mut(s).zip(exponents) {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = power(j, *nu);
        }
    }
    let regular = vandermonde.factor();
    let remainders: Vec<Vec<f64>> =
        exponents.iter().map(|&nu| remainder(alpha, nu, w, singularities)).collect();
    let mut columns = vec![vec![0.0; n]; s];
    let mut solution = vec![0.0; s];
    for m in 0..n {
        solution.iter_mut().zip(&remainders).for_each(|(x, r)| *x = r[m]);
        vandermonde.solve(&mut solution);
        columns.iter_mut().zip(&solution).for_each(|(column, x)| column[m] = *x);
    }
    let magnified: f64 = columns.iter().map(|column| column[1].abs()).sum();
    let magnified = if regular && s <= MANY { magnified } else { f64::INFINITY };
    let expected = "at most 1e4: orders of 0.15 or more, with few sums below 1";
    let what = "the sum of the starting weights";
    require(magnified <= MOST_MAGNIFIED, what, magnified, expected)?;
    Ok(columns)
}

/// j^nu with 0^0 = 1.
fn power(j: usize, nu: f64) -> f64 {
    (j as f64).powf(nu)
}

/// r_nu(n) for n = 0 .. w.len() - 1.
fn remainder(alpha: f64, nu: f64, w: &[f64], singularities: &Singularities) -> Vec<f64> {
    let mut r = vec![0.0; w.len()];
    far(alpha, nu, singularities, &mut r);
    let exact = gamma(nu + 1.0) * recip_gamma(nu + 1.0 + alpha);
    for (n, r) in r.iter_mut().enumerate().take(FAR) {
        let sum: f64 = (0..=n).map(|j| w[n - j] * power(j, nu)).sum();
        *r = exact * (n as f64).powf(nu + alpha) - sum;
    }
    r
}

/// The expansion, for n from [`FAR`] on.
fn far(alpha: f64, nu: f64, singularities: &Singularities, r: &mut [f64]) {
    if r.len() <= FAR {
        return;
    }
    let d = &singularities.at_one;
    // zeta(-nu-i) (-1)^i/i!, and the same of the alternating series.
    let (mut zetas, mut etas) = ([0.0; TERMS], [0.0; TERMS]);
    let mut factor = 1.0;
    for i in 0..TERMS {
        let x = nu + i as f64;
        let zeta = zeta_of_minus(x);
        zetas[i] = factor * zeta;
        etas[i] = -factor * zeta * (1.0 - (1.0 + x).exp2());
        factor *= -1.0 / (i + 1) as f64;
    }
    if nu == 0.0 {
        // The sample 0^0 = 1.
        zetas[0] += 1.0;
        etas[0] += 1.0;
    }
    let from_power: [f64; TERMS] = std::array::from_fn(|m| {
        if m < 2 { 0.0 } else { -d[m] * gamma(nu + 1.0) * recip_gamma(nu + 1.0 + alpha - m as f64) }
    });
    let product = |a: &[f64; TERMS], b: &[f64; TERMS], m: usize| -> f64 {
        (0..=m).map(|i| a[i] * b[m - i]).sum()
    };
    let from_start: [f64; TERMS] =
        std::array::from_fn(|m| -product(&zetas, d, m) * recip_gamma(alpha - m as f64));
    add(nu + alpha, &from_power, false, r);
    add(alpha - 1.0, &from_start, false, r);
    if let Some(d) = &singularities.at_minus_one {
        let alternating: [f64; TERMS] =
            std::array::from_fn(|m| -product(&etas, d, m) * recip_gamma(-alpha - m as f64));
        add(-alpha - 1.0, &alternating, true, r);
    }
}

/// Adds `n^exponent sum_m terms[m] n^-m`, times (-1)^n if `alternating`.
fn add(exponent: f64, terms: &[f64; TERMS], alternating: bool, r: &mut [f64]) {
    let mut table = vec![0.0; r.len()];
    powers(exponent, &mut table);
    let mut start = FAR;
    while start < r.len() {
        // As n doubles, fewer terms count.
        let end = (2 * start).min(r.len());
        let size = |m: usize| terms[m].abs() * (start as f64).powi(-(m as i32));
        let largest = (0..TERMS).map(size).fold(0.0, f64::max);
        let count = (0..TERMS).rposition(|m| size(m) > 1e-17 * largest).map_or(0, |last| last + 1);
        for (n, (r, power)) in (start..end).zip(r[start..end].iter_mut().zip(&table[start..end])) {
            let x = 1.0 / n as f64;
            let sum = terms[..count].iter().rev().fold(0.0, |sum, term| sum * x + term);
            let sign = if alternating && !n.is_multiple_of(2) { -1.0 } else { 1.0 };
            *r += sign * power * sum;
        }
        start = end;
    }
}

/// zeta(-x) for x >= 0, by the functional equation.
fn zeta_of_minus(x: f64) -> f64 {
    if x == 0.0 {
        return -0.5;
    }
    -2.0 * (2.0 * PI).powf(-x - 1.0) * (0.5 * PI * x).sin() * gamma(x + 1.0) * zeta(x + 1.0)
}

/// zeta(s) for s > 1, by Euler and Maclaurin.
fn zeta(s: f64) -> f64 {
    const M: f64 = 12.0;
    /// B_2k / (2k)!.
    const COEFFICIENTS: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30_240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        -691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        -3617.0 / 10_670_622_842_880_000.0,
    ];
    let mut sum = M.powf(1.0 - s) / (s - 1.0) + 0.5 * M.powf(-s);
    let mut term = s * M.powf(-s - 1.0);
    for (k, c) in COEFFICIENTS.iter().enumerate() {
        sum += c * term;
        let next = s + (2 * k + 1) as f64;
        term *= next * (next + 1.0) / (M * M);
    }
    (1..12).rev().fold(sum, |sum, j| sum + f64::from(j).powf(-s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_at_known_places() {
        for (x, value) in [
            (0.0, -0.5),
            (1.0, -1.0 / 12.0),
            (3.0, 1.0 / 120.0),
            (0.5, -0.207_886_224_977_354_57),
            (1.5, -0.025_485_201_889_833_036),
        ] {
            assert!((zeta_of_minus(x) - value).abs() < 2e-16, "{x}: {}", zeta_of_minus(x));
        }
    }

    #[test]
    fn exponents_are_the_sums_of_orders_below_one() {
        let near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        near(exponents(&[0.5]), &[0.0, 0.5, 1.0]);
        near(exponents(&[0.3]), &[0.0, 0.3, 0.6, 0.9, 1.0]);
        near(exponents(&[1.0]), &[0.0, 1.0]);
        near(exponents(&[0.995]), &[0.0, 1.0]);
        near(exponents(&[1.4]), &[0.0, 1.0]);
        // 0.3 + 0.4 and 0.7 are the same up to rounding.
        near(exponents(&[0.3, 0.4, 0.7]), &[0.0, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0]);
        near(exponents(&[0.4, 0.7]), &[0.0, 0.4, 0.7, 0.8, 1.0]);
    }
}
