//! Single precision against double precision, at every 997th number.

use hpfracc_lanes::Elementary;
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};

/// A prime, so that all lengths of patterns in the mantissas occur. With 1 the same bounds hold.
const STRIDE: usize = 997;

/// The largest error in units of the last place, and where.
struct Worst<F, G> {
    low: f32,
    high: f32,
    found: F,
    exact: G,
}

impl<F: Fn(f32) -> f32, G: Fn(f64) -> f64> WithSimd for Worst<F, G> {
    type Output = (f64, f32);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (f64, f32) {
        let mut worst = (0.0, 0.0);
        for bits in (0..=u32::MAX).step_by(STRIDE) {
            let x = f32::from_bits(bits);
            if self.low <= x && x <= self.high {
                let error = ulps((self.found)(x), (self.exact)(f64::from(x)));
                if error > worst.0 || error.is_nan() {
                    worst = (error, x);
                }
            }
        }
        worst
    }
}

/// The error of `found` in units of the last place of the exact value.
#[inline(always)]
fn ulps(found: f32, exact: f64) -> f64 {
    // Past the largest number, infinity stands for 2^128.
    let end = 2f64.powi(128);
    let exact = exact.clamp(-end, end);
    let found = f64::from(found).clamp(-end, end);
    let binade = f64::from_bits(exact.abs().min(0.75 * end).to_bits() & 0x7ff << 52);
    (found - exact).abs() / (binade.max(2f64.powi(-126)) * 2f64.powi(-23))
}

fn worst(
    (low, high): (f32, f32),
    found: impl Fn(f32) -> f32,
    exact: impl Fn(f64) -> f64,
) -> (f64, f32) {
    Arch::new().dispatch(Worst { low, high, found, exact })
}

#[test]
fn errors_in_units_of_the_last_place() {
    let all = (-f32::INFINITY, f32::INFINITY);
    let angles = (-3e38, 3e38);
    let e = |x: f64| (-x.abs()).exp();
    let softplus = |x: f64| x.max(0.0) + e(x).ln_1p();
    // The bounds are about a tenth of a unit above what was measured over all numbers.
    let cases = [
        ("exp", 1.15, worst(all, Elementary::exp, f64::exp)),
        ("exp_m1", 1.75, worst(all, Elementary::exp_m1, f64::exp_m1)),
        (
            "logistic",
            2.25,
            worst((-86.0, 200.0), Elementary::logistic, |x| 1.0 / (1.0 + (-x).exp())),
        ),
        ("softplus", 2.0, worst((-86.0, 200.0), Elementary::softplus, softplus)),
        ("ln", 0.9, worst((0.0, f32::INFINITY), Elementary::ln, f64::ln)),
        ("ln_1p", 1.3, worst((-1.0, f32::INFINITY), Elementary::ln_1p, f64::ln_1p)),
        ("sinh", 1.5, worst(all, Elementary::sinh, f64::sinh)),
        ("cosh", 2.0, worst(all, Elementary::cosh, f64::cosh)),
        ("tanh", 2.6, worst(all, Elementary::tanh, f64::tanh)),
        ("sin", 1.6, worst(angles, Elementary::sin, f64::sin)),
        ("cos", 1.6, worst(angles, Elementary::cos, f64::cos)),
        ("atan", 1.3, worst(all, Elementary::atan, f64::atan)),
        ("erf", 1.9, worst(all, Elementary::erf, Elementary::erf)),
        ("x^2.5", 0.51, worst((0.0, f32::INFINITY), |x| x.pow(2.5), |x| x.powf(2.5))),
        ("1.001^x", 0.51, worst(all, |x| 1.001f32.pow(x), |x| f64::from(1.001f32).powf(x))),
    ];
    for (name, _, (error, x)) in cases {
        println!("{name}: {error:.3} ulp at {x:e}");
    }
    assert!(cases.iter().all(|(_, bound, (error, _))| error <= bound));
}
