//! What the noise needs of a scalar type: logarithm, sine and cosine, of random bits.

use hpfracc_lanes::causal::FourierScalar;
use hpfracc_types::Real;

/// A scalar that random bits are turned into. Sealed, as [`Real`] is.
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
    ($t:ty, $signed:ty, $exponent:literal, $sqrt_half:literal, $ln:expr, $sin:expr, $cos:expr) => {
        impl Gaussian for $t {
            #[inline(always)]
            fn pair(x: u32, y: u32) -> (Self, Self) {
                const UNIT: $t = 1.0 / 4_294_967_296.0;
                // u = m 2^e with sqrt(1/2) <= m < sqrt(2); f = m - 1.
                let u = (x as $t + 0.5) * UNIT;
                let shifted = u.to_bits().wrapping_sub($sqrt_half);
                let e = ((shifted as $signed) >> $exponent) as $t;
                let mantissa = shifted & ((1 << $exponent) - 1);
                let f = <$t>::from_bits(mantissa.wrapping_add($sqrt_half)) - 1.0;
                // Near u = 1 the word itself has the digits that u has lost.
                let f = if e == 0.0 { (!x as $t + 0.5) * -UNIT } else { f };
                let radius = (-2.0 * $ln(f, e)).sqrt();
                // v = (quarter + rest) pi/2 with the rest between -1/2 and 1/2.
                let quarter = y.wrapping_add(1 << 29) >> 30;
                let rest = y.wrapping_sub(quarter << 30) as i32;
                let a = (rest as $t + 0.5) * (std::f64::consts::FRAC_PI_2 / 1_073_741_824.0) as $t;
                let square = a * a;
                let sin = a + a * square * polynomial(square, &$sin);
                let cos = 1.0 - 0.5 * square + square * square * polynomial(square, &$cos);
                let (s, c) = if quarter & 1 == 0 { (sin, cos) } else { (cos, sin) };
                // The quarters 0 to 3: (c, s), (-s, c), (-c, -s), (s, -c).
                let cos = if (quarter + 1) & 2 == 0 { c } else { -c };
                let sin = if quarter & 2 == 0 { s } else { -s };
                (radius * cos, radius * sin)
            }
        }
    };
}

// The polynomials have the least largest error for their length: below a quarter of a rounding of
// the result.
gaussian!(f32, i32, 23, 0x3f35_04f3, ln_32, SIN_32, COS_32);
gaussian!(f64, i64, 52, 0x3fe6_a09e_667f_3bcd, ln_64, SIN_64, COS_64);

/// ln((1 + f) 2^e)
#[inline(always)]
fn ln_32(f: f32, e: f32) -> f32 {
    let square = f * f;
    // ln 2 in two parts, of which the first has few bits.
    (f - 0.5 * square + square * f * polynomial(f, &LN_32)) + e * -2.121_944_4e-4 + e * 0.693_359_4
}

#[inline(always)]
pub(super) fn ln_64(f: f64, e: f64) -> f64 {
    let s = f / (2.0 + f);
    let square = s * s;
    let ln = 2.0 * s + s * square * polynomial(square, &LN_64);
    ln + e * 1.908_214_929_270_587_7e-10 + e * 0.693_147_180_369_123_8
}

/// ln(1 + f) = f - f^2/2 + f^3 p(f)
const LN_32: [f32; 9] = [
    0.333_333_31,
    -0.249_999_97,
    0.200_007_16,
    -0.166_678_02,
    0.142_490_58,
    -0.124_256_87,
    0.116_854_2,
    -0.114_797_34,
    0.069_716_115,
];
/// ln((1 + s)/(1 - s)) = 2 s + s^3 p(s^2)
const LN_64: [f64; 8] = [
    0.666_666_666_666_666_464_6,
    0.400_000_000_000_008_776_1,
    0.285_714_285_708_032_300_1,
    0.222_222_223_918_004_693_3,
    0.181_817_956_308_847_532,
    0.153_862_402_058_134_778_8,
    0.132_687_596_685_606_126_9,
    0.130_867_670_099_481_737,
];
/// sin a = a + a^3 p(a^2)
const SIN_32: [f32; 3] = [-0.166_666_65, 8.332_748e-3, -1.958_790_9e-4];
pub(super) const SIN_64: [f64; 6] = [
    -0.166_666_666_666_666_646_2,
    8.333_333_333_330_948_486e-3,
    -1.984_126_983_675_857_432e-4,
    2.755_731_610_255_244_012e-6,
    -2.505_113_184_500_362_442e-8,
    1.591_812_929_486_660_867e-10,
];
/// cos a = 1 - a^2/2 + a^4 p(a^2)
const COS_32: [f32; 3] = [0.041_666_665, -1.388_830_3e-3, 2.454_794_2e-5];
pub(super) const COS_64: [f64; 6] = [
    0.041_666_666_666_666_665_39,
    -1.388_888_888_888_739_724e-3,
    2.480_158_729_876_568_793e-5,
    -2.755_731_727_172_979_288e-7,
    2.087_614_626_840_319_789e-9,
    -1.138_263_242_552_171_801e-11,
];

#[inline(always)]
pub(super) fn polynomial<T: Real>(x: T, coefficients: &[T]) -> T {
    coefficients.iter().rev().fold(T::zero(), |sum, &c| sum * x + c)
}
