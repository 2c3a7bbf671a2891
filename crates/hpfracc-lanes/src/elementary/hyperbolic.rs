use super::exponential::{half_exp_m1, reduce};
use super::format::{Format, polynomial};

/// Within 2.5 units in the last place. A correction for the rounding errors of divisor and quotient
/// gives 2 units and takes 1.4 to 1.8 times as long, which is too much for activations.
#[inline(always)]
pub(super) fn tanh<T: Format>(x: T) -> T {
    let limited = if x > T::TANH_HIGH { T::TANH_HIGH } else { x };
    let limited = if limited < -T::TANH_HIGH { -T::TANH_HIGH } else { limited };
    // (exp(2x) - 1) / (exp(2x) + 1), halved.
    let e = half_exp_m1(T::narrow(2.0) * limited);
    (e / (e + T::one())).with_sign_of(x)
}

/// `(sinh(x)/2, cosh(x)/2)` of x >= 0, from those of n ln 2 and of r with `x = n ln 2 + r`.
#[inline(always)]
fn halves<T: Format>(x: T) -> (T, T) {
    let (rounded, n, high) = reduce(x);
    let low = n * T::LN_2.1;
    let r = high + low;
    let quarter = T::power_of_two(rounded, -2);
    // 2^(-n-2), which is of no weight where it would be subnormal.
    let n = if n > T::narrow(-100.0) { n } else { T::narrow(-100.0) };
    let inverse = T::power_of_two(T::ROUND + n, -2);
    let (sinh_n, cosh_n) = (quarter - inverse, quarter + inverse);
    let square = r * r;
    let sinh_r = high + (r * square).mul_add(polynomial(square, T::SINH), low);
    // cosh(r) - 1
    let cosh_r = (square * square).mul_add(polynomial(square, T::COSH), T::narrow(0.5) * square);
    (
        sinh_n + cosh_n.mul_add(sinh_r, sinh_n * cosh_r),
        cosh_n + sinh_n.mul_add(sinh_r, cosh_n * cosh_r),
    )
}

#[inline(always)]
pub(super) fn sinh<T: Format>(x: T) -> T {
    let a = x.magnitude();
    let value = T::narrow(2.0) * halves(a).0;
    let value = if a > T::COSH_HIGH { T::INFINITY } else { value };
    value.with_sign_of(x)
}

#[inline(always)]
pub(super) fn cosh<T: Format>(x: T) -> T {
    let a = x.magnitude();
    let value = T::narrow(2.0) * halves(a).1;
    if a > T::COSH_HIGH { T::INFINITY } else { value }
}
