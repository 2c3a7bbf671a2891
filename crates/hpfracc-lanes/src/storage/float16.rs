//! Conversions of the 16-bit formats, without branches, so that loops over them become vector code.

use hpfracc_types::Real;

/// All bits of a magnitude.
const MAGNITUDE: u32 = 0x7fff_ffff;
/// Bits of an infinite `f32`.
const INFINITE: u32 = 0x7f80_0000;

/// The bits of x as `f32`, rounded to odd where it is not one: rounding them to fewer digits rounds
/// x itself to nearest.
#[inline(always)]
fn odd_bits<T: Real>(x: T) -> u32 {
    let x = x.widen();
    let near = x as f32;
    let bits = near.to_bits();
    let above = f64::from(near).abs() > x.abs();
    let odd = bits.wrapping_sub(u32::from(above)) | 1;
    let exact = f64::from(near) == x || x.is_nan();
    if exact { bits } else { odd }
}

/// Bits of x as bfloat16.
#[inline(always)]
pub(super) fn to_bfloat16<T: Real>(x: T) -> u16 {
    let bits = odd_bits(x);
    // Half of the last remaining bit, less one if that bit is 0: ties to even.
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
    // NaN with all its bits in the discarded half would become infinite.
    let nan = bits & MAGNITUDE > INFINITE;
    ((if nan { bits | 0x0040_0000 } else { rounded }) >> 16) as u16
}

/// Number with these bits of a bfloat16.
#[inline(always)]
pub(super) fn from_bfloat16<T: Real>(bits: u16) -> T {
    T::narrow(f64::from(f32::from_bits(u32::from(bits) << 16)))
}

/// Smallest normal number of binary16, 2^-14, as bits of `f32`.
const LEAST_NORMAL: u32 = 113 << 23;
/// 2^16, as bits of `f32`.
const BEYOND: u32 = 143 << 23;
/// Difference of the exponents' offsets.
const OFFSET: u32 = 112 << 23;

/// Bits of x as binary16.
#[inline(always)]
pub(super) fn to_float16<T: Real>(x: T) -> u16 {
    let bits = odd_bits(x);
    let magnitude = bits & MAGNITUDE;
    let normal = magnitude.wrapping_sub(OFFSET).wrapping_add(0xfff + (magnitude >> 13 & 1)) >> 13;
    // Numbers in [1/2, 1) are multiples of 2^-24, as subnormal numbers of binary16 are: the sum
    // rounds to one.
    let sum = f32::from_bits(magnitude) + 0.5;
    let subnormal = sum.to_bits().wrapping_sub(0.5f32.to_bits());
    let special = if magnitude > INFINITE { 0x7e00 } else { 0x7c00 };
    let finite = if magnitude < LEAST_NORMAL { subnormal } else { normal };
    let rounded = if magnitude >= BEYOND { special } else { finite };
    (rounded | (bits >> 16 & 0x8000)) as u16
}

/// Number with these bits of a binary16.
#[inline(always)]
pub(super) fn from_float16<T: Real>(bits: u16) -> T {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let normal = magnitude.wrapping_add(OFFSET);
    let least = f32::from_bits(LEAST_NORMAL);
    let subnormal = (f32::from_bits(magnitude.wrapping_add(LEAST_NORMAL)) - least).to_bits();
    let special = magnitude | INFINITE;
    let finite = if magnitude < 1 << 23 { subnormal } else { normal };
    let widened = if magnitude >= 31 << 23 { special } else { finite };
    let sign = u32::from(bits & 0x8000) << 16;
    T::narrow(f64::from(f32::from_bits(widened | sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Format = (&'static str, fn(f64) -> u16, fn(f32) -> u16, fn(u16) -> f64, u32);

    /// Name, conversions, and significant bits after the first.
    const FORMATS: [Format; 2] = [
        ("bfloat16", to_bfloat16::<f64>, to_bfloat16::<f32>, from_bfloat16::<f64>, 7),
        ("binary16", to_float16::<f64>, to_float16::<f32>, from_float16::<f64>, 10),
    ];

    /// Value of binary16 and bfloat16 by their definition.
    fn defined(bits: u16, digits: u32) -> f64 {
        let width = 15 - digits;
        let (bias, exponent) = ((1 << (width - 1)) - 1, i32::from(bits & 0x7fff) >> digits);
        let fraction = f64::from(bits & ((1 << digits) - 1)) / f64::from(1u32 << digits);
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        sign * match exponent {
            0 => fraction * 2f64.powi(1 - bias),
            e if e == (1 << width) - 1 && fraction == 0.0 => f64::INFINITY,
            e if e == (1 << width) - 1 => f64::NAN,
            e => (1.0 + fraction) * 2f64.powi(e - bias),
        }
    }

    /// All 65536 numbers are read as defined, and stored again as themselves.
    #[test]
    fn every_number() {
        for (name, store, _, read, digits) in FORMATS {
            for bits in 0..=u16::MAX {
                let (found, expected) = (read(bits), defined(bits, digits));
                if expected.is_nan() {
                    assert!(found.is_nan() && read(store(found)).is_nan(), "{name} {bits:x}");
                    continue;
                }
                assert_eq!(found, expected, "{name} {bits:x}");
                assert_eq!(store(found), bits, "{name} {bits:x}");
            }
        }
    }

    /// Between neighbours: below, at and above the middle, by less than `f32` has digits for.
    #[test]
    fn nearest_with_ties_to_even() {
        for (name, store, store_single, read, digits) in FORMATS {
            let infinite = ((1u16 << (15 - digits)) - 1) << digits;
            for low in 0..infinite {
                // The next number, if the exponent had no limit.
                let gap = read(low) - read(low.saturating_sub(1));
                let high = if low + 1 == infinite { read(low) + gap } else { read(low + 1) };
                let middle = 0.5 * (read(low) + high);
                let even = if low & 1 == 0 { low } else { low + 1 };
                let cases = [
                    (middle * (1.0 - 1e-15), low),
                    (middle, even),
                    (middle * (1.0 + 1e-15), low + 1),
                ];
                for (x, expected) in cases {
                    assert_eq!(store(x), expected, "{name} {low:x} {x:e}");
                    assert_eq!(store(-x), expected | 0x8000, "{name} {low:x} {x:e}");
                }
                assert_eq!(store_single(middle as f32), even, "{name} {low:x}");
            }
            for large in [1e39, 1e300, f64::INFINITY] {
                assert_eq!(store(large), infinite, "{name}");
            }
            for small in [0.0, 1e-46, 1e-300, f64::from_bits(1)] {
                assert_eq!((store(small), store(-small)), (0, 0x8000), "{name}");
            }
            assert!(read(store_single(f32::from_bits(0x7f80_0001))).is_nan(), "{name}");
        }
    }
}
