use std::f64::consts::{LN_2, PI};

/// A number of about 32 digits as an unevaluated sum of two, |lo| <= ulp(hi)/2.
///
/// For phases and exponents, where an error is magnified: the absolute error of s is the relative
/// error of e^s, and a chirp `exp(i pi beta m^2)` with `m = 1e6` multiplies the rounding of `beta`
/// by 3e12. Provides the operations needed there.
///
/// Accuracy: 1e-30 relative to the larger operand; logarithm, sine, cosine and angle 1e-26. Without
/// overflow: `hi` and all results are to be far from the ends of the range of f64.
///
/// Source: T. J. Dekker, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083.
///
/// ```
/// use hpfracc_special::DoubleDouble;
///
/// let third = DoubleDouble::from(1.0).over(DoubleDouble::from(3.0));
/// assert_eq!(third.hi, 1.0 / 3.0);
/// assert!((third.scaled(3.0).minus(DoubleDouble::from(1.0)).hi).abs() < 1e-30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    /// The nearest double.
    pub hi: f64,
    /// The remainder.
    pub lo: f64,
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

const LN_2_DD: DoubleDouble = DoubleDouble { hi: LN_2, lo: 2.319_046_813_846_299_6e-17 };

/// 2/3, 2/5, ..., 2/13: coefficients of 2 atanh t, later ones being small enough to be plain.
const ATANH: [(f64, f64); 6] = [
    (0.6666666666666666, 3.700743415417188e-17),
    (0.4, -2.2204460492503132e-17),
    (0.2857142857142857, 1.586032892321652e-17),
    (0.2222222222222222, 1.2335811384723961e-17),
    (0.18181818181818182, -5.046468293750712e-18),
    (0.15384615384615385, -8.540177112501205e-18),
];

/// -1/3!, 1/5!, ..., -1/11!.
const SINE: [(f64, f64); 5] = [
    (-0.16666666666666666, -9.25185853854297e-18),
    (0.008333333333333333, 1.1564823173178714e-19),
    (-0.0001984126984126984, -1.7209558293420705e-22),
    (2.7557319223985893e-06, -1.858393274046472e-22),
    (-2.505210838544172e-08, 1.448814070935912e-24),
];

/// 1/13!, 1/15!, 1/17!.
const LAST: [f64; 3] =
    [1.605_904_383_682_161_3e-10, 7.647_163_731_819_816e-13, 2.811_457_254_345_520_6e-15];

/// c_0 + v (c_1 + v (c_2 + ... + tail)).
fn series(coefficients: &[(f64, f64)], tail: f64, v: DoubleDouble) -> DoubleDouble {
    let last = DoubleDouble::from(tail);
    let mut terms = coefficients.iter().rev().map(|&(hi, lo)| DoubleDouble { hi, lo });
    let first = terms.next().map_or(last, |c| c.plus(last));
    terms.fold(first, |sum, c| sum.times(v).plus(c))
}

impl DoubleDouble {
    /// Pi.
    pub const PI: Self = Self { hi: PI, lo: 1.224_646_799_147_353_2e-16 };

    /// a + b exactly (Knuth).
    pub fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let back = hi - a;
        Self { hi, lo: (a - (hi - back)) + (b - back) }
    }

    /// a b exactly.
    pub fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: a.mul_add(b, -hi) }
    }

    fn renormalised(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        Self { hi: sum, lo: lo - (sum - hi) }
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        let s = Self::sum(self.hi, other.hi);
        Self::renormalised(s.hi, s.lo + self.lo + other.lo)
    }

    /// The same with the other sign.
    pub fn negated(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        let p = Self::product(self.hi, other.hi);
        Self::renormalised(p.hi, p.lo + self.hi * other.lo + self.lo * other.hi)
    }

    /// The product with a double.
    pub fn scaled(self, factor: f64) -> Self {
        let p = Self::product(self.hi, factor);
        Self::renormalised(p.hi, p.lo + self.lo * factor)
    }

    /// The quotient.
    pub fn over(self, divisor: Self) -> Self {
        let q = self.hi / divisor.hi;
        let rest = self.minus(divisor.scaled(q));
        Self::renormalised(q, (rest.hi + rest.lo) / divisor.hi)
    }

    /// ln of a positive normal number.
    pub fn ln(self) -> Self {
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
        // ln m = 2 atanh t, t = (m-1)/(m+1), v = t² <= 0.03.
        let t = Self::sum(mantissa, -1.0)
            .plus(Self::from(lo))
            .over(Self::sum(mantissa, 1.0).plus(Self::from(lo)));
        let v = t.times(t);
        let tail = (7..14).rev().fold(0.0, |s, k| (s + 2.0 / f64::from(2 * k + 1)) * v.hi);
        let cubic = series(&ATANH, tail, v).times(v).times(t);
        LN_2_DD.scaled(f64::from(exponent)).plus(t.scaled(2.0)).plus(cubic)
    }

    /// (sin θ, cos θ) for |θ| <= 4.
    pub fn sin_cos(self) -> (Self, Self) {
        let t = self.scaled(1.0 / 16.0);
        let v = t.times(t);
        // sin t = t + t v (-1/6 + v/120 - ...), v = t² <= 1/16.
        let tail = v.hi * (LAST[0] - v.hi * (LAST[1] - v.hi * LAST[2]));
        let sine = t.plus(series(&SINE, tail, v).times(v).times(t));
        let (mut sine, mut below) = (sine, Self::from(0.0));
        // cos t - 1 = -sin² t / (1 + cos t), which doubles without cancellation.
        let square = sine.times(sine);
        let one = Self::from(1.0);
        let root = one.minus(square).sqrt();
        below = below.minus(square.over(one.plus(root)));
        for _ in 0..4 {
            let doubled = sine.scaled(2.0).times(one.plus(below));
            below = sine.times(sine).scaled(-2.0);
            sine = doubled;
        }
        (sine, one.plus(below))
    }

    /// The square root of a positive number.
    pub fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        let rest = self.minus(Self::product(root, root));
        Self::renormalised(root, (rest.hi + rest.lo) / (2.0 * root))
    }

    /// The angle of x + iy, starting from the double one and corrected once.
    pub fn angle(y: f64, x: f64) -> Self {
        let first = y.atan2(x);
        if y == 0.0 {
            let sign = 1f64.copysign(y);
            return if x < 0.0 { Self::PI.scaled(sign) } else { Self::from(first) };
        }
        let (sine, cosine) = Self::from(first).sin_cos();
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
        let ln3 = DoubleDouble::from(3.0).ln();
        assert_eq!(ln3.hi, 3f64.ln());
        assert!((ln3.lo + 9.071_297_235_001_53e-17).abs() < 1e-20, "{ln3:?}");
        let a = DoubleDouble::angle(2.0, -1.0);
        assert_eq!(a.hi, 2.034_443_935_795_702_7);
        let (sine, cosine) = DoubleDouble::from(3.0).sin_cos();
        assert!(
            (sine.hi - 0.141_120_008_059_867_2 + sine.lo - 8.577_269_787_017_502e-18).abs() < 1e-20
        );
        assert!((cosine.lo + 4.206_026_156_609_973_4e-17).abs() < 1e-20, "{cosine:?}");
        assert!((a.lo - 2.841_996_617_907_152e-17).abs() < 1e-20, "{a:?}");
    }

    #[test]
    fn sine_and_cosine_have_the_second_half() {
        let (sine, cosine) = DoubleDouble::from(1.0).sin_cos();
        assert_eq!((sine.hi, cosine.hi), (1f64.sin(), 1f64.cos()));
        let square = sine.times(sine).plus(cosine.times(cosine)).minus(DoubleDouble::from(1.0));
        assert!(square.hi.abs() < 1e-26, "{square:?}");
        // tan 1 less its double, by mpmath.
        let tangent = sine.over(cosine);
        assert_eq!(tangent.hi, 1.557_407_724_654_902_3);
        assert!((tangent.lo + 6.186_464_176_037_592e-17).abs() < 1e-26, "{tangent:?}");
    }
}
