//! Products of complex vectors, compiled for the instructions that the machine has.

use hpfracc_types::Real;
use num_complex::Complex;
use pulp::{Arch, Simd, WithSimd};

/// `data[i] *= factors[i]`.
pub(crate) fn multiply<T: Real>(data: &mut [Complex<T>], factors: &[Complex<T>]) {
    Arch::new().dispatch(Product::<T, false> { data, factors });
}

/// `data[i] *= conj(factors[i])`.
pub(crate) fn multiply_conjugate<T: Real>(data: &mut [Complex<T>], factors: &[Complex<T>]) {
    Arch::new().dispatch(Product::<T, true> { data, factors });
}

/// `a[i] = a[i] f[i] + b[i] g[i]`.
pub(crate) fn combine<T: Real>(
    a: &mut [Complex<T>],
    f: &[Complex<T>],
    b: &[Complex<T>],
    g: &[Complex<T>],
) {
    Arch::new().dispatch(Combination { a, f, b, g });
}

/// `y += factor v (v' x)`, all of one length.
pub(crate) fn add_component<T: Real>(
    v: &[T],
    x: &[Complex<T>],
    y: &mut [Complex<T>],
    factor: Complex<T>,
) {
    Arch::new().dispatch(Component { v, x, y, factor });
}

struct Product<'a, T, const CONJUGATE: bool> {
    data: &'a mut [Complex<T>],
    factors: &'a [Complex<T>],
}

impl<T: Real, const CONJUGATE: bool> WithSimd for Product<'_, T, CONJUGATE> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (x, f) in self.data.iter_mut().zip(self.factors) {
            let im = if CONJUGATE { -f.im } else { f.im };
            *x = Complex::new(x.re * f.re - x.im * im, x.re * im + x.im * f.re);
        }
    }
}

struct Combination<'a, T> {
    a: &'a mut [Complex<T>],
    f: &'a [Complex<T>],
    b: &'a [Complex<T>],
    g: &'a [Complex<T>],
}

impl<T: Real> WithSimd for Combination<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (((a, f), b), g) in self.a.iter_mut().zip(self.f).zip(self.b).zip(self.g) {
            *a = Complex::new(
                (a.re * f.re - a.im * f.im) + (b.re * g.re - b.im * g.im),
                (a.re * f.im + a.im * f.re) + (b.re * g.im + b.im * g.re),
            );
        }
    }
}

struct Component<'a, T> {
    v: &'a [T],
    x: &'a [Complex<T>],
    y: &'a mut [Complex<T>],
    factor: Complex<T>,
}

/// Sums of the scalar product that run at once: one would wait for itself at every term.
const SUMS: usize = 16;

impl<T: Real> WithSimd for Component<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { v, x, y, factor } = self;
        let (mut re, mut im) = ([T::zero(); SUMS], [T::zero(); SUMS]);
        let (mut blocks, mut signals) = (v.chunks_exact(SUMS), x.chunks_exact(SUMS));
        for (v, x) in (&mut blocks).zip(&mut signals) {
            for i in 0..SUMS {
                re[i] += v[i] * x[i].re;
                im[i] += v[i] * x[i].im;
            }
        }
        for (i, (v, x)) in blocks.remainder().iter().zip(signals.remainder()).enumerate() {
            re[i] += *v * x.re;
            im[i] += *v * x.im;
        }
        let total = |sums: [T; SUMS]| sums.into_iter().fold(T::zero(), |a, b| a + b);
        let component = Complex::new(total(re), total(im)) * factor;
        for (y, v) in y.iter_mut().zip(v) {
            y.re += component.re * *v;
            y.im += component.im * *v;
        }
    }
}
