//! The data that the first step of a transform reads and the last one writes: series or matrix.

use super::Columns;
use super::complex_registers::Pair;
use super::step::{Fetch, Put};
use crate::buffers::column_bands::Band;
use crate::buffers::prefetch;
use hpfracc_lanes::{LONGEST, Lanes};
use num_complex::Complex;
use pulp::Simd;

/// Samples of a series, twisted.
pub(super) struct Samples<'a, T> {
    pub(super) plan: &'a Columns<T>,
    pub(super) band: usize,
    pub(super) from: &'a [T],
}

impl<T: Lanes> Fetch<T> for Samples<'_, T> {
    #[inline(always)]
    fn fetch<S: Simd>(&self, simd: S, _: &[T], n1: usize) -> Pair<T::Vector<S>> {
        let first = n1 * self.plan.columns + self.band * T::count::<S>();
        prefetch::ahead(self.from, first + T::count::<S>());
        let x = samples::<T, S>(simd, self.from, first);
        let twist = Pair::splat::<T, S>(simd, self.plan.twist[n1]);
        Pair { re: T::product(simd, x, twist.re), im: T::product(simd, x, twist.im) }
    }
}

/// A band of the matrix, written with the factors between columns and rows.
pub(super) struct Spectrum<'a, T> {
    pub(super) plan: &'a Columns<T>,
    pub(super) band: usize,
    pub(super) to: Band<'a, Complex<T>>,
}

impl<T: Lanes> Put<T> for Spectrum<'_, T> {
    #[inline(always)]
    fn put<S: Simd>(&mut self, simd: S, _: &mut [T], place: usize, value: Pair<T::Vector<S>>) {
        let value = self.plan.turn::<S, false>(simd, self.band, place, value);
        value.join::<T, S>(self.to.row(place));
        self.to.prefetch_next(place);
    }
}

/// A band of the matrix, read with the conjugate factors.
pub(super) struct Values<'a, T> {
    pub(super) plan: &'a Columns<T>,
    pub(super) band: usize,
    pub(super) matrix: &'a [Complex<T>],
    pub(super) stride: usize,
}

impl<T: Lanes> Fetch<T> for Values<'_, T> {
    #[inline(always)]
    fn fetch<S: Simd>(&self, simd: S, _: &[T], place: usize) -> Pair<T::Vector<S>> {
        let lanes = T::count::<S>();
        let first = place * self.stride + self.band * lanes;
        for at in (lanes..2 * lanes).step_by(64 / size_of::<Complex<T>>()) {
            prefetch::ahead(self.matrix, first + at);
        }
        let row = &self.matrix[first..][..lanes];
        self.plan.turn::<S, true>(simd, self.band, place, Pair::split::<T, S>(row))
    }
}

/// A band of the series, untwisted.
pub(super) struct Series<'a, T> {
    pub(super) plan: &'a Columns<T>,
    pub(super) to: Band<'a, T>,
}

impl<T: Lanes> Put<T> for Series<'_, T> {
    #[inline(always)]
    fn put<S: Simd>(&mut self, simd: S, _: &mut [T], n1: usize, value: Pair<T::Vector<S>>) {
        let twist = Pair::splat::<T, S>(simd, self.plan.twist[n1]);
        let re = T::product(simd, value.re, twist.re);
        T::store::<S>(self.to.row(n1), T::fused(simd, value.im, twist.im, re));
        self.to.prefetch_next(n1);
    }
}

/// A register of samples, with zeros after the last.
#[inline(always)]
fn samples<T: Lanes, S: Simd>(simd: S, from: &[T], start: usize) -> T::Vector<S> {
    let lanes = T::count::<S>();
    match from.get(start..start + lanes) {
        Some(whole) => T::load::<S>(whole),
        None if start >= from.len() => T::splat(simd, T::zero()),
        None => {
            let mut padded = [T::zero(); LONGEST];
            padded[..from.len() - start].copy_from_slice(&from[start..]);
            T::load::<S>(&padded[..lanes])
        }
    }
}
