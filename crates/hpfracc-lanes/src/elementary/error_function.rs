use super::exponential::decay;
use super::format::{Format, polynomial};

#[inline(always)]
pub(super) fn normal<T: Format>(x: T) -> (T, T) {
    let (zero, one, half) = (T::zero(), T::one(), T::narrow(0.5));
    let z = x.magnitude();
    // Where the density has long been 0; an infinite square would make NaN.
    let z = if z > T::narrow(1e4) { T::narrow(1e4) } else { z };
    let square = z * z;
    // The rounding error of the square, which matters where the density is small.
    let lost = z.mul_add(z, -square);
    let density = T::narrow(ROOT_OF_TWO_PI_INVERSE) * decay(-half * square);
    let density = density.mul_add(-half * lost, density);
    let t = one / T::narrow(0.25).mul_add(z, one);
    let tail = density * t * polynomial(t - half, T::MILLS);
    (if x < zero { tail } else { one - tail }, density)
}

/// Distribution function and density of the normal distribution with absolute accuracy.
pub(super) trait AbsoluteNormal: Format {
    /// Phi(x) and phi(x).
    fn absolute(x: Self) -> (Self, Self);
}

/// Phi(x) = 1/2 + x p(x^2)/q(x^2), |x| <= 5.6, with coefficients of p and q.
const CENTRE: ([f32; 6], [f32; 6]) = (
    [
        0.3989422619342804,
        0.03392579406499863,
        0.004677136428654194,
        0.00016889499966055155,
        6.289427346928278e-06,
        2.2299108337620055e-08,
    ],
    [
        1.0,
        0.25170567631721497,
        0.028675666078925133,
        0.0018852961948141456,
        7.333268877118826e-05,
        1.1796813623732305e-06,
    ],
);

impl AbsoluteNormal for f32 {
    #[inline(always)]
    fn absolute(x: Self) -> (Self, Self) {
        let far = 5.6;
        let z = if x.abs() > 1e4 { 1e4 } else { x };
        let square = z * z;
        let ratio = polynomial(square, &CENTRE.0) / polynomial(square, &CENTRE.1);
        let centre = z.mul_add(ratio, 0.5);
        let upper = if x > far { 1.0 } else { centre };
        let density = ROOT_OF_TWO_PI_INVERSE as Self * decay(-0.5 * square);
        (if x < -far { 0.0 } else { upper }, density)
    }
}

impl AbsoluteNormal for f64 {
    #[inline(always)]
    fn absolute(x: Self) -> (Self, Self) {
        normal(x)
    }
}

#[inline(always)]
pub(super) fn absolute_normal<T: AbsoluteNormal>(x: T) -> (T, T) {
    T::absolute(x)
}

/// 1/sqrt(2 pi)
pub(super) const ROOT_OF_TWO_PI_INVERSE: f64 = 0.398_942_280_401_432_677_94;

#[inline(always)]
pub(super) fn erf<T: Format>(x: T) -> T {
    let (one, half) = (T::one(), T::narrow(0.5));
    let a = x.magnitude();
    // 1 - erf(6) is 2e-17.
    let a = if a > T::narrow(6.0) { T::narrow(6.0) } else { a };
    let square = a * a;
    let near = a.mul_add(polynomial(square, T::ERF), a);
    let lost = a.mul_add(a, -square);
    // 1 - erf(a) is twice the tail of the normal distribution at sqrt(2) a.
    let t = one / T::narrow(0.25 * std::f64::consts::SQRT_2).mul_add(a, one);
    let bell = decay(-square);
    let bell = bell.mul_add(-lost, bell) * T::narrow(2.0 * ROOT_OF_TWO_PI_INVERSE);
    let far = one - bell * t * polynomial(t - half, T::MILLS);
    (if a < T::narrow(0.85) { near } else { far }).with_sign_of(x)
}
