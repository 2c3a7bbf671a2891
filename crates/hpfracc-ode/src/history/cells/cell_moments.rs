use hpfracc_special::recip_gamma;

/// Integrals of `u^(alpha-1)/Gamma(alpha)` times 1 and times a linear function.
#[derive(Debug, Clone)]
pub(crate) struct CellMoments {
    pub(super) alpha: f64,
    recip_gamma: f64,
    /// `C(alpha - 1, m)`.
    binomials: [f64; TERMS],
}

/// A cell this much shorter than its distance takes the series; (1/16)^13 is 2e-16.
const SHORT: f64 = 1.0 / 16.0;
const TERMS: usize = 13;

impl CellMoments {
    pub(crate) fn new(alpha: f64) -> Self {
        let mut binomials = [1.0; TERMS];
        for m in 1..TERMS {
            binomials[m] = binomials[m - 1] * (alpha - m as f64) / m as f64;
        }
        Self { alpha, recip_gamma: recip_gamma(alpha), binomials }
    }

    /// The weights of the values at `s0` and `s1` in the integral over the part of the cell before
    /// t of `(t-s)^(alpha-1)/Gamma(alpha)` times the linear function through them.
    pub(crate) fn weights(&self, t: f64, s0: f64, s1: f64) -> (f64, f64) {
        let (a, width) = (self.alpha, s1 - s0);
        let (far, near) = (t - s0, (t - s1).max(0.0));
        let d = far - near;
        // With u = t - s from `near` to `far`: the integrals of u^(a-1) and of u^(a-1) (u-near)/d.
        let (whole, sloped) = if d < SHORT * near {
            let x = d / near;
            let (mut whole, mut sloped) = (0.0, 0.0);
            for (m, c) in self.binomials.iter().enumerate().rev() {
                whole = whole * x + c / (m + 1) as f64;
                sloped = sloped * x + c / (m + 2) as f64;
            }
            let scale = near.powf(a - 1.0) * d;
            (scale * whole, scale * sloped)
        } else {
            let (pf, pn) = (far.powf(a), near.powf(a));
            let whole = (pf - pn) / a;
            let first = (far * pf - near * pn) / (a + 1.0);
            (whole, (first - near * whole) / d)
        };
        // The linear function is f(end) + (f0 - f(end)) (u-near)/d, and f(end) is on the line.
        let at_end = d / width;
        let end = whole - sloped;
        let left = sloped + end * (1.0 - at_end);
        (self.recip_gamma * left, self.recip_gamma * end * at_end)
    }
}
