//! Numbers of about 32 digits as unevaluated sums of two, for phases of thousands of turns: a chirp
//! `exp(i pi beta m^2)` with `m = 1e6` multiplies the rounding of `beta` by 3e12.
//!
//! Arithmetic after Dekker, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083.

use std::f64::consts::PI;

/// An unevaluated sum, |lo| <= ulp(hi)/2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleDouble {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

/// Half of pi.
pub(crate) const FRAC_PI_2: DoubleDouble =
    DoubleDouble { hi: PI / 2.0, lo: 6.123_233_995_736_766e-17 };

/// Powers of theta in the series of sine and cosine: 1.2^28 / 28! is 5e-28, and the next ones are far
/// below what is asked of a phase.
const TERMS: u32 = 28;

impl DoubleDouble {
    pub(crate) fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }

    /// a + b exactly (Knuth).
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let back = hi - a;
        Self { hi, lo: (a - (hi - back)) + (b - back) }
    }

    fn renormalised(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        Self { hi: sum, lo: lo - (sum - hi) }
    }

    fn plus(self, other: Self) -> Self {
        let s = Self::sum(self.hi, other.hi);
        Self::renormalised(s.hi, s.lo + self.lo + other.lo)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let hi = self.hi * other.hi;
        let lo = self.hi.mul_add(other.hi, -hi);
        Self::renormalised(hi, lo + self.hi * other.lo + self.lo * other.hi)
    }

    pub(crate) fn over(self, divisor: Self) -> Self {
        let q = self.hi / divisor.hi;
        let rest = self.plus(divisor.times(Self::from(-q)));
        Self::renormalised(q, (rest.hi + rest.lo) / divisor.hi)
    }

    pub(crate) fn negated(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    /// (sin theta, cos theta) for |theta| <= 1.2, by their Taylor series.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let (mut sine, mut cosine) = (Self::from(0.0), Self::from(1.0));
        let mut term = Self::from(1.0);
        for k in 1..=TERMS {
            term = term.times(self).over(Self::from(f64::from(k)));
            let signed = if k / 2 % 2 == 0 { term } else { term.negated() };
            if k % 2 == 0 {
                cosine = cosine.plus(signed);
            } else {
                sine = sine.plus(signed);
            }
        }
        (sine, cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_to_thirty_digits() {
        let (sine, cosine) = DoubleDouble::from(1.0).sin_cos();
        assert_eq!((sine.hi, cosine.hi), (1f64.sin(), 1f64.cos()));
        let square = sine.times(sine).plus(cosine.times(cosine)).plus(DoubleDouble::from(-1.0));
        assert!(square.hi.abs() < 1e-30, "{square:?}");
        let tangent = sine.over(cosine);
        assert_eq!(tangent.hi, 1.557_407_724_654_902_3);
        assert!((tangent.lo - TAN_1_LO).abs() < 1e-28, "{tangent:?}");
    }

    /// tan 1 less its double, by mpmath.
    const TAN_1_LO: f64 = -6.186_464_176_037_592e-17;
}
