//! The error of convolution quadrature for t^k, far from the start and without cancellation.
//!
//! Put x = e^-u. The weights have the series `delta(e^-u)^alpha = u^alpha D(u)`, D = 1 + O(u^p),
//! the samples n^k have `k!/u^(k+1) + sum_i zeta(-k-i) (-u)^i / i!` (and 1 more if k = 0), and u^b
//! belongs to n^(-b-1)/Gamma(-b). The product begins with the exact derivative; all else is the
//! remainder:
//!
//! ```text
//! exact_k[n] - sum_j w_j (n-j)^k =
//!     - sum_{j>=p} D_j k! n^(k-alpha-j) / Gamma(k+1-alpha-j)
//!     - sum_{i,j>=0} zeta(-k-i) (-1)^i / i! D_j n^(-1-alpha-i-j) / Gamma(-alpha-i-j)
//! ```
//!
//! A literal subtraction would lose it from n^(1+k) = 1e16 on.

use crate::Number;
use crate::schemes::lubich::Bdf;
use crate::schemes::sequences::powers;
use hpfracc_special::gamma;

/// Number of powers of 1/n: from n = 64 on the rest is below rounding.
const TERMS: usize = 12;

/// From here on the expansion holds: the other singularities of the series, the nearest of them at
/// 1/|x| = 0.56, 0.71 and 0.863 for p = 4, 5 and 6, have died out.
pub(super) fn from(bdf: Bdf) -> usize {
    match bdf.p() {
        1..=4 => 64,
        5 => 128,
        _ => 256,
    }
}

/// The highest power treated: that of the highest order, 20.
const MOST_POWER: usize = 20;

/// zeta(-m) for m = 0, 1, ...: -1/2 and -B_(m+1)/(m+1).
const ZETA: [f64; MOST_POWER + TERMS] = {
    let mut zeta = [0.0; MOST_POWER + TERMS];
    zeta[0] = -0.5;
    zeta[1] = -1.0 / 12.0;
    zeta[3] = 1.0 / 120.0;
    zeta[5] = -1.0 / 252.0;
    zeta[7] = 1.0 / 240.0;
    zeta[9] = -1.0 / 132.0;
    zeta[11] = 691.0 / 32760.0;
    zeta[13] = -1.0 / 12.0;
    zeta[15] = 3617.0 / 8160.0;
    zeta[17] = -43867.0 / 14364.0;
    zeta[19] = 174611.0 / 6600.0;
    zeta[21] = -854513.0 / 3036.0;
    zeta[23] = 236364091.0 / 65520.0;
    zeta[25] = -657931.0 / 12.0;
    zeta[27] = 3392780147.0 / 3480.0;
    zeta[29] = -1723168255201.0 / 85932.0;
    zeta[31] = 7709321041217.0 / 16320.0;
    zeta
};

/// The error `h^j D_j D^(alpha+j) t^k`, j = p..=k, that the formula itself makes of t^k: the first
/// sum down to n^-alpha, at n >= 1 on a unit step.
pub(super) struct FormulaError<N> {
    factors: Vec<(N, usize)>,
    power: N,
}

impl<N: Number> FormulaError<N> {
    pub(super) fn new(alpha: N, bdf: Bdf, k: usize) -> Self {
        let d = correction::<N, { MOST_POWER + 1 }>(alpha, bdf.p());
        let factor = |j: usize| {
            let b = -alpha + (k as f64 + 1.0 - j as f64);
            (d[j] * gamma(k as f64 + 1.0) * b.recip_gamma(), j)
        };
        Self { factors: (bdf.p()..=k).map(factor).collect(), power: -alpha + k as f64 }
    }

    pub(super) fn at(&self, n: usize) -> N {
        let of = |j: usize| N::constant(n as f64).powf(self.power - j as f64);
        self.factors.iter().fold(N::constant(0.0), |sum, &(factor, j)| sum + factor * of(j))
    }
}

/// The remainder as `n^power sum_m values[m] n^-m`.
pub(super) struct Remainder<N> {
    power: N,
    values: Vec<N>,
}

impl<N: Number> Remainder<N> {
    /// With the [`FormulaError`] or without it.
    pub(super) fn new(alpha: N, bdf: Bdf, k: usize, with_formula_error: bool) -> Self {
        let d = correction::<N, { TERMS + 1 }>(alpha, bdf.p());
        // The first sum starts at n^(k-alpha-p), the second at n^(-1-alpha).
        let first = if with_formula_error { bdf.p() } else { bdf.p().max(k + 1) };
        let ahead = (k + 1).saturating_sub(first);
        let mut values = vec![N::constant(0.0); ahead + TERMS + 1];
        // A term with D_j, n^(-b-1) / Gamma(-b) and b = alpha + m - ahead.
        let mut add = |factor: f64, j: usize, m: usize| {
            let b = alpha + m as f64 - ahead as f64;
            values[m] = values[m] - d[j] * factor * (-b).recip_gamma();
        };
        for j in first..=TERMS {
            add(gamma(k as f64 + 1.0), j, j + ahead - k - 1);
        }
        let mut factor = 1.0; // (-1)^i / i!
        for i in 0..TERMS {
            // The sum over n^k starts at n = 0, where 0^0 is 1 and zeta does not count it.
            let zeta = if k + i == 0 { ZETA[0] + 1.0 } else { ZETA[k + i] };
            for j in 0..TERMS - i {
                add(factor * zeta, j, i + j + ahead);
            }
            factor /= -(i as f64 + 1.0);
        }
        Self { power: -alpha + ahead as f64 - 1.0, values }
    }

    /// Overwrites the entries from `first` on.
    pub(super) fn write(&self, column: &mut [N], first: usize) {
        let power = powers(self.power, column.len(), |power| power);
        for (n, entry) in column.iter_mut().enumerate().skip(first) {
            let x = 1.0 / n as f64;
            let sum = self.values.iter().rev().fold(N::constant(0.0), |sum, c| sum * x + *c);
            *entry = power[n] * sum;
        }
    }
}

/// D = exp(alpha L), L = ln(delta(e^-u)/u): the first LEN coefficients.
fn correction<N: Number, const LEN: usize>(alpha: N, p: usize) -> [N; LEN] {
    let l = logarithm(&quotient::<LEN>(p));
    let mut d = [N::constant(0.0); LEN];
    d[0] = N::constant(1.0);
    for n in 1..LEN {
        for i in 1..=n {
            let factor = i as f64 / n as f64 * l[i];
            d[n] = d[n] + alpha * factor * d[n - i];
        }
    }
    d
}

/// delta(e^-u)/u = 1 - sum_{i>p} s^i / (i u), s = 1 - e^-u, since the whole sum is -ln(1-s) = u.
fn quotient<const LEN: usize>(p: usize) -> [f64; LEN] {
    // s / u
    let mut s = [0.0; LEN];
    let mut c = 1.0;
    for (m, s) in s.iter_mut().enumerate() {
        c /= if m == 0 { 1.0 } else { -(m as f64 + 1.0) };
        *s = c;
    }
    let mut result = [0.0; LEN];
    result[0] = 1.0;
    let mut power = s; // (s/u)^i
    for i in 1..=LEN {
        if i > p {
            for m in 0..=LEN - i {
                result[m + i - 1] -= power[m] / i as f64;
            }
        }
        power = product(&power, &s);
    }
    result
}

/// The logarithm of a series that begins with 1.
fn logarithm<const LEN: usize>(a: &[f64; LEN]) -> [f64; LEN] {
    let mut l = [0.0; LEN];
    for n in 1..LEN {
        let known: f64 = (1..n).map(|i| i as f64 * l[i] * a[n - i]).sum();
        l[n] = a[n] - known / n as f64;
    }
    l
}

fn product<const LEN: usize>(a: &[f64; LEN], b: &[f64; LEN]) -> [f64; LEN] {
    std::array::from_fn(|n| (0..=n).map(|i| a[i] * b[n - i]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// zeta(-m) = 2 (2 pi)^(-m-1) cos(pi (m+1)/2) m! zeta(m+1), whose last factor is 1 + 2^(-m-1) +
    /// ...
    #[test]
    fn zeta_is_that_of_its_functional_equation() {
        assert_eq!(ZETA.len(), MOST_POWER + TERMS);
        for m in 3..ZETA.len() {
            let sum: f64 = (1..2000).map(|n| f64::from(n).powi(-(m as i32) - 1)).sum();
            let sign = [0.0, -1.0, 0.0, 1.0][m % 4];
            let size = 2.0 * std::f64::consts::TAU.powi(-(m as i32) - 1) * gamma(m as f64 + 1.0);
            let expected = sign * size * sum;
            assert!((ZETA[m] - expected).abs() <= 1e-9 * size, "{m}: {} {expected}", ZETA[m]);
        }
    }

    #[test]
    fn the_quotient_begins_with_the_error_constant_of_the_formula() {
        // delta_p(e^-u) = u - u^(p+1)/(p+1) + ...
        for p in 1..=6 {
            let q = quotient::<{ TERMS + 1 }>(p);
            assert!(q[1..p].iter().all(|c| c.abs() < 1e-15), "p = {p}: {q:?}");
            assert!((q[p] + 1.0 / (p as f64 + 1.0)).abs() < 1e-14, "p = {p}: {q:?}");
        }
    }
}
