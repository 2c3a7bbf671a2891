//! One step of the transform, generic in the data that it reads and writes.

use super::complex_registers::Pair;
use hpfracc_lanes::Lanes;
use num_complex::Complex;
use pulp::Simd;

/// Number of scalars in a complex number.
pub(super) const PARTS: usize = 2;

/// The data that a step reads.
pub(super) trait Fetch<T: Lanes> {
    fn fetch<S: Simd>(&self, simd: S, tile: &[T], place: usize) -> Pair<T::Vector<S>>;
}

/// The data that a step writes.
pub(super) trait Put<T: Lanes> {
    fn put<S: Simd>(&mut self, simd: S, tile: &mut [T], place: usize, value: Pair<T::Vector<S>>);
}

/// The tile itself: for each place the real parts, then the imaginary parts.
pub(super) struct Tile;

impl<T: Lanes> Fetch<T> for Tile {
    #[inline(always)]
    fn fetch<S: Simd>(&self, _: S, tile: &[T], place: usize) -> Pair<T::Vector<S>> {
        tile_pair::<T, S>(tile, place)
    }
}

impl<T: Lanes> Put<T> for Tile {
    #[inline(always)]
    fn put<S: Simd>(&mut self, _: S, tile: &mut [T], place: usize, value: Pair<T::Vector<S>>) {
        let lanes = T::count::<S>();
        let (re, im) = tile[place * PARTS * lanes..][..PARTS * lanes].split_at_mut(lanes);
        T::store::<S>(re, value.re);
        T::store::<S>(im, value.im);
    }
}

/// One step of radix 4 over all blocks of length `n`.
#[inline(always)]
pub(super) fn step<T: Lanes, S: Simd, const INVERSE: bool>(
    simd: S,
    tile: &mut [T],
    (n, rows): (usize, usize),
    twiddles: &[Complex<T>],
    from: &impl Fetch<T>,
    to: &mut impl Put<T>,
) {
    let quarter = n / 4;
    let one = Pair::splat::<T, S>(simd, Complex::new(T::one(), T::zero()));
    for j in 0..quarter {
        let mut turn = [one; 3];
        if n > 4 {
            for r in 0..3 {
                turn[r] = Pair::splat::<T, S>(simd, twiddles[3 * j + r]);
            }
        }
        for place in (j..rows).step_by(n) {
            let mut a = [one; 4];
            for r in 0..4 {
                a[r] = from.fetch(simd, tile, place + r * quarter);
            }
            if INVERSE && n > 4 {
                for r in 0..3 {
                    a[r + 1] = a[r + 1].mul::<T, S, true>(simd, turn[r]);
                }
            }
            let (even, odd) = (a[0].add::<T, S>(simd, a[2]), a[1].add::<T, S>(simd, a[3]));
            let (p, q) = (a[0].sub::<T, S>(simd, a[2]), a[1].sub::<T, S>(simd, a[3]));
            // p - i q and p + i q, without a product.
            let minus = Pair { re: T::sum(simd, p.re, q.im), im: T::difference(simd, p.im, q.re) };
            let plus = Pair { re: T::difference(simd, p.re, q.im), im: T::sum(simd, p.im, q.re) };
            let (first, third) = if INVERSE { (plus, minus) } else { (minus, plus) };
            let mut b = [even.add::<T, S>(simd, odd), first, even.sub::<T, S>(simd, odd), third];
            if !INVERSE && n > 4 {
                for r in 0..3 {
                    b[r + 1] = b[r + 1].mul::<T, S, false>(simd, turn[r]);
                }
            }
            for r in 0..4 {
                to.put(simd, tile, place + r * quarter, b[r]);
            }
        }
    }
}

/// The pair at a place of a tile: its real parts, then its imaginary parts.
#[inline(always)]
pub(super) fn tile_pair<T: Lanes, S: Simd>(tile: &[T], place: usize) -> Pair<T::Vector<S>> {
    let lanes = T::count::<S>();
    let (re, im) = tile[place * PARTS * lanes..][..PARTS * lanes].split_at(lanes);
    Pair { re: T::load::<S>(re), im: T::load::<S>(im) }
}
