use super::{OptimiserError, finite};
use crate::Scalar;
use crate::checks::positive;
use crate::kernels::{scale, total, vectorised};

/// Scales a gradient so that its Euclidean norm is at most `limit`, up to rounding, and returns the
/// original norm.
///
/// The norm is summed in double precision in a fixed order: the squares of `f32` do not overflow. A
/// gradient within the limit does not change.
///
/// # Errors
/// [`OptimiserError::OutOfRange`] unless `limit` is positive and finite; [`OptimiserError::NotFinite`]
/// for a gradient that is NaN or infinite; [`OptimiserError::Norm`] if the norm overflows `f64`, or
/// its ratio to the limit underflows `T`. Nothing is changed then.
///
/// Source: Pascanu, Mikolov and Bengio, ICML (2013), arXiv:1211.5063, algorithm 1.
pub fn clip_global_norm<T: Scalar>(gradient: &mut [T], limit: f64) -> Result<f64, OptimiserError> {
    positive("the limit of the norm", limit)?;
    let mut norm = squares(gradient, 1.0).sqrt();
    if !norm.is_finite() {
        finite::check(gradient)?;
        // Only squares of f64 can overflow.
        let largest = gradient.iter().fold(0.0f64, |most, x| most.max(x.widen().abs()));
        norm = largest * squares(gradient, largest).sqrt();
    }
    if norm > limit {
        let factor = limit / norm;
        if factor.is_nan() || factor < T::LEAST {
            return Err(OptimiserError::Norm { norm, limit, scalar: T::NAME });
        }
        scale(gradient, T::narrow(factor));
    }
    Ok(norm)
}

vectorised! {
    /// The sum of squares of `x / unit`.
    fn squares<'a, T>(values: &'a [T], unit: f64) -> f64 {
        total::<16, _, _>(values, |x| {
            let x = x.widen() / unit;
            x * x
        })
    }
}
