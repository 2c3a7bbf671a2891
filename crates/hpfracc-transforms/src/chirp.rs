//! Points of the unit circle, with the turns taken off before sine and cosine.

use hpfracc_special::DoubleDouble;
use num_complex::Complex;
use std::f64::consts::PI;

/// `exp(i pi x)`, within an ulp or two for every x below 2^52: the quarter turns are taken off
/// exactly.
pub(crate) fn half_turns(x: DoubleDouble) -> Complex<f64> {
    let quarters = (2.0 * x.hi).round();
    let rest = (x.hi - 0.5 * quarters) + x.lo;
    let (sine, cosine) = (PI * rest).sin_cos();
    match quarters.rem_euclid(4.0) as u8 {
        0 => Complex::new(cosine, sine),
        1 => Complex::new(-sine, cosine),
        2 => Complex::new(-cosine, -sine),
        _ => Complex::new(sine, -cosine),
    }
}

/// `exp(i pi beta m^2)`: the product is exact up to 1e-32 of itself, m^2 up to 2^53 being a double.
pub(crate) fn chirp(beta: DoubleDouble, m: i64) -> Complex<f64> {
    let m = m as f64;
    half_turns(beta.times(DoubleDouble::from(m * m)))
}

/// `exp(i pi beta m)`.
pub(crate) fn tone(beta: f64, m: i64) -> Complex<f64> {
    half_turns(DoubleDouble::from(beta).times(DoubleDouble::from(m as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The phase in whole numbers: beta = mantissa 2^-exponent, and whole turns are the high bits.
    fn exact(beta: f64, factor: u128) -> Complex<f64> {
        let bits = beta.to_bits();
        let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        let exponent = 1075 - (bits >> 52) as u32;
        let turns = mantissa.wrapping_mul(factor) & ((1 << (exponent + 1)) - 1);
        let angle = PI * (turns as f64 * (-f64::from(exponent)).exp2());
        Complex::new(angle.cos(), angle.sin())
    }

    #[test]
    fn phases_of_billions_of_turns_keep_their_digits() {
        for beta in [0.0123, 0.499_999_9, 1.0 / 3.0, 1.7, 1e-7] {
            for m in [0_i64, 1, 2, 1000, 123_457, 50_000_001, (1 << 26) - 1] {
                let found = chirp(DoubleDouble::from(beta), m);
                let expected = exact(beta, (m * m) as u128);
                assert!((found - expected).norm() < 1e-15, "{beta} {m}: {found} {expected}");
                let found = tone(beta, m);
                assert!((found - exact(beta, m as u128)).norm() < 1e-15, "{beta} {m}");
            }
        }
    }

    #[test]
    fn quarter_turns_are_exact() {
        let at = |x| half_turns(DoubleDouble::from(x));
        assert_eq!(at(0.5), Complex::new(0.0, 1.0));
        assert_eq!(at(-1.0), Complex::new(-1.0, 0.0));
        assert_eq!(at(1.5), Complex::new(0.0, -1.0));
        assert_eq!(at(2.0), Complex::new(1.0, 0.0));
    }
}
