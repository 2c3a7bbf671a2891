//! Integrals of the kernel `u^(mu-1)/Gamma(mu)` over a cell.

use crate::Number;
use crate::memory::sum_of_exponentials::{mean, moment};

/// The kernel `u^(mu-1)/Gamma(mu)` of order mu > 0.
#[derive(Debug, Clone)]
pub(super) struct Kernel<N> {
    mu: N,
    /// 1/Gamma(mu + j), j = 0, 1, 2.
    recip_gammas: [N; 3],
    /// C(mu - 1, m).
    binomials: [N; TERMS],
}

/// Cells this much shorter than their distance take the series in the ratio; (1/8)^18 is 6e-17.
const SHORT: f64 = 0.125;
const TERMS: usize = 18;

/// The integrals of the kernel over a cell: alone, and times the line that rises from 0 at the left
/// (far) end to 1 at the right.
pub(super) type Integrals<N> = [N; 2];

impl<N: Number> Kernel<N> {
    pub(super) fn new(mu: N) -> Self {
        let mut binomials = [N::constant(1.0); TERMS];
        for m in 1..TERMS {
            let m_ = m as f64;
            binomials[m] = binomials[m - 1] * (mu - m_) / m_;
        }
        let recip_gammas = [0.0, 1.0, 2.0].map(|shift| (mu + shift).recip_gamma());
        Self { mu, recip_gammas, binomials }
    }

    /// Over the cell of length h that ends where the kernel is singular.
    pub(super) fn near(&self, h: f64) -> Integrals<N> {
        let power = N::constant(h).powf(self.mu);
        [power * self.recip_gammas[1], power * self.recip_gammas[2]]
    }

    /// Over the distances from `near` > 0 to `near + d`.
    pub(super) fn far(&self, near: f64, d: f64) -> Integrals<N> {
        let whole = power_integral(self.mu, near, d);
        let scale = self.recip_gammas[0];
        [scale * whole, scale * self.rising(near, d)]
    }

    /// `int u^(mu-1) (far-u)/d du` from `near` to `far = near + d`.
    fn rising(&self, near: f64, d: f64) -> N {
        let far = near + d;
        if d >= SHORT * near {
            let whole = power_integral(self.mu, near, d);
            let first = power_integral(self.mu + 1.0, near, d);
            return (whole * far - first) / d;
        }
        let x = d / near;
        let mut sum = N::constant(0.0);
        for (m, c) in self.binomials.iter().enumerate().rev() {
            let weight = ((m + 1) as f64 * (m + 2) as f64).recip();
            sum = sum * x + *c * weight;
        }
        N::constant(near).powf(self.mu - 1.0) * d * sum
    }
}

/// `int u^(mu-1) du` from `near` > 0 to `far = near + d`.
///
/// With `u = far exp(-y)` it is `far^mu Y int_0^1 exp(-mu Y v) dv`, where nothing cancels.
fn power_integral<N: Number>(mu: N, near: f64, d: f64) -> N {
    let y = (d / near).ln_1p();
    let scale = N::constant(near + d).powf(mu) * y;
    scale * (mu * y).chain(mean, |x, _| -moment(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;
    use hpfracc_special::recip_gamma;

    /// By midpoints in log u; the kernel and the line are smooth there.
    fn quadrature(mu: f64, near: f64, d: f64) -> Integrals<f64> {
        let (far, parts) = (near + d, 20_000);
        let step = (d / near).ln_1p() / f64::from(parts);
        (0..parts).fold([0.0; 2], |[whole, rising], i| {
            let u = near * ((f64::from(i) + 0.5) * step).exp();
            let cell = 2.0 * (0.5 * step).sinh() * u * u.powf(mu - 1.0) * recip_gamma(mu);
            [whole + cell, rising + cell * (far - u) / d]
        })
    }

    fn derivatives(integrals: Integrals<Dual>) -> Integrals<f64> {
        integrals.map(|i| i.derivative)
    }

    #[test]
    fn integrals_are_those_of_the_kernel() {
        for mu in [1e-6, 0.3, 0.9, 1.0, 1.5, 2.0, 4.5] {
            let kernel = Kernel::new(mu);
            for (near, d) in
                [(1.0, 0.01), (0.3, 0.03), (0.8, 0.1), (0.8, 0.0999), (0.1, 3.0), (2.0, 40.0)]
            {
                let found = kernel.far(near, d);
                let expected = quadrature(mu, near, d);
                for (found, expected) in found.into_iter().zip(expected) {
                    let error = (found / expected - 1.0).abs();
                    assert!(error < 1e-7, "{mu} {near} {d}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn forms_agree_where_they_meet() {
        for mu in [0.01, 0.6, 1.4, 2.0] {
            let kernel = Kernel::new(mu);
            let (below, above) = (SHORT * (1.0 - 1e-15), SHORT * (1.0 + 1e-15));
            let pairs = kernel.far(1.0, below).into_iter().zip(kernel.far(1.0, above));
            let kernel = Kernel::new(Dual::variable(mu));
            let derivatives = |d: f64| kernel.far(1.0, d).map(|i| i.derivative).into_iter();
            for (below, above) in pairs.chain(derivatives(below).zip(derivatives(above))) {
                assert!((below - above).abs() < 1e-13 * below.abs(), "{mu}: {below} {above}");
            }
        }
    }

    #[test]
    fn near_is_the_limit_of_far() {
        for mu in [0.4, 1.0, 1.7] {
            let kernel = Kernel::new(mu);
            let h = 0.7;
            let dual = Kernel::new(Dual::variable(mu));
            for (near, far) in [
                (kernel.near(h), kernel.far(1e-60, h)),
                (derivatives(dual.near(h)), derivatives(dual.far(1e-60, h))),
            ] {
                for (near, far) in near.into_iter().zip(far) {
                    assert!((near - far).abs() < 1e-10 * near.abs(), "{mu}: {near} {far}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_limits_of_differences() {
        for mu in [1e-3, 0.3, 1.0, 1.9] {
            let step = 1e-5 * mu;
            let [below, above] = [mu - step, mu + step].map(Kernel::new);
            let middle = Kernel::new(Dual::variable(mu));
            for (near, d) in [(1.0, 0.01), (0.1, 3.0), (1e-4, 1e-3)] {
                let near_differences = [above.near(d), below.near(d), derivatives(middle.near(d))];
                let far_differences =
                    [above.far(near, d), below.far(near, d), derivatives(middle.far(near, d))];
                for [above, below, derivative] in [near_differences, far_differences] {
                    for i in 0..2 {
                        let expected = (above[i] - below[i]) / (2.0 * step);
                        let size = expected.abs() + above[i].abs();
                        let error = (derivative[i] - expected).abs();
                        assert!(error < 3e-7 * size, "{mu} {near} {d}: {derivative:?} {expected}");
                    }
                }
            }
        }
    }
}
