//! Elementary functions as vector code. A function of one family lies in one file, for both
//! formats.

mod error_function;
mod exponential;
mod format;
mod hyperbolic;
mod logarithm;
mod polynomials;
mod power;
mod tables;
mod trigonometric;
pub mod two_parts;
pub mod unfused;

use format::Format;
use hpfracc_types::Real;
pub use tables::Tables;

/// Elementary functions without branches or calls: a loop over a slice becomes vector code where it
/// is compiled for an instruction set, as within [`pulp::Arch::dispatch`].
///
/// They use fused multiply-add and give the same bits on every machine. Where code is not compiled
/// for an instruction set that has it, each one is a call of about 35 times the time of two
/// roundings:
/// [`unfused`] has functions that do without.
///
/// Errors are below 2 units in the last place unless stated otherwise. Infinities, NaN, signed
/// zeros and subnormal numbers are treated as in the standard library, but for results of
/// [`logistic`](Self::logistic), [`softplus`](Self::softplus) and [`normal`](Self::normal) below
/// twice the smallest normal number, which may be 0.
///
/// Time: 0.1 to 0.4 ns a value in `f32` and 0.4 to 3 ns in `f64` with AVX-512, between 3 and 40
/// times less than in the standard library. The group `elementary` of the benchmarks measures it.
pub trait Elementary: Real {
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// The largest integer that is not above x.
    fn floor(self) -> Self;

    /// `exp(x)`
    fn exp(self) -> Self;

    /// `exp(x) - 1`, without cancellation.
    fn exp_m1(self) -> Self;

    /// The logistic function `1/(1 + exp(-x))`, within 2.2 units in the last place.
    fn logistic(self) -> Self;

    /// `ln(1 + exp(x))`
    fn softplus(self) -> Self;

    /// The natural logarithm.
    fn ln(self) -> Self;

    /// `ln(1 + x)`, without cancellation.
    fn ln_1p(self) -> Self;

    /// `x^y`, within 1.5 units in the last place; NaN for negative x unless y is an integer.
    fn pow(self, y: Self) -> Self;

    /// The hyperbolic sine.
    fn sinh(self) -> Self;

    /// The hyperbolic cosine.
    fn cosh(self) -> Self;

    /// The hyperbolic tangent, within 2.5 units in the last place.
    fn tanh(self) -> Self;

    /// Sine and cosine of any number. Beyond [`ANGLE_BOUND`](Self::ANGLE_BOUND) the reduction is
    /// that of Payne and Hanek, behind a branch: a loop over this function is not vector code. One
    /// over
    /// [`bounded_sin_cos`](Self::bounded_sin_cos) is, and so is
    /// [`sin_cos_slice`](Self::sin_cos_slice).
    fn sin_cos(self) -> (Self, Self);

    /// The sine; see [`sin_cos`](Self::sin_cos).
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }

    /// The cosine; see [`sin_cos`](Self::sin_cos).
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }

    /// Largest |x| for [`bounded_sin_cos`](Self::bounded_sin_cos): 1e5 for `f32`, 1e9 for `f64`.
    const ANGLE_BOUND: Self;

    /// Sine and cosine without a branch. Only for |x| < [`ANGLE_BOUND`](Self::ANGLE_BOUND): beyond,
    /// errors grow with x until the results are meaningless.
    fn bounded_sin_cos(self) -> (Self, Self);

    /// Sines and cosines of any numbers, as far as the shortest slice goes: vector code, but for
    /// numbers beyond [`ANGLE_BOUND`](Self::ANGLE_BOUND), which take some 30 ns each.
    fn sin_cos_slice(x: &[Self], sin: &mut [Self], cos: &mut [Self]);

    /// The inverse of the tangent, between -pi/2 and pi/2.
    fn atan(self) -> Self;

    /// The error function.
    fn erf(self) -> Self;

    /// Distribution function and density of the standard normal distribution, `(Phi(x), phi(x))`.
    /// Both tails are relatively accurate: errors of 4 units in the last place in `f32`, 8 in
    /// `f64`.
    fn normal(self) -> (Self, Self);

    /// [`normal`](Self::normal) where an absolute error is enough, in `f32` at half of its time
    /// without the density: that of the distribution function is at most 1.8e-7, so that its left
    /// tail is not relatively accurate; below -5.6 it is 0. In `f64` the same as `normal`.
    fn absolute_normal(self) -> (Self, Self);

    /// Constants and polynomials of these functions.
    fn tables() -> Tables<Self>;
}

macro_rules! elementary {
    ($t:ident: $($module:ident :: $function:ident ($($y:ident)?) -> $result:ty),* $(,)?) => {
        impl Elementary for $t {
            const ANGLE_BOUND: Self = Format::ANGLE_BOUND;

            #[inline(always)]
            fn sqrt(self) -> Self {
                self.root()
            }

            #[inline(always)]
            fn floor(self) -> Self {
                self.rounded_down()
            }

            #[inline(always)]
            fn sin_cos_slice(x: &[Self], sin: &mut [Self], cos: &mut [Self]) {
                trigonometric::sin_cos_slice(x, sin, cos);
            }

            fn tables() -> Tables<Self> {
                tables::tables()
            }

            $(
                #[inline(always)]
                fn $function(self $(, $y: Self)?) -> $result {
                    $module::$function(self $(, $y)?)
                }
            )*
        }
    };
    ($($t:ident),*) => {
        $(elementary!(
            $t:
            exponential::exp() -> Self,
            exponential::exp_m1() -> Self,
            exponential::logistic() -> Self,
            exponential::softplus() -> Self,
            logarithm::ln() -> Self,
            logarithm::ln_1p() -> Self,
            power::pow(y) -> Self,
            hyperbolic::sinh() -> Self,
            hyperbolic::cosh() -> Self,
            hyperbolic::tanh() -> Self,
            trigonometric::sin_cos() -> (Self, Self),
            trigonometric::bounded_sin_cos() -> (Self, Self),
            trigonometric::atan() -> Self,
            error_function::erf() -> Self,
            error_function::normal() -> (Self, Self),
            error_function::absolute_normal() -> (Self, Self),
        );)*
    };
}

elementary!(f32, f64);
