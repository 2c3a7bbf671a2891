mod polynomials;

use hpfracc_types::Real;
use polynomials::{EXP_32, EXP_64, LN_1P_32, LN_1P_64, MILLS_32, MILLS_64};

/// Elementary functions without branches or calls: a loop over a slice becomes vector code where it is
/// compiled for an instruction set, as within [`pulp::Arch::dispatch`]. Elsewhere they give the same to
/// rounding, but slowly if the program was not built for fused multiply-add.
///
/// Errors are relative, a few roundings of the type; results below twice the smallest normal number are
/// 0. NaN goes in and comes out.
pub trait Elementary: Real {
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// `exp(x)`
    fn exp(self) -> Self;

    /// `exp(x) - 1`, without cancellation.
    fn exp_m1(self) -> Self;

    /// The hyperbolic tangent.
    fn tanh(self) -> Self;

    /// The logistic function `1/(1 + exp(-x))`.
    fn logistic(self) -> Self;

    /// `ln(1 + exp(x))`
    fn softplus(self) -> Self;

    /// Distribution function and density of the standard normal law, `(Phi(x), phi(x))`. Both tails are
    /// relatively accurate.
    fn normal(self) -> (Self, Self);
}

macro_rules! elementary {
    ($t:ident, $split:ident, least $least:literal, most $most:literal, tanh $saturated:literal,
     $ln_1p:ident, $mills:ident) => {
        impl Elementary for $t {
            #[inline(always)]
            fn sqrt(self) -> Self {
                $t::sqrt(self)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                let (half, rest) = $split(self);
                let value = 2.0 * (half * (1.0 + rest));
                let value = if self < $least { 0.0 } else { value };
                if self > $most { $t::INFINITY } else { value }
            }

            #[inline(always)]
            fn exp_m1(self) -> Self {
                let (half, rest) = $split(self);
                let value = 2.0 * Real::mul_add(half, rest, half - 0.5);
                let value = if self < $least { -1.0 } else { value };
                if self > $most { $t::INFINITY } else { value }
            }

            #[inline(always)]
            fn tanh(self) -> Self {
                let x = if self > $saturated { $saturated } else { self };
                let x = if x < -$saturated { -$saturated } else { x };
                let (half, rest) = $split(2.0 * x);
                // (exp(2x) - 1) / (exp(2x) + 1), halved.
                let e = Real::mul_add(half, rest, half - 0.5);
                e / (e + 1.0)
            }

            #[inline(always)]
            fn logistic(self) -> Self {
                1.0 / (1.0 + Elementary::exp(-self))
            }

            #[inline(always)]
            fn softplus(self) -> Self {
                let positive = if self > 0.0 { self } else { 0.0 };
                // ln(1 + u) with 0 <= u <= 1
                let u = Elementary::exp(if self > 0.0 { -self } else { self });
                let s = u / (2.0 + u);
                let square = s * s;
                positive + Real::mul_add(s * square, polynomial(square, &$ln_1p), 2.0 * s)
            }

            #[inline(always)]
            fn normal(self) -> (Self, Self) {
                const ROOT: $t = 0.398_942_280_401_432_677_94;
                let z = if self < 0.0 { -self } else { self };
                let square = z * z;
                // What the rounding of the square loses shows where the density is small.
                let lost = Real::mul_add(z, z, -square);
                let density = ROOT * Elementary::exp(-0.5 * square);
                let density = Real::mul_add(density, -0.5 * lost, density);
                let t = 1.0 / Real::mul_add(0.25, z, 1.0);
                let tail = density * t * polynomial(t - 0.5, &$mills);
                (if self < 0.0 { tail } else { 1.0 - tail }, density)
            }
        }
    };
}

elementary!(f32, split_32, least -86.6, most 88.722_84, tanh 9.5, LN_1P_32, MILLS_32);
elementary!(f64, split_64, least -707.7, most 709.782_712_893_384, tanh 19.5, LN_1P_64, MILLS_64);

/// `exp(x) = 2 half (1 + rest)`. The number that is added and taken away rounds to integers, and leaves
/// them in the lowest bits.
#[inline(always)]
fn split_32(x: f32) -> (f32, f32) {
    const ROUND: f32 = 12_582_912.0;
    let shifted = f32::mul_add(x, std::f32::consts::LOG2_E, ROUND);
    let half = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f00_0000));
    let n = shifted - ROUND;
    // ln 2 in two parts, the first of few bits.
    let r = f32::mul_add(n, 2.121_944_4e-4, f32::mul_add(n, -0.693_359_4, x));
    (half, f32::mul_add(r * r, polynomial(r, &EXP_32), r))
}

#[inline(always)]
fn split_64(x: f64) -> (f64, f64) {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = f64::mul_add(x, std::f64::consts::LOG2_E, ROUND);
    let half = f64::from_bits((shifted.to_bits() << 52).wrapping_add(0x3fe0_0000_0000_0000));
    let n = shifted - ROUND;
    let r = f64::mul_add(n, -0.693_147_180_369_123_8, x);
    let r = f64::mul_add(n, -1.908_214_929_270_587_7e-10, r);
    (half, f64::mul_add(r * r, polynomial(r, &EXP_64), r))
}

#[inline(always)]
fn polynomial<T: Real>(x: T, coefficients: &[T]) -> T {
    coefficients.iter().rev().fold(T::zero(), |sum, &c| sum.mul_add(x, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::erfcx;

    type Exact = fn(f64) -> f64;
    /// Name, range of arguments, ours, and the exact one.
    type Case<T> = (&'static str, (f64, f64), fn(T) -> T, Exact);

    /// With the square of a number of few bits, which is exact, and the rest.
    fn density(x: f64) -> f64 {
        let few = f64::from(x as f32);
        (-0.5 * few * few).exp() * (-0.5 * (x - few) * (x + few)).exp()
            / std::f64::consts::TAU.sqrt()
    }

    fn distribution(x: f64) -> f64 {
        let mills =
            (0.5 * std::f64::consts::PI).sqrt() * erfcx(x.abs() * std::f64::consts::FRAC_1_SQRT_2);
        let tail = mills * density(x);
        if x < 0.0 { tail } else { 1.0 - tail }
    }

    /// Largest relative error over arguments of all sizes, in roundings.
    fn worst<T: Elementary>(range: (f64, f64), ours: fn(T) -> T, exact: Exact) -> f64 {
        let (a, b) = range;
        let mut worst = 0.0f64;
        for i in 0..20_001 {
            let even = a + (b - a) * f64::from(i) / 20_000.0;
            let tiny = even * 2f64.powi(-(i % 30));
            for x in [T::narrow(even), T::narrow(tiny)] {
                let expected = exact(x.widen());
                let error = ((ours(x).widen() - expected) / expected).abs();
                if expected != 0.0 {
                    worst = worst.max(error / T::EPSILON.widen());
                }
            }
        }
        worst
    }

    fn check<T: Elementary>(largest: f64, bounds: [f64; 7]) {
        let cases: [Case<T>; 7] = [
            ("exp", (-0.97 * largest, largest), T::exp, f64::exp),
            ("exp_m1", (-10.0, largest), T::exp_m1, f64::exp_m1),
            ("tanh", (-25.0, 25.0), T::tanh, f64::tanh),
            ("logistic", (-0.97 * largest, 40.0), T::logistic, |x| 1.0 / (1.0 + (-x).exp())),
            ("softplus", (-0.97 * largest, 40.0), T::softplus, |x| {
                x.max(0.0) + (-x.abs()).exp().ln_1p()
            }),
            ("Phi", (-12.0, 8.0), |x| x.normal().0, distribution),
            ("phi", (-12.0, 12.0), |x| x.normal().1, density),
        ];
        for ((name, range, ours, exact), bound) in cases.into_iter().zip(bounds) {
            let found = worst(range, ours, exact);
            println!("{} {name}: {found:.2} roundings", T::NAME);
            assert!(found < bound, "{} {name}: {found} roundings", T::NAME);
        }
    }

    #[test]
    fn a_few_roundings() {
        check::<f32>(88.7, [2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0]);
        // The references themselves err by a rounding or more.
        check::<f64>(709.7, [3.0, 3.0, 4.0, 4.0, 4.0, 8.0, 4.0]);
    }

    #[test]
    fn limits() {
        fn check<T: Elementary>() {
            let (zero, one, infinity) = (T::zero(), T::one(), T::one() / T::zero());
            assert_eq!((infinity.exp(), (-infinity).exp(), zero.exp()), (infinity, zero, one));
            assert_eq!((infinity.exp_m1(), (-infinity).exp_m1()), (infinity, -one));
            assert_eq!((infinity.tanh(), (-infinity).tanh(), zero.tanh()), (one, -one, zero));
            assert_eq!((infinity.logistic(), (-infinity).logistic()), (one, zero));
            assert_eq!((infinity.softplus(), (-infinity).softplus()), (infinity, zero));
            for f in [T::exp, T::exp_m1, T::tanh, T::logistic, T::softplus] {
                assert!(f(T::NAN).widen().is_nan());
            }
            assert!(T::NAN.normal().0.widen().is_nan());
        }
        check::<f32>();
        check::<f64>();
    }
}
