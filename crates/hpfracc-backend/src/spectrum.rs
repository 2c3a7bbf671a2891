//! Indices of the half spectrum of a real signal, and the check that a symbol is Hermitian.

use crate::error::BackendError;
use crate::shape::Shape;
use hpfracc_types::Real;

/// Index along each axis of a row-major position.
pub(crate) fn unravel(mut position: usize, lens: &[usize]) -> Vec<usize> {
    let mut index = vec![0; lens.len()];
    for (i, &n) in index.iter_mut().zip(lens).rev() {
        *i = position % n;
        position /= n;
    }
    index
}

/// Row-major position of an index.
pub(crate) fn ravel(index: &[usize], lens: &[usize]) -> usize {
    index.iter().zip(lens).fold(0, |position, (&i, &n)| position * n + i)
}

/// The index of the frequency -k, modulo the lengths.
pub(crate) fn mirror(index: &[usize], lens: &[usize]) -> Vec<usize> {
    index.iter().zip(lens).map(|(&i, &n)| (n - i) % n).collect()
}

/// Refuses a symbol that differs from the conjugate of its mirror image by more than rounding.
///
/// Only the planes k = 0 and k = n/2 of the last axis contain both partners; elsewhere the partner
/// is defined as the conjugate. NaN is accepted, and propagates.
///
/// # Errors
/// [`BackendError::NotHermitian`] with the first frequency that differs.
pub(crate) fn check_hermitian<T: Real>(symbol: &[T], shape: Shape) -> Result<(), BackendError> {
    let (lens, half) = (shape.lens(), shape.half_spectrum());
    let n = shape.last();
    let scale = symbol.iter().fold(0.0, |m: f64, v| m.max(v.widen().abs()));
    let tolerance = 4.0 * T::EPSILON.widen() * scale;
    for (line, pairs) in symbol.chunks_exact(2 * half.last()).enumerate() {
        for k in [0, n / 2] {
            if 2 * k % n != 0 {
                continue;
            }
            let mut index = unravel(line * half.last() + k, half.lens());
            let partner = ravel(&mirror(&index, lens), half.lens());
            let re = pairs[2 * k].widen() - symbol[2 * partner].widen();
            let im = pairs[2 * k + 1].widen() + symbol[2 * partner + 1].widen();
            if re.abs() > tolerance || im.abs() > tolerance {
                index.truncate(lens.len());
                return Err(BackendError::NotHermitian { frequency: index });
            }
        }
    }
    Ok(())
}
