//! Scalars of noise: standard normals of random bits.

use crate::causal::FourierScalar;
use crate::unfused::{fraction_and_exponent, ln_parts, sin_cos};

/// A scalar that random bits are turned into. Sealed, as [`Real`](hpfracc_types::Real) is.
///
/// Nothing here calls a library of the system and nothing is fused: the same bits give the same
/// numbers everywhere.
pub trait Gaussian: FourierScalar {
    /// Two independent standard normals from two random words, by Box and Muller:
    /// `sqrt(-2 ln u) (cos v, sin v)` with u = (x + 1/2) / 2^32 and v = 2 pi (y + 1/2) / 2^32.
    #[doc(hidden)]
    fn pair(x: u32, y: u32) -> (Self, Self);
}

macro_rules! gaussian {
    ($($t:ty),*) => {$(
        impl Gaussian for $t {
            #[inline(always)]
            fn pair(x: u32, y: u32) -> (Self, Self) {
                const UNIT: $t = 1.0 / 4_294_967_296.0;
                let u = (x as $t + 0.5) * UNIT;
                let (f, e) = fraction_and_exponent(u);
                // Near u = 1 the word itself has the digits that u has lost.
                let f = if e == 0.0 { (!x as $t + 0.5) * -UNIT } else { f };
                let radius = (-2.0 * ln_parts(f, e)).sqrt();
                // v = (quarter + rest) pi/2 with the rest between -1/2 and 1/2.
                let quarter = y.wrapping_add(1 << 29) >> 30;
                let rest = y.wrapping_sub(quarter << 30) as i32;
                let a = (rest as $t + 0.5) * (std::f64::consts::FRAC_PI_2 / 1_073_741_824.0) as $t;
                let (sin, cos) = sin_cos(a);
                let (s, c) = if quarter & 1 == 0 { (sin, cos) } else { (cos, sin) };
                // The quarters 0 to 3: (c, s), (-s, c), (-c, -s), (s, -c).
                let cos = if (quarter + 1) & 2 == 0 { c } else { -c };
                let sin = if quarter & 2 == 0 { s } else { -s };
                (radius * cos, radius * sin)
            }
        }
    )*};
}

gaussian!(f32, f64);

/// A uniform number between 0 and 1, neither of which it is: the middle of the cell of the first 52
/// bits of two random words, exactly.
///
/// ```
/// use hpfracc_lanes::random::{Philox, unit};
/// let [a, b, c, d] = Philox::new(7).block([0; 4]);
/// assert!(unit(a, b) != unit(c, d) && unit(0, 0) > 0.0 && unit(u32::MAX, u32::MAX) < 1.0);
/// ```
#[inline(always)]
pub fn unit(high: u32, low: u32) -> f64 {
    // 52 bits leave room for the half.
    let word = (u64::from(high) << 32 | u64::from(low)) >> 12;
    (word as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn units_lie_between_zero_and_one() {
        assert_eq!([unit(0, 0), unit(u32::MAX, u32::MAX)], [2f64.powi(-53), 1.0 - 2f64.powi(-53)]);
    }
}
