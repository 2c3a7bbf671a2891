//! Registers of complex numbers.

use hpfracc_lanes::{LONGEST, Lanes};
use num_complex::Complex;
use pulp::Simd;

/// Real and imaginary parts of complex numbers, one in each lane of two registers.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V> {
    pub(crate) re: V,
    pub(crate) im: V,
}

impl<V: Copy> Pair<V> {
    /// Loads numbers that are stored as pairs.
    #[inline(always)]
    pub(crate) fn split<T: Lanes<Vector<S> = V>, S: Simd>(values: &[Complex<T>]) -> Self {
        let (mut re, mut im) = ([T::zero(); LONGEST], [T::zero(); LONGEST]);
        for ((re, im), value) in re.iter_mut().zip(&mut im).zip(values) {
            (*re, *im) = (value.re, value.im);
        }
        let lanes = T::count::<S>();
        Self { re: T::load::<S>(&re[..lanes]), im: T::load::<S>(&im[..lanes]) }
    }

    /// Stores numbers as pairs.
    #[inline(always)]
    pub(crate) fn join<T: Lanes<Vector<S> = V>, S: Simd>(self, values: &mut [Complex<T>]) {
        let (mut re, mut im) = ([T::zero(); LONGEST], [T::zero(); LONGEST]);
        let lanes = T::count::<S>();
        T::store::<S>(&mut re[..lanes], self.re);
        T::store::<S>(&mut im[..lanes], self.im);
        for ((value, re), im) in values.iter_mut().zip(re).zip(im) {
            *value = Complex::new(re, im);
        }
    }

    /// The same number in all lanes.
    #[inline(always)]
    pub(crate) fn splat<T: Lanes<Vector<S> = V>, S: Simd>(simd: S, value: Complex<T>) -> Self {
        Self { re: T::splat(simd, value.re), im: T::splat(simd, value.im) }
    }

    #[inline(always)]
    pub(crate) fn add<T: Lanes<Vector<S> = V>, S: Simd>(self, simd: S, other: Self) -> Self {
        Self { re: T::sum(simd, self.re, other.re), im: T::sum(simd, self.im, other.im) }
    }

    #[inline(always)]
    pub(crate) fn sub<T: Lanes<Vector<S> = V>, S: Simd>(self, simd: S, other: Self) -> Self {
        Self {
            re: T::difference(simd, self.re, other.re),
            im: T::difference(simd, self.im, other.im),
        }
    }

    /// `self * other`, or `self * conj(other)` if `CONJ`.
    #[inline(always)]
    pub(crate) fn mul<T: Lanes<Vector<S> = V>, S: Simd, const CONJ: bool>(
        self,
        simd: S,
        other: Self,
    ) -> Self {
        let re = T::product(simd, self.re, other.re);
        let im = T::product(simd, self.im, other.re);
        if CONJ {
            Self {
                re: T::fused(simd, self.im, other.im, re),
                im: T::fused_negative(simd, self.re, other.im, im),
            }
        } else {
            Self {
                re: T::fused_negative(simd, self.im, other.im, re),
                im: T::fused(simd, self.re, other.im, im),
            }
        }
    }
}
