//! Numbers of about 32 digits as unevaluated sums of two, only as far as the exponents of the
//! Mittag-Leffler function need them: an error δ in s is a relative error δ in e^s.
//!
//! Arithmetic after Dekker, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083. The logarithm,
//! sine and cosine are right to about 1e-20, which is what the exponents need.

use std::f64::consts::{LN_2, PI};

/// An unevaluated sum, |lo| <= ulp(hi)/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

pub(crate) const PI_DD: DoubleDouble = DoubleDouble { hi: PI, lo: 1.224_646_799_147_353_2e-16 };
const LN_2_DD: DoubleDouble = DoubleDouble { hi: LN_2, lo: 2.319_046_813_846_299_6e-17 };

impl DoubleDouble {
    /// a + b exactly (Knuth).
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let back = hi - a;
        Self { hi, lo: (a - (hi - back)) + (b - back) }
    }

    /// a b exactly.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: a.mul_add(b, -hi) }
    }

    fn renormalised(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        Self { hi: sum, lo: lo - (sum - hi) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let s = Self::sum(self.hi, other.hi);
        Self::renormalised(s.hi, s.lo + self.lo + other.lo)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        self.plus(Self { hi: -other.hi, lo: -other.lo })
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let p = Self::product(self.hi, other.hi);
        Self::renormalised(p.hi, p.lo + self.hi * other.lo + self.lo * other.hi)
    }

    pub(crate) fn scaled(self, factor: f64) -> Self {
        let p = Self::product(self.hi, factor);
        Self::renormalised(p.hi, p.lo + self.lo * factor)
    }

    pub(crate) fn over(self, divisor: Self) -> Self {
        let q = self.hi / divisor.hi;
        let rest = self.minus(divisor.scaled(q));
        Self::renormalised(q, (rest.hi + rest.lo) / divisor.hi)
    }

    /// ln of a positive normal number.
    pub(crate) fn ln(self) -> Self {
        let bits = self.hi.to_bits();
        let mut exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
        let mut mantissa = f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52));
        if mantissa > std::f64::consts::SQRT_2 {
            mantissa *= 0.5;
            exponent += 1;
        }
        // Two exact scalings: one power of two might not be a normal number.
        let half = exponent / 2;
        let lo = self.lo * f64::from(-half).exp2() * f64::from(half - exponent).exp2();
        // ln m = 2 atanh t, t = (m-1)/(m+1), |t| <= 0.172. Beyond the cubic term plain numbers
        // are enough.
        let t = Self::sum(mantissa, -1.0)
            .plus(Self { hi: lo, lo: 0.0 })
            .over(Self::sum(mantissa, 1.0).plus(Self { hi: lo, lo: 0.0 }));
        let v = t.times(t);
        let tail = (2..12).rev().fold(0.0, |s, k| (s + 2.0 / f64::from(2 * k + 1)) * v.hi);
        const TWO_THIRDS: DoubleDouble =
            DoubleDouble { hi: 2.0 / 3.0, lo: 3.700_743_415_417_188e-17 };
        let cubic = TWO_THIRDS.plus(Self { hi: tail, lo: 0.0 }).times(v).times(t);
        LN_2_DD.scaled(f64::from(exponent)).plus(t.scaled(2.0)).plus(cubic)
    }

    /// (sin θ, cos θ) for |θ| <= 4.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let t = self.scaled(1.0 / 16.0);
        let v = t.times(t);
        // sin t = t + t v (-1/6 + ...), cos t - 1 = v (-1/2 + v (1/24 + ...)), |v| <= 1/16.
        const SIN: [f64; 6] = [
            -1.0 / 1_307_674_368_000.0,
            1.0 / 6_227_020_800.0,
            -1.0 / 39_916_800.0,
            1.0 / 362_880.0,
            -1.0 / 5040.0,
            1.0 / 120.0,
        ];
        const SIXTH: DoubleDouble = DoubleDouble { hi: -1.0 / 6.0, lo: -9.251_858_538_542_97e-18 };
        let tail = SIN.iter().fold(0.0, |s, &c| s * v.hi + c) * v.hi;
        let sine = t.plus(SIXTH.plus(Self { hi: tail, lo: 0.0 }).times(v).times(t));
        let (mut sine, mut below) = (sine, Self { hi: 0.0, lo: 0.0 });
        // cos t - 1 = -2 sin²(t/2) follows from one more doubling, so only the sine of t/2 would
        // be needed; from sin t itself: cos t - 1 = -sin² t / (1 + cos t).
        let square = sine.times(sine);
        let one = Self { hi: 1.0, lo: 0.0 };
        let root = one.minus(square).sqrt();
        below = below.minus(square.over(one.plus(root)));
        for _ in 0..4 {
            let doubled = sine.scaled(2.0).times(one.plus(below));
            below = sine.times(sine).scaled(-2.0);
            sine = doubled;
        }
        (sine, one.plus(below))
    }

    pub(crate) fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        let rest = self.minus(Self::product(root, root));
        Self::renormalised(root, (rest.hi + rest.lo) / (2.0 * root))
    }

    /// The angle of x + iy, starting from the double one and corrected once.
    pub(crate) fn angle(y: f64, x: f64) -> Self {
        let first = y.atan2(x);
        if y == 0.0 {
            let sign = 1f64.copysign(y);
            return if x < 0.0 { PI_DD.scaled(sign) } else { Self { hi: first, lo: 0.0 } };
        }
        let (sine, cosine) = Self { hi: first, lo: 0.0 }.sin_cos();
        let across = cosine.scaled(y).minus(sine.scaled(x));
        Self::renormalised(first, (across.hi + across.lo) / x.hypot(y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_angle_have_the_second_half() {
        // 40-digit values from mpmath, split into two doubles.
        let ln3 = DoubleDouble { hi: 3.0, lo: 0.0 }.ln();
        assert_eq!(ln3.hi, 3f64.ln());
        assert!((ln3.lo + 9.071_297_235_001_53e-17).abs() < 1e-20, "{ln3:?}");
        let a = DoubleDouble::angle(2.0, -1.0);
        assert_eq!(a.hi, 2.034_443_935_795_702_7);
        let (sine, cosine) = DoubleDouble { hi: 3.0, lo: 0.0 }.sin_cos();
        assert!(
            (sine.hi - 0.141_120_008_059_867_2 + sine.lo - 8.577_269_787_017_502e-18).abs() < 1e-20
        );
        assert!((cosine.lo + 4.206_026_156_609_973_4e-17).abs() < 1e-20, "{cosine:?}");
        assert!((a.lo - 2.841_996_617_907_152e-17).abs() < 1e-20, "{a:?}");
    }
}
