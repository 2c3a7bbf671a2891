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

/// 1/sqrt(2 pi)
const ROOT_OF_TWO_PI_INVERSE: f64 = 0.398_942_280_401_432_677_94;

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
