//! Gauss quadrature for the weight (1-x^2)^s on (-1, 1): Legendre for s = 0, Gegenbauer otherwise.

use crate::Number;
use std::f64::consts::PI;

/// The orthonormal polynomials p_0 = 1, p_1, .. of the weight (1-x^2)^s, divided by its integral:
///
/// ```text
/// b_{k+1} p_{k+1} = x p_k - b_k p_{k-1},   b_k^2 = k (k+2s) / ((2k+2s)^2 - 1)
/// ```
pub(crate) struct Orthonormal<N = f64> {
    s: N,
}

impl<N: Number> Orthonormal<N> {
    pub(crate) fn new(s: N) -> Self {
        Self { s }
    }

    fn b(&self, k: usize) -> N {
        let (k, d) = (k as f64, self.s * 2.0 + 2.0 * k as f64);
        // (d-1) (d+1), which for k = 1, s = 0 is 3 and never zero.
        ((self.s * 2.0 + k) * k / ((d - 1.0) * (d + 1.0))).sqrt()
    }

    /// p_0 .. p_{n-1} at x.
    pub(crate) fn values(&self, x: f64, n: usize) -> Vec<N> {
        let zero = N::constant(0.0);
        let (mut before, mut p, mut b) = (zero, N::constant(1.0), zero);
        let next = |k: usize| {
            let now = p;
            let ahead = self.b(k + 1);
            (before, p, b) = (p, (p * x - b * before) / ahead, ahead);
            now
        };
        (0..n).map(next).collect()
    }
}

impl Orthonormal {
    /// p_n and dp_n/dx at x.
    fn last(&self, x: f64, n: usize) -> (f64, f64) {
        let (mut before, mut p, mut b) = ((0.0, 0.0), (1.0, 0.0), 0.0);
        for k in 0..n {
            let ahead = self.b(k + 1);
            let next = ((x * p.0 - b * before.0) / ahead, (p.0 + x * p.1 - b * before.1) / ahead);
            (before, p, b) = (p, next, ahead);
        }
        p
    }

    /// The n nodes in increasing order with their weights, which sum to 1: exact for polynomials of
    /// degree 2n-1.
    pub(crate) fn quadrature(&self, n: usize) -> Vec<(f64, f64)> {
        let node = |i: usize| {
            if 2 * i + 1 == n {
                return 0.0;
            }
            // Interior asymptotics of the zeros; Newton's method from there does the rest.
            let (i, n_s) = ((i + 1) as f64, n as f64 + self.s + 0.5);
            let mut x = -((i - 0.25 + 0.5 * self.s) * PI / n_s).cos();
            for _ in 0..20 {
                let (p, slope) = self.last(x, n);
                let step = p / slope;
                x -= step;
                if step.abs() < 1e-15 {
                    break;
                }
            }
            x
        };
        // By symmetry the left half is enough.
        let mut nodes: Vec<f64> = (0..n.div_ceil(2)).map(node).collect();
        for i in (0..n / 2).rev() {
            nodes.push(-nodes[i]);
        }
        let weight = |x: f64| 1.0 / self.values(x, n).iter().map(|p| p * p).sum::<f64>();
        nodes.into_iter().map(|x| (x, weight(x))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;
    use hpfracc_special::{gamma, recip_gamma};

    /// Moments of the weight, which decide on nodes and weights alike.
    #[test]
    fn exact_for_polynomials_of_degree_2n_minus_1() {
        for s in [0.0, 0.1, 0.5, 0.9, 1.0] {
            for n in [1, 2, 3, 8, 33, 200] {
                let rule = Orthonormal::new(s).quadrature(n);
                assert!(rule.windows(2).all(|pair| pair[0].0 < pair[1].0), "{s} {n}");
                let moment = |degree: usize| -> f64 {
                    rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum()
                };
                for degree in (0..2 * n).filter(|d| *d < 60) {
                    let half = 0.5 * (degree as f64 + 1.0);
                    let expected = if degree % 2 == 1 {
                        0.0
                    } else {
                        gamma(half) * gamma(s + 1.5) * recip_gamma(half + s + 1.0) / PI.sqrt()
                    };
                    let error = (moment(degree) - expected).abs();
                    assert!(error < 2e-15 * n as f64, "{s} {n} x^{degree}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_limits_of_differences() {
        let (x, n, e) = (0.37, 12, 1e-5);
        let ahead = Orthonormal::new(0.4 + e).values(x, n);
        let behind = Orthonormal::new(0.4 - e).values(x, n);
        let found = Orthonormal::new(Dual::variable(0.4)).values(x, n);
        for (k, Dual { derivative, .. }) in found.into_iter().enumerate() {
            let expected = (ahead[k] - behind[k]) / (2.0 * e);
            assert!((derivative - expected).abs() < 1e-8, "{k}: {derivative} {expected}");
        }
    }
}
