use hpfracc_operators::Number;

/// Integrals of `u^(alpha-1)/Gamma(alpha)` times 1 and times a linear function; with `Dual` numbers
/// also their derivatives with respect to alpha.
#[derive(Debug, Clone)]
pub(crate) struct CellMoments<T = f64> {
    pub(super) alpha: T,
    recip_gamma: T,
    /// 1/Gamma(alpha + 1).
    recip_gamma_of_cell: T,
    /// `C(alpha - 1, m)`.
    binomials: [T; TERMS],
}

/// A cell this much shorter than its distance takes the series; (1/16)^13 is 2e-16.
const SHORT: f64 = 1.0 / 16.0;
const TERMS: usize = 13;

impl<T: Number> CellMoments<T> {
    pub(crate) fn new(alpha: T) -> Self {
        let mut binomials = [T::constant(1.0); TERMS];
        for m in 1..TERMS {
            binomials[m] = binomials[m - 1] * (alpha - m as f64) / m as f64;
        }
        let (recip_gamma, recip_gamma_of_cell) = (alpha.recip_gamma(), (alpha + 1.0).recip_gamma());
        Self { alpha, recip_gamma, recip_gamma_of_cell, binomials }
    }

    /// The integral over the cell from `s0` to `s1 <= t` of `(t-s)^(alpha-1)/Gamma(alpha)`, without
    /// cancellation; of order 0, the value at the end: 1 for the cell that ends at t, 0 for others.
    pub(crate) fn cell(&self, t: f64, s0: f64, s1: f64) -> T {
        let (far, width) = (t - s0, s1 - s0);
        let whole = self.recip_gamma_of_cell * T::constant(far).powf(self.alpha);
        if s1 >= t { whole } else { -whole * (self.alpha * (-width / far).ln_1p()).exp_m1() }
    }

    /// The weights of the values at `s0` and `s1` in the integral over the part of the cell before
    /// t of `(t-s)^(alpha-1)/Gamma(alpha)` times the linear function through them.
    pub(crate) fn weights(&self, t: f64, s0: f64, s1: f64) -> (T, T) {
        let (a, width) = (self.alpha, s1 - s0);
        if width == 0.0 {
            // A jump of f.
            return (T::constant(0.0), T::constant(0.0));
        }
        let (far, near) = (t - s0, (t - s1).max(0.0));
        let d = far - near;
        // With u = t - s from `near` to `far`: the integrals of u^(a-1) and of u^(a-1) (u-near)/d.
        let (whole, sloped) = if d < SHORT * near {
            let x = d / near;
            let (mut whole, mut sloped) = (T::constant(0.0), T::constant(0.0));
            for (m, c) in self.binomials.iter().enumerate().rev() {
                whole = whole * x + *c / (m + 1) as f64;
                sloped = sloped * x + *c / (m + 2) as f64;
            }
            let scale = T::constant(near).powf(a - 1.0) * d;
            (scale * whole, scale * sloped)
        } else {
            let power = |u: f64| if u > 0.0 { T::constant(u).powf(a) } else { T::constant(0.0) };
            let (pf, pn) = (power(far), power(near));
            let whole = (pf - pn) / a;
            let first = (pf * far - pn * near) / (a + 1.0);
            (whole, (first - whole * near) / d)
        };
        // The linear function is f(end) + (f0 - f(end)) (u-near)/d, and f(end) is on the line.
        let at_end = d / width;
        let end = whole - sloped;
        let left = sloped + end * (1.0 - at_end);
        (self.recip_gamma * left, self.recip_gamma * end * at_end)
    }
}
