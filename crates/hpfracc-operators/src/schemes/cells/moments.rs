//! Integrals of the kernel `u^(mu-1)/Gamma(mu)` over a cell, and their derivatives in mu.

use crate::memory::sum_of_exponentials::{mean, moment};
use hpfracc_special::{digamma, recip_gamma};

/// The kernel `u^(mu-1)/Gamma(mu)` of order mu > 0.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    mu: f64,
    /// C(mu - 1, m) and their derivatives in mu.
    binomials: [(f64, f64); TERMS],
}

/// A cell this much shorter than its distance takes the series in their ratio; (1/8)^18 is 6e-17.
const SHORT: f64 = 0.125;
const TERMS: usize = 18;

/// The integral of the kernel over a cell and that against the line that rises from 0 on the left to 1 on
/// the right; the left is the far end.
pub(super) type Integrals = [f64; 2];

impl Kernel {
    pub(super) fn new(mu: f64) -> Self {
        let mut binomials = [(1.0, 0.0); TERMS];
        for m in 1..TERMS {
            let (c, dc) = binomials[m - 1];
            let m_ = m as f64;
            binomials[m] = (c * (mu - m_) / m_, (dc * (mu - m_) + c) / m_);
        }
        Self { mu, binomials }
    }

    /// Over the cell of length h that ends where the kernel is singular.
    pub(super) fn near(&self, h: f64) -> Integrals {
        [1.0, 2.0].map(|shift| h.powf(self.mu) * recip_gamma(self.mu + shift))
    }

    /// Derivative of [`Kernel::near`] in mu.
    pub(super) fn near_derivative(&self, h: f64) -> Integrals {
        let (mu, ln) = (self.mu, h.ln());
        [1.0, 2.0].map(|shift| h.powf(mu) * recip_gamma(mu + shift) * (ln - digamma(mu + shift)))
    }

    /// Over the distances from `near` > 0 to `near + d`.
    pub(super) fn far(&self, near: f64, d: f64) -> Integrals {
        let (whole, _) = power_integral(self.mu, near, d);
        let scale = recip_gamma(self.mu);
        [scale * whole, scale * self.rising(near, d).0]
    }

    /// Derivative of [`Kernel::far`] in mu.
    pub(super) fn far_derivative(&self, near: f64, d: f64) -> Integrals {
        // 1/Gamma and psi/Gamma are finite as mu falls to 0, psi is not.
        let (scale, slope) = (recip_gamma(self.mu), recip_gamma_derivative(self.mu));
        [power_integral(self.mu, near, d), self.rising(near, d)]
            .map(|(value, derivative)| scale * derivative + slope * value)
    }

    /// `int u^(mu-1) (far-u)/d du` from `near` to `far = near + d`, and its derivative in mu.
    fn rising(&self, near: f64, d: f64) -> (f64, f64) {
        let far = near + d;
        if d >= SHORT * near {
            let (whole, whole_derivative) = power_integral(self.mu, near, d);
            let (first, first_derivative) = power_integral(self.mu + 1.0, near, d);
            let value = (far * whole - first) / d;
            return (value, (far * whole_derivative - first_derivative) / d);
        }
        let x = d / near;
        let (mut sum, mut derivative) = (0.0, 0.0);
        for (m, (c, dc)) in self.binomials.iter().enumerate().rev() {
            let weight = ((m + 1) as f64 * (m + 2) as f64).recip();
            sum = sum * x + c * weight;
            derivative = derivative * x + dc * weight;
        }
        let scale = near.powf(self.mu - 1.0) * d;
        (scale * sum, scale * (near.ln() * sum + derivative))
    }
}

/// `int u^(mu-1) du` from `near` > 0 to `far = near + d`, and its derivative in mu.
///
/// With `u = far exp(-y)` it is `far^mu Y int_0^1 exp(-mu Y v) dv`, where nothing cancels.
fn power_integral(mu: f64, near: f64, d: f64) -> (f64, f64) {
    let far = near + d;
    let y = (d / near).ln_1p();
    let scale = far.powf(mu) * y;
    let value = scale * mean(mu * y);
    (value, far.ln() * value - scale * y * moment(mu * y))
}

/// d/dmu 1/Gamma(mu) = -psi(mu)/Gamma(mu), for mu > 0.
pub(super) fn recip_gamma_derivative(mu: f64) -> f64 {
    recip_gamma(mu + 1.0) - digamma(mu + 1.0) * recip_gamma(mu)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By midpoints in log u; the kernel and the line are smooth there.
    fn quadrature(mu: f64, near: f64, d: f64) -> Integrals {
        let (far, parts) = (near + d, 20_000);
        let step = (d / near).ln_1p() / f64::from(parts);
        (0..parts).fold([0.0; 2], |[whole, rising], i| {
            let u = near * ((f64::from(i) + 0.5) * step).exp();
            let cell = 2.0 * (0.5 * step).sinh() * u * u.powf(mu - 1.0) * recip_gamma(mu);
            [whole + cell, rising + cell * (far - u) / d]
        })
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
            let slopes = kernel.far_derivative(1.0, below).into_iter();
            for (below, above) in pairs.chain(slopes.zip(kernel.far_derivative(1.0, above))) {
                assert!((below - above).abs() < 1e-13 * below.abs(), "{mu}: {below} {above}");
            }
        }
    }

    #[test]
    fn near_is_the_limit_of_far() {
        for mu in [0.4, 1.0, 1.7] {
            let kernel = Kernel::new(mu);
            let h = 0.7;
            for (near, far) in [
                (kernel.near(h), kernel.far(1e-60, h)),
                (kernel.near_derivative(h), kernel.far_derivative(1e-60, h)),
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
            let [below, middle, above] = [mu - step, mu, mu + step].map(Kernel::new);
            for (near, d) in [(1.0, 0.01), (0.1, 3.0), (1e-4, 1e-3)] {
                let near_differences = [above.near(d), below.near(d), middle.near_derivative(d)];
                let far_differences =
                    [above.far(near, d), below.far(near, d), middle.far_derivative(near, d)];
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
