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
use hpfracc_operators::{Dual, Number};
use hpfracc_special::write_powers;
use std::f64::consts::PI;

/// Expansions of a generating function at its singularities.
pub(super) struct Singularities<T> {
    /// `D(u) = u^alpha W(e^-u)`.
    pub(super) at_one: [T; TERMS],
    /// `v^-alpha W(-e^-v)`, if it is singular there.
    pub(super) at_minus_one: Option<[T; TERMS]>,
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

/// Exponents below 1 in the expansion of solutions for some orders, and 1; truncated if too many.
pub(crate) struct Exponents {
    /// Increasing.
    pub(crate) values: Vec<f64>,
    /// Multiples of the orders of which each exponent below 1 is the sum: its derivatives in them.
    pub(crate) multiples: Vec<Vec<f64>>,
}

/// The exponents for these orders. Of equal sums the first found counts.
pub(crate) fn exponents(orders: &[f64]) -> Exponents {
    let mut found = vec![(0.0, vec![0.0; orders.len()])];
    let mut next = 0;
    while next < found.len() && found.len() <= MANY {
        for (k, alpha) in orders.iter().enumerate() {
            let sum = found[next].0 + alpha;
            if sum < 1.0 - NEAR_ONE && !found.iter().any(|(nu, _)| (nu - sum).abs() < SAME) {
                let mut multiples = found[next].1.clone();
                multiples[k] += 1.0;
                found.push((sum, multiples));
            }
        }
        next += 1;
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    found.push((1.0, vec![0.0; orders.len()]));
    let (values, multiples) = found.into_iter().unzip();
    Exponents { values, multiples }
}

/// Starting weights for n = 0 .. w.len() - 1: a column for each of the first samples.
///
/// # Errors
/// [`OdeError::OutOfRange`] if they amplify rounding errors too much.
pub(super) fn columns<T: Number>(
    alpha: T,
    exponents: &[T],
    w: &[T],
    singularities: &Singularities<T>,
) -> Result<Vec<Vec<T>>, OdeError> {
    let (s, n) = (exponents.len(), w.len());
    let mut vandermonde = Lu::new(s);
    let powers: Vec<T> =
        exponents.iter().flat_map(|&nu| (0..s).map(move |j| power(j, nu))).collect();
    let entries = vandermonde.entries().iter_mut().zip(&powers);
    entries.for_each(|(entry, power)| *entry = power.value());
    let regular = vandermonde.factor();
    let remainders: Vec<Vec<T>> =
        exponents.iter().map(|&nu| remainder(alpha, nu, w, singularities)).collect();
    let mut columns = vec![vec![T::constant(0.0); n]; s];
    let (mut solution, mut change) = (vec![0.0; s], vec![0.0; s]);
    for m in 0..n {
        solution.iter_mut().zip(&remainders).for_each(|(x, r)| *x = r[m].value());
        vandermonde.solve(&mut solution);
        if T::HAS_DERIVATIVE {
            for ((change, r), row) in change.iter_mut().zip(&remainders).zip(powers.chunks_exact(s))
            {
                let moved: f64 = row.iter().zip(&solution).map(|(v, x)| v.derivative() * x).sum();
                *change = r[m].derivative() - moved;
            }
            vandermonde.solve(&mut change);
        }
        for (column, (x, change)) in columns.iter_mut().zip(solution.iter().zip(&change)) {
            column[m] = T::new(*x, *change);
        }
    }
    let magnified: f64 = columns.iter().map(|column| column[1].value().abs()).sum();
    let magnified = if regular && s <= MANY { magnified } else { f64::INFINITY };
    let expected = "at most 1e4: orders of 0.15 or more, with few sums below 1";
    let what = "the sum of the starting weights";
    require(magnified <= MOST_MAGNIFIED, what, magnified, expected)?;
    Ok(columns)
}

/// Derivatives of the columns with respect to the exponent of index m, from the weights and the columns
/// times `scale`: `V S = r` has its row m alone changed, `dS = V^-1 e_m (dr_m - sum_j dV_mj S_j)`.
pub(super) fn by_exponent(
    (alpha, exponents): (f64, &[f64]),
    m: usize,
    (w, columns, scale): (&[f64], &[Vec<f64>], f64),
    singularities: &Singularities<Dual>,
) -> Vec<Vec<f64>> {
    let s = exponents.len();
    let mut vandermonde = Lu::new(s);
    let entries = exponents.iter().flat_map(|&nu| (0..s).map(move |j| power(j, nu)));
    vandermonde.entries().iter_mut().zip(entries).for_each(|(entry, power)| *entry = power);
    vandermonde.factor();
    let mut inverse = vec![0.0; s];
    inverse[m] = 1.0;
    vandermonde.solve(&mut inverse);
    let nu = Dual::variable(exponents[m]);
    let powers: Vec<f64> = (0..s).map(|j| power(j, nu).derivative).collect();
    let w: Vec<Dual> = w.iter().map(|w| Dual::constant(*w / scale)).collect();
    let remainders = remainder(Dual::constant(alpha), nu, &w, singularities);
    let change = remainders.iter().enumerate().map(|(n, r)| {
        let of_powers = powers.iter().zip(columns).map(|(power, column)| power * column[n]);
        scale * r.derivative - of_powers.sum::<f64>()
    });
    let change: Vec<f64> = change.collect();
    inverse.iter().map(|factor| change.iter().map(|change| factor * change).collect()).collect()
}

/// j^nu with 0^0 = 1.
fn power<T: Number>(j: usize, nu: T) -> T {
    let base = j as f64;
    if j == 0 { T::constant(base.powf(nu.value())) } else { T::constant(base).powf(nu) }
}

/// r_nu(n) for n = 0 .. w.len() - 1.
fn remainder<T: Number>(alpha: T, nu: T, w: &[T], singularities: &Singularities<T>) -> Vec<T> {
    let zero = T::constant(0.0);
    let mut r = vec![zero; w.len()];
    far(alpha, nu, singularities, &mut r);
    let exact = (nu + 1.0).gamma() * (nu + alpha + 1.0).recip_gamma();
    for (n, r) in r.iter_mut().enumerate().take(FAR) {
        let sum = (0..=n).fold(zero, |sum, j| sum + w[n - j] * power(j, nu));
        *r = exact * power(n, nu + alpha) - sum;
    }
    r
}

/// The expansion, for n from [`FAR`] on.
fn far<T: Number>(alpha: T, nu: T, singularities: &Singularities<T>, r: &mut [T]) {
    if r.len() <= FAR {
        return;
    }
    let d = &singularities.at_one;
    // zeta(-nu-i) (-1)^i/i!, and the same of the alternating series.
    let (mut zetas, mut etas) = ([T::constant(0.0); TERMS], [T::constant(0.0); TERMS]);
    let mut factor = 1.0;
    for i in 0..TERMS {
        let x = nu + i as f64;
        let zeta = zeta_of_minus(x);
        zetas[i] = zeta * factor;
        etas[i] = zeta * (T::constant(2.0).powf(x + 1.0) - 1.0) * factor;
        factor *= -1.0 / (i + 1) as f64;
    }
    if nu.value() == 0.0 {
        // The sample 0^0 = 1.
        zetas[0] = zetas[0] + 1.0;
        etas[0] = etas[0] + 1.0;
    }
    let from_power: [T; TERMS] = std::array::from_fn(|m| {
        if m < 2 {
            T::constant(0.0)
        } else {
            -d[m] * (nu + 1.0).gamma() * (nu + alpha + (1.0 - m as f64)).recip_gamma()
        }
    });
    let product = |a: &[T; TERMS], b: &[T; TERMS], m: usize| {
        (0..=m).fold(T::constant(0.0), |sum, i| sum + a[i] * b[m - i])
    };
    let from_start: [T; TERMS] =
        std::array::from_fn(|m| -product(&zetas, d, m) * (alpha - m as f64).recip_gamma());
    add(nu + alpha, &from_power, false, r);
    add(alpha - 1.0, &from_start, false, r);
    if let Some(d) = &singularities.at_minus_one {
        let alternating: [T; TERMS] =
            std::array::from_fn(|m| -product(&etas, d, m) * (-alpha - m as f64).recip_gamma());
        add(-alpha - 1.0, &alternating, true, r);
    }
}

/// Adds `n^exponent sum_m terms[m] n^-m`, times (-1)^n if `alternating`.
fn add<T: Number>(exponent: T, terms: &[T; TERMS], alternating: bool, r: &mut [T]) {
    let mut table = vec![T::constant(0.0); r.len()];
    write_powers(exponent.value(), &mut table, T::HAS_DERIVATIVE, |entry, power, change| {
        *entry = exponent.function(power, change);
    });
    let mut start = FAR;
    while start < r.len() {
        // As n doubles, fewer terms count.
        let end = (2 * start).min(r.len());
        let size = |m: usize| {
            let term = terms[m].value().abs().max(terms[m].derivative().abs());
            term * (start as f64).powi(-(m as i32))
        };
        let largest = (0..TERMS).map(size).fold(0.0, f64::max);
        let count = (0..TERMS).rposition(|m| size(m) > 1e-17 * largest).map_or(0, |last| last + 1);
        for (n, (r, power)) in (start..end).zip(r[start..end].iter_mut().zip(&table[start..end])) {
            let x = 1.0 / n as f64;
            let sum = terms[..count].iter().rev().fold(T::constant(0.0), |sum, t| sum * x + *t);
            let sign = if alternating && !n.is_multiple_of(2) { -1.0 } else { 1.0 };
            *r = *r + *power * sum * sign;
        }
        start = end;
    }
}

/// zeta(-x) for x >= 0, by the functional equation.
fn zeta_of_minus<T: Number>(x: T) -> T {
    if x.value() == 0.0 {
        // zeta'(0) = -ln(2 pi)/2
        return x.function(-0.5, 0.5 * (2.0 * PI).ln());
    }
    T::constant(2.0 * PI).powf(-x - 1.0)
        * (x * (0.5 * PI)).sin()
        * (x + 1.0).gamma()
        * zeta(x + 1.0)
        * -2.0
}

/// zeta(s) for s > 1, by Euler and Maclaurin.
fn zeta<T: Number>(s: T) -> T {
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
    let power = |base: f64, exponent: T| T::constant(base).powf(exponent);
    let mut sum = power(M, -s + 1.0) / (s - 1.0) + power(M, -s) * 0.5;
    let mut term = s * power(M, -s - 1.0);
    for (k, c) in COEFFICIENTS.iter().enumerate() {
        sum = sum + term * *c;
        let next = s + (2 * k + 1) as f64;
        term = term * next * (next + 1.0) / (M * M);
    }
    (1..12).rev().fold(sum, |sum, j| sum + power(f64::from(j), -s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_at_known_places() {
        for (x, value) in [
            (0.0f64, -0.5),
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
        let near = |Exponents { values: found, .. }: Exponents, expected: &[f64]| {
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
