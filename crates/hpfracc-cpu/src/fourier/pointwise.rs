//! Elementwise products of complex vectors, compiled for each instruction set.

use hpfracc_backend::Direction;
use hpfracc_types::Real;
use num_complex::Complex;
use pulp::{Arch, Simd, WithSimd};

/// `values[k] *= factors[k]`, or `values[k] *= conj(factors[k])` for the transposed map.
pub(crate) fn multiply<T: Real>(
    values: &mut [Complex<T>],
    factors: &[Complex<T>],
    direction: Direction,
) {
    match direction {
        Direction::Forward => Arch::new().dispatch(Product::<T, false> { values, factors }),
        Direction::Transpose => Arch::new().dispatch(Product::<T, true> { values, factors }),
    }
}

struct Product<'a, T, const CONJ: bool> {
    values: &'a mut [Complex<T>],
    factors: &'a [Complex<T>],
}

impl<T: Real, const CONJ: bool> WithSimd for Product<'_, T, CONJ> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (value, factor) in self.values.iter_mut().zip(self.factors) {
            let im = if CONJ { -factor.im } else { factor.im };
            *value = Complex::new(
                value.re * factor.re - value.im * im,
                value.re * im + value.im * factor.re,
            );
        }
    }
}
