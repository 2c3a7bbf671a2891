//! Convolution quadrature weights of the backward differentiation formulas.
//!
//! The formula of order p has the generating polynomial
//!
//! ```text
//! delta(x) = sum_{i=1..p} (1-x)^i / i = (1-x) q(x)
//! ```
//!
//! and the coefficients of `delta(x)^alpha` are the weights of the derivative of order alpha on a
//! unit step (Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050). Applied to the
//! binomials C(n, i) they give the coefficients of `delta(x)^alpha (1-x)^-(i+1)`, shifted by i;
//! hence the general form here:
//!
//! ```text
//! u(x) = delta(x)^alpha (1-x)^-k
//! (1-x) q u' = (alpha delta' + k q) u
//! ```
//!
//! Comparing coefficients of the second line gives a recurrence of p terms, used for the first few
//! thousand; the rest is in tail.rs. (An FFT of samples on
//! the unit circle would be wrong by aliasing of the slowly decaying tail.)

mod tail;

use crate::{Number, OperatorError, Result};

/// The largest p for which the formulas are stable.
pub(crate) const MAX_P: usize = 6;

/// A common denominator of the coefficients up to p = 6. The recurrence runs on whole numbers:
/// with a rounded 1/3 the root of delta at x = 1 moves, and p = 3 loses five digits by the
/// millionth weight.
const DENOMINATOR: f64 = 60.0;

/// A backward differentiation formula of order p, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bdf(u8);

impl Bdf {
    pub(crate) fn new(p: usize) -> Result<Self> {
        if (1..=MAX_P).contains(&p) {
            Ok(Self(p as u8))
        } else {
            Err(OperatorError::BdfOrder { p })
        }
    }

    pub(crate) fn p(self) -> usize {
        usize::from(self.0)
    }

    /// Names of the schemes.
    pub(crate) const NAMES: [&str; MAX_P] = ["bdf1", "bdf2", "bdf3", "bdf4", "bdf5", "bdf6"];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self.p() - 1]
    }

    /// Coefficients of q and of delta times [`DENOMINATOR`], lowest power first.
    pub(crate) fn polynomials(self) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut delta) = (vec![0.0; MAX_P], vec![0.0; MAX_P + 1]);
        let mut power = vec![1.0]; // (1-x)^(i-1)
        for i in 1..=self.p() {
            let next = times_one_minus_x(&power);
            let factor = DENOMINATOR / i as f64;
            for (q, c) in q.iter_mut().zip(&power) {
                *q += factor * c;
            }
            for (d, c) in delta.iter_mut().zip(&next) {
                *d += factor * c;
            }
            power = next;
        }
        q.truncate(self.p());
        delta.truncate(self.p() + 1);
        (q, delta)
    }

    /// A coefficient of [`Bdf::polynomials`] without the denominator.
    pub(crate) fn unit(coefficient: f64) -> f64 {
        coefficient / DENOMINATOR
    }

    /// The first n coefficients of `delta(x)^alpha (1-x)^-k`.
    pub(crate) fn series<N: Number>(self, alpha: N, k: usize, n: usize) -> Vec<N> {
        let Recurrence { c0, terms } = self.recurrence(alpha, k);
        let mut u = Vec::with_capacity(n);
        u.push(N::constant(Self::unit(c0)).powf(alpha));
        for m in 1..n.min(tail::FROM) {
            let past = &u[m.saturating_sub(terms.len())..];
            // The newest coefficient comes last: the sum of the others does not wait for it.
            let sum = past.iter().zip(&terms[terms.len() - past.len()..]);
            let sum = sum.map(|(u, term)| term.at(m) * *u);
            u.push(sum.fold(N::constant(-0.0), |sum, term| sum + term) / (c0 * m as f64));
        }
        if n > tail::FROM {
            u.resize(n, N::constant(0.0));
            tail::write(&mut u, self.p(), alpha, k);
        }
        u
    }

    fn recurrence<N: Number>(self, alpha: N, k: usize) -> Recurrence<N> {
        let (q, delta) = self.polynomials();
        let terms = (1..=self.p())
            .rev()
            .map(|j| {
                // j delta_j is the coefficient of x^(j-1) in delta'.
                let b = alpha * (j as f64 * delta[j]) + k as f64 * q[j - 1];
                Term { a: delta[j], j: j as f64, b }
            })
            .collect();
        Recurrence { c0: delta[0], terms }
    }
}

/// Order of the backward difference of the samples that convolution quadrature is applied to: the
/// number of classical derivatives in alpha, at most two.
pub(crate) fn differences(alpha: f64) -> usize {
    (alpha.ceil() as usize).min(2)
}

/// `m c0 u_m = sum_{j=1..p} (b_j - a_j (m-j)) u_{m-j}`, terms from j = p down to 1.
struct Recurrence<N> {
    c0: f64,
    terms: Vec<Term<N>>,
}

#[derive(Clone, Copy)]
struct Term<N> {
    j: f64,
    a: f64,
    b: N,
}

impl<N: Number> Term<N> {
    fn at(self, m: usize) -> N {
        self.b - self.a * (m as f64 - self.j)
    }
}

fn times_one_minus_x(p: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; p.len() + 1];
    for (i, c) in p.iter().enumerate() {
        product[i] += c;
        product[i + 1] -= c;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_those_of_the_literature() {
        let expected: [&[f64]; 4] = [
            &[1.0, -1.0],
            &[1.5, -2.0, 0.5],
            &[11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0],
            &[25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25],
        ];
        for (p, expected) in (1..).zip(expected) {
            let (_, delta) = Bdf::new(p).unwrap().polynomials();
            for (d, e) in delta.iter().zip(expected) {
                assert!((d / DENOMINATOR - e).abs() < 1e-15, "p = {p}: {delta:?}");
            }
        }
    }

    #[test]
    fn powers_of_one_give_the_polynomial_back() {
        for p in 1..=MAX_P {
            let bdf = Bdf::new(p).unwrap();
            let (_, delta) = bdf.polynomials();
            let u = bdf.series(1.0, 0, 12);
            for (m, u) in u.iter().enumerate() {
                let expected = delta.get(m).copied().unwrap_or(0.0) / DENOMINATOR;
                assert!((u - expected).abs() < 1e-14, "p = {p}, m = {m}: {u} != {expected}");
            }
        }
    }

    #[test]
    fn dividing_by_one_minus_x_sums_the_coefficients() {
        let bdf = Bdf::new(4).unwrap();
        let (u, summed) = (bdf.series(0.6, 0, 200), bdf.series(0.6, 1, 200));
        let mut sum = 0.0;
        for (u, summed) in u.iter().zip(summed) {
            sum += u;
            assert!((sum - summed).abs() < 1e-14, "{sum} != {summed}");
        }
    }

    #[test]
    fn refuses_formulas_that_do_not_exist() {
        for p in [0, 7, 300] {
            assert!(matches!(Bdf::new(p), Err(OperatorError::BdfOrder { p: q }) if q == p));
        }
    }
}
