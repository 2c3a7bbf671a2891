use super::format::{Format, polynomial};

/// Sine and cosine of |x| below the bound.
#[inline(always)]
pub(super) fn bounded_sin_cos<T: Format>(x: T) -> (T, T) {
    let a = x.magnitude();
    let rounded = a.mul_add(T::TWO_OVER_PI, T::ROUND);
    let n = T::ROUND - rounded;
    // The first product and difference are exact: the result is a multiple of the last place of
    // pi/2.
    let r = T::HALF_PI.iter().fold(a, |r, &part| n.mul_add(part, r));
    of_reduced(r, T::lowest_bits(rounded), x)
}

/// Sine and cosine of all numbers.
#[inline(always)]
pub(super) fn sin_cos<T: Format>(x: T) -> (T, T) {
    if x.magnitude() < T::ANGLE_BOUND { bounded_sin_cos(x) } else { far_sin_cos(x) }
}

/// Sine and cosine beyond the bound; NaN of infinities and NaN.
#[cold]
#[inline(never)]
fn far_sin_cos<T: Format>(x: T) -> (T, T) {
    if x.magnitude() < T::INFINITY {
        let (r, quadrant) = payne_hanek(x.magnitude().widen());
        of_reduced(T::narrow(r), quadrant, x)
    } else {
        (T::NAN, T::NAN)
    }
}

/// Numbers that are tested for the bound at once.
const BLOCK: usize = 64;

/// Sines and cosines of all numbers of a slice.
#[inline(always)]
pub(super) fn sin_cos_slice<T: Format>(x: &[T], sin: &mut [T], cos: &mut [T]) {
    let blocks = x.chunks(BLOCK).zip(sin.chunks_mut(BLOCK).zip(cos.chunks_mut(BLOCK)));
    for (x, (sin, cos)) in blocks {
        let mut bounded = true;
        for ((x, sin), cos) in x.iter().zip(&mut *sin).zip(&mut *cos) {
            bounded &= x.magnitude() < T::ANGLE_BOUND;
            (*sin, *cos) = bounded_sin_cos(*x);
        }
        if !bounded {
            for ((x, sin), cos) in x.iter().zip(sin).zip(cos) {
                (*sin, *cos) = sin_cos(*x);
            }
        }
    }
}

/// Of `|x| = r + quadrant pi/2` modulo 2 pi, with |r| <= pi/4 and the two bits of the quadrant.
#[inline(always)]
fn of_reduced<T: Format>(r: T, (odd, second_half): (bool, bool), x: T) -> (T, T) {
    let square = r * r;
    let sin = (r * square).mul_add(polynomial(square, T::SIN), r);
    let rest = square * polynomial(square, T::COS);
    let cos = square.mul_add(rest - T::narrow(0.5), T::one());
    let (sin, cos) = if odd { (cos, sin) } else { (sin, cos) };
    (sin.negated_if(second_half != x.has_sign()), cos.negated_if(odd != second_half))
}

/// 2/pi in binary: 64 zeros, then the digits behind the point.
const TWO_OVER_PI: [u64; 20] = [
    0x0000_0000_0000_0000,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// `x = r + quadrant pi/2` modulo 2 pi for x > 2^26, from the digits of 2/pi that matter.
///
/// Source: Payne and Hanek, SIGNUM Newsletter 18 (1983) 19, DOI 10.1145/1057600.1057602.
fn payne_hanek(x: f64) -> (f64, (bool, bool)) {
    let (bits, bias) = (x.to_bits(), 1023 + 52);
    let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52));
    // x = mantissa 2^exponent. Digits before this one contribute multiples of 4.
    let first = ((bits >> 52) as usize + 64 - 2) - bias;
    let (word, shift) = (first / 64, first % 64);
    let digits = |i: usize| {
        let pair = u128::from(TWO_OVER_PI[word + i]) << 64 | u128::from(TWO_OVER_PI[word + i + 1]);
        (pair << shift >> 64) as u64
    };
    // The product modulo 2^192; its two leading bits are the integer part modulo 4.
    let low = mantissa * u128::from(digits(2));
    let middle = mantissa * u128::from(digits(1)) + (low >> 64);
    let high = (mantissa as u64).wrapping_mul(digits(0)).wrapping_add((middle >> 64) as u64);
    let product = u128::from(high) << 64 | u128::from(middle as u64);
    let quadrant = (product >> 126) as u8;
    // The fraction, from -1/2 to 1/2.
    let fraction = (product << 2 | u128::from(low as u64 >> 62)) as i128;
    let quadrant = if fraction < 0 { quadrant + 1 } else { quadrant };
    let (first, second) = (fraction as f64, (fraction - fraction as f64 as i128) as f64);
    let [high, low, _] = f64::HALF_PI;
    let r = first.mul_add(high, first.mul_add(low, second * high)) * 2f64.powi(-128);
    (r, (quadrant & 1 != 0, quadrant & 2 != 0))
}

#[inline(always)]
pub(super) fn atan<T: Format>(x: T) -> T {
    let a = x.magnitude();
    let far = a > T::one();
    // pi/2 - atan(1/a)
    let t = if far { -(T::one() / a) } else { a };
    let square = t * t;
    let offset = |part: T| if far { part } else { T::zero() };
    let small = (t * square).mul_add(polynomial(square, T::ATAN), offset(T::HALF_PI[1]));
    (offset(T::HALF_PI[0]) + (t + small)).with_sign_of(x)
}
