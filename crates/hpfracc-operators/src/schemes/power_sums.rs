//! Sums and integrals of powers near a point, without cancellation.
//!
//! Product integration applies to a power a sum over offsets, or an integral: a measure mu, in
//! which powers of large numbers cancel. In terms of its moments the cancellation is explicit:
//!
//! ```text
//! int (x + o)^b mu(do) = x^b sum_p C(b, p) M_p x^-p,    M_p = int o^p mu(do)
//! ```

use crate::Number;

/// `int (x + o)^b mu(do)` as a function of x, for a measure on |o| <= radius.
pub(crate) struct PowerSum<N> {
    radius: f64,
    /// The first p, and the distance from each to the next.
    first: usize,
    step: usize,
    /// C(b, p) M_p.
    coefficients: Vec<N>,
    /// Number of terms in addition to those required by the distance: those in which a binomial
    /// grows.
    growing: usize,
}

/// Bits by which omitted terms are below the first one.
const BITS: usize = 60;

impl<N: Number> PowerSum<N> {
    /// From arbitrary moments.
    pub(crate) fn new(b: N, radius: f64, moment: impl Fn(usize) -> f64) -> Self {
        Self::strided(b, radius, 0, 1, moment)
    }

    /// For a measure that is even: odd moments are zero.
    pub(crate) fn even(b: N, radius: f64, moment: impl Fn(usize) -> f64) -> Self {
        Self::strided(b, radius, 0, 2, moment)
    }

    /// For a measure that is odd: even moments are zero.
    pub(crate) fn odd(b: N, radius: f64, moment: impl Fn(usize) -> f64) -> Self {
        Self::strided(b, radius, 1, 2, moment)
    }

    fn strided(
        b: N,
        radius: f64,
        first: usize,
        step: usize,
        moment: impl Fn(usize) -> f64,
    ) -> Self {
        // Past p = |b| binomials shrink. The first moments, up to the second, may be zero.
        let growing = b.value().abs() as usize + 3;
        let mut binomial = N::constant(1.0);
        let mut coefficients = Vec::new();
        for p in 0..first + BITS + growing + step {
            if p >= first && (p - first).is_multiple_of(step) {
                coefficients.push(binomial * moment(p));
            }
            binomial = binomial * (b - p as f64) * (1.0 / (p + 1) as f64);
        }
        Self { radius, first, step, coefficients, growing }
    }

    /// The sum at x >= 2 radius, given `power` = x^b.
    pub(crate) fn at(&self, x: N, power: N) -> N {
        let doublings = ((x.value() / self.radius) as u64).ilog2().max(1) as usize;
        let terms = (BITS / doublings + self.growing).div_ceil(self.step);
        let z = x.recip();
        let ratio = if self.step == 2 { z * z } else { z };
        let before = if self.first == 1 { power * z } else { power };
        let terms = self.coefficients[..terms].iter().rev();
        before * terms.fold(N::constant(0.0), |sum, &c| sum * ratio + c)
    }
}

#[cfg(test)]
mod tests {
    use super::PowerSum;
    use crate::{Dual, Number};

    /// (x+1)^b - 2 x^b + (x-1)^b and (x+1)^b - x^b, where nothing cancels much.
    #[test]
    fn sums_of_powers_near_the_centre() {
        for b in [-1.7, -0.4, 0.3, 1.0, 2.5, 6.2, 21.0] {
            let order = Dual::variable(b);
            let even = |p: usize| if p == 0 { 0.0 } else { 2.0 };
            let second = PowerSum::even(order, 1.0, even);
            let centred = PowerSum::odd(order, 1.0, |_| 2.0);
            let first = PowerSum::new(order, 1.0, |p| if p == 0 { 0.0 } else { 1.0 });
            for x in [2.0, 3.0, 4.5, 9.0, 20.0] {
                let x = Dual::new(x, 0.2);
                let power = |o: f64| (x + o).powf(order);
                let (ahead, here, behind) = (power(1.0), power(0.0), power(-1.0));
                let close = |found: Dual, expected: Dual| {
                    let scale = ahead.value * (1.0 + ahead.value.ln().abs() + b.abs());
                    let error = (found.value - expected.value)
                        .abs()
                        .max((found.derivative - expected.derivative).abs());
                    assert!(error < 1e-14 * scale, "{b} {x:?}: {found:?} {expected:?}");
                };
                close(second.at(x, here), ahead - here * 2.0 + behind);
                close(centred.at(x, here), ahead - behind);
                close(first.at(x, here), ahead - here);
            }
        }
    }
}
