//! Elementary functions of many lanes at a time, in double precision, without branches, tables,
//! calls of the system's library or fused operations: the same bits everywhere, and vector
//! instructions.

use super::scalar::{COS_64, SIN_64, ln_64, polynomial};
use std::f64::consts::LOG2_E;

/// The natural logarithm of a positive normal number, within two roundings.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const MANTISSA: u64 = (1 << 52) - 1;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i64 >> 52) as f64;
    let f = f64::from_bits((shifted & MANTISSA).wrapping_add(SQRT_HALF)) - 1.0;
    ln_64(f, e)
}

/// Sine and cosine for |a| <= pi/4, the sine relative to a: `(sin a / a, cos a)`.
#[inline(always)]
pub(crate) fn sinc_cos(a: f64) -> (f64, f64) {
    let square = a * a;
    let sinc = 1.0 + square * polynomial(square, &SIN_64);
    (sinc, 1.0 - 0.5 * square + square * square * polynomial(square, &COS_64))
}

/// `exp(y) - 1`, within three roundings; infinite from 709.
#[inline(always)]
pub(crate) fn exp_m1(y: f64) -> f64 {
    // Added to a small number, its unit in the last place is 1: the sum is rounded to the next
    // integer, which its last bits are.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    // ln 2 in two parts, of which the first has few bits.
    const HIGH: f64 = 0.693_147_180_369_123_8;
    const LOW: f64 = 1.908_214_929_270_587_7e-10;
    let limited = y.clamp(-708.0, 709.0);
    let rounded = limited * LOG2_E + ROUNDER;
    let k = rounded - ROUNDER;
    let power = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    let r = limited - k * HIGH - k * LOW;
    let small = r + r * r * polynomial(r, &EXP);
    let whole = power * small + (power - 1.0);
    if y > 709.0 { f64::INFINITY } else { whole }
}

/// 1/2!, 1/3!, ..., 1/13!: the next is 2e-17 of the sum at ln(2)/2.
const EXP: [f64; 12] = [
    0.5,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// The number in the middle of the cell of a random word: between 0 and 1, exactly.
#[inline(always)]
pub(crate) fn unit(high: u32, low: u32) -> f64 {
    // As many bits as leave room for the half.
    let word = (u64::from(high) << 32 | u64::from(low)) >> 12;
    (word as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the functions of the system, in units of the last place.
    #[test]
    fn elementary_functions_are_exact_to_rounding() {
        let mut worst = [0.0f64; 4];
        for i in 0..200_000 {
            let t = f64::from(i) / 2e5;
            for x in [0.5 + t, 1.0 - t * 1e-5 + 1e-9, (1400.0 * (t - 0.5)).exp(), 1e-30 + t] {
                let error = (ln(x) - x.ln()).abs() / x.ln().abs().max(1e-300);
                worst[0] = worst[0].max(if x == 1.0 { 0.0 } else { error });
            }
            let a = (t - 0.5) * std::f64::consts::FRAC_PI_2;
            let (sinc, cos) = sinc_cos(a);
            worst[1] = worst[1].max((sinc * a - a.sin()).abs() / a.sin().abs().max(1e-300));
            worst[2] = worst[2].max((cos - a.cos()).abs());
            for y in [1400.0 * (t - 0.5), 2.0 * (t - 0.5), 1e-3 * (t - 0.5), 1e-12 * t + 1e-20] {
                let error = (exp_m1(y) - y.exp_m1()).abs() / y.exp_m1().abs().max(1e-300);
                worst[3] = worst[3].max(error);
            }
        }
        println!("{worst:?}");
        assert!(worst.iter().all(|error| *error < 8e-16), "{worst:?}");
        assert_eq!([exp_m1(0.0), exp_m1(1e9), ln(1.0)], [0.0, f64::INFINITY, 0.0]);
        assert_eq!([unit(0, 0), unit(u32::MAX, u32::MAX)], [2f64.powi(-53), 1.0 - 2f64.powi(-53)]);
    }
}
