//! Causal sums over rows of lanes by Fourier transforms along time, with lanes in registers.

use super::direct_sum::{Target, load_some};
use crate::Lanes;
use pulp::{Arch, Simd, WithSimd};
use std::f64::consts::TAU;

/// Weights by frequency, for signals of one length; the storage is reused by [`set`](Self::set).
///
/// Cost: two complex transforms of twice the length for two registers of lanes. Error: rounding,
/// relative to the largest value of two lanes that are a register apart, the parts of one complex
/// number. The default has no weights; [`set`](Self::set) comes first.
#[derive(Debug, Default)]
pub struct Spectrum<T> {
    /// Times of the transform, a power of two that is at least twice the length.
    size: usize,
    /// Number of turns in a full circle: the largest size so far.
    circle: usize,
    /// cos and -sin of the angles 2 pi k/circle for k < circle/2.
    turns: Vec<T>,
    exact_turns: Vec<(f64, f64)>,
    /// Real and imaginary parts divided by the size, in the order that a transform by halves
    /// leaves.
    values: Vec<T>,
    exact_values: Vec<(f64, f64)>,
    /// Rows of a real and an imaginary register.
    rows: Vec<T>,
}

/// Rows of lanes, and the weights of the first row, as in [`DirectSum`](super::DirectSum).
#[derive(Debug, Clone, Copy)]
pub struct Signal<'a, T> {
    /// Rows, one after the other.
    pub x: &'a [T],
    /// Values of a row.
    pub lanes: usize,
    /// Weights of the first row by time; where they are given, the spectrum acts on the differences
    /// from the first row.
    pub first: Option<&'a [T]>,
}

impl<T: Lanes> Spectrum<T> {
    /// Sets the weights, by lag from 0, one for each time.
    pub fn set(&mut self, weights: &[f64]) {
        let size = (2 * weights.len()).next_power_of_two();
        self.size = size;
        if size > self.circle {
            self.circle = size;
            let turn = |k: usize| {
                let (sin, cos) = (TAU * k as f64 / size as f64).sin_cos();
                (cos, -sin)
            };
            self.exact_turns.clear();
            self.exact_turns.extend((0..size / 2).map(turn));
            self.turns.clear();
            let both = self.exact_turns.iter().flat_map(|(re, im)| [*re, *im]);
            self.turns.extend(both.map(T::narrow));
        }
        let values = &mut self.exact_values;
        values.clear();
        values.extend(weights.iter().map(|w| (w / size as f64, 0.0)));
        values.resize(size, (0.0, 0.0));
        let mut half = size / 2;
        while half > 0 {
            for block in values.chunks_exact_mut(2 * half) {
                let (a, b) = block.split_at_mut(half);
                let turns = self.exact_turns.iter().step_by(self.circle / (2 * half));
                for ((a, b), w) in a.iter_mut().zip(b).zip(turns) {
                    let d = (a.0 - b.0, a.1 - b.1);
                    *a = (a.0 + b.0, a.1 + b.1);
                    *b = (d.0 * w.0 - d.1 * w.1, d.0 * w.1 + d.1 * w.0);
                }
            }
            half /= 2;
        }
        self.values.clear();
        self.values.extend(values.iter().flat_map(|(re, im)| [*re, *im]).map(T::narrow));
    }

    /// The sums over the past, or with `back` over what is ahead: the transpose, without regard to
    /// what is added for the first sample.
    pub fn sum(
        &mut self,
        arch: Arch,
        series: Signal<'_, T>,
        transposed: bool,
        target: Target<'_, T>,
    ) {
        arch.dispatch(Sums { spectrum: self, series, transposed, target });
    }
}

struct Sums<'a, T> {
    spectrum: &'a mut Spectrum<T>,
    series: Signal<'a, T>,
    transposed: bool,
    target: Target<'a, T>,
}

impl<T: Lanes> WithSimd for Sums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { spectrum, series, transposed, mut target } = self;
        let Spectrum { size, circle, turns, values, rows, .. } = spectrum;
        let two = 2 * T::count::<S>();
        if rows.len() < *size * two {
            rows.resize(*size * two, T::zero());
        }
        let rows = &mut rows[..*size * two];
        for lane in (0..series.lanes).step_by(two) {
            let at = Tile::<S, T> { simd, turns, circle: *circle, size: *size, lane, series };
            at.load(rows);
            at.transform(rows);
            at.multiply(rows, values, transposed);
            at.transform_back(rows);
            at.store(rows, &mut target, transposed);
        }
    }
}

/// Two registers of lanes: real and imaginary parts of complex numbers, which real weights never
/// mix.
#[derive(Clone, Copy)]
struct Tile<'a, S, T> {
    simd: S,
    turns: &'a [T],
    circle: usize,
    size: usize,
    lane: usize,
    series: Signal<'a, T>,
}

#[derive(Clone, Copy)]
struct Complex<V> {
    re: V,
    im: V,
}

impl<S: Simd, T: Lanes> Tile<'_, S, T> {
    fn length(self) -> usize {
        self.series.x.len() / self.series.lanes
    }

    /// A row of samples, with zeros beyond the last lane.
    #[inline(always)]
    fn row(self, rows: &[T], time: usize) -> Complex<T::Vector<S>> {
        let (lanes, count) = (self.series.lanes, T::count::<S>());
        let row = &rows[time * lanes..][..lanes];
        let part = |from: usize| load_some::<T, S>(&row[from.min(lanes)..lanes.min(from + count)]);
        Complex { re: part(self.lane), im: part(self.lane + count) }
    }

    #[inline(always)]
    fn read(rows: &[T], row: usize) -> Complex<T::Vector<S>> {
        let count = T::count::<S>();
        let row = &rows[2 * row * count..][..2 * count];
        Complex { re: T::load::<S>(&row[..count]), im: T::load::<S>(&row[count..]) }
    }

    #[inline(always)]
    fn write(rows: &mut [T], row: usize, z: Complex<T::Vector<S>>) {
        let count = T::count::<S>();
        let row = &mut rows[2 * row * count..][..2 * count];
        T::store::<S>(&mut row[..count], z.re);
        T::store::<S>(&mut row[count..], z.im);
    }

    #[inline(always)]
    fn sum(self, a: Complex<T::Vector<S>>, b: Complex<T::Vector<S>>) -> Complex<T::Vector<S>> {
        Complex { re: T::sum(self.simd, a.re, b.re), im: T::sum(self.simd, a.im, b.im) }
    }

    #[inline(always)]
    fn minus(self, a: Complex<T::Vector<S>>, b: Complex<T::Vector<S>>) -> Complex<T::Vector<S>> {
        let simd = self.simd;
        Complex { re: T::difference(simd, a.re, b.re), im: T::difference(simd, a.im, b.im) }
    }

    /// `z (re + i im)`
    #[inline(always)]
    fn times(self, z: Complex<T::Vector<S>>, re: T, im: T) -> Complex<T::Vector<S>> {
        let simd = self.simd;
        let (re, im) = (T::splat(simd, re), T::splat(simd, im));
        Complex {
            re: T::fused_negative(simd, z.im, im, T::product(simd, z.re, re)),
            im: T::fused(simd, z.im, re, T::product(simd, z.re, im)),
        }
    }

    /// The turn of index k of a circle of `2 half`, forward.
    #[inline(always)]
    fn turn(self, k: usize, half: usize) -> (T, T) {
        let place = k * (self.circle / (2 * half));
        (self.turns[2 * place], self.turns[2 * place + 1])
    }

    /// The samples, and the first halving of the transform: the other half of the times is zero.
    #[inline(always)]
    fn load(self, rows: &mut [T]) {
        let half = self.size / 2;
        let start = self.row(self.series.x, 0);
        for time in 0..half {
            let mut z =
                Complex { re: T::splat(self.simd, T::zero()), im: T::splat(self.simd, T::zero()) };
            if time < self.length() {
                z = self.row(self.series.x, time);
                if self.series.first.is_some() {
                    z = self.minus(z, start);
                }
            }
            let (re, im) = self.turn(time, half);
            Self::write(rows, time, z);
            Self::write(rows, time + half, self.times(z, re, im));
        }
    }

    /// The other halvings, two at a time.
    #[inline(always)]
    fn transform(self, rows: &mut [T]) {
        let mut half = self.size / 4;
        while half > 0 {
            let quarter = half / 2;
            let blocks = rows.chunks_exact_mut(2 * half * 2 * T::count::<S>());
            if quarter == 0 {
                for block in blocks {
                    let (a, b) = (Self::read(block, 0), Self::read(block, 1));
                    Self::write(block, 0, self.sum(a, b));
                    Self::write(block, 1, self.minus(a, b));
                }
                return;
            }
            for block in blocks {
                for k in 0..quarter {
                    let ((re, im), (re2, im2)) = (self.turn(k, half), self.turn(k, quarter));
                    let z: [_; 4] = std::array::from_fn(|i| Self::read(block, k + i * quarter));
                    let (even, odd) = (self.sum(z[0], z[2]), self.sum(z[1], z[3]));
                    let a = self.times(self.minus(z[0], z[2]), re, im);
                    // A quarter of a circle on: times -i.
                    let b = self.times(self.minus(z[1], z[3]), im, -re);
                    Self::write(block, k, self.sum(even, odd));
                    Self::write(block, k + quarter, self.times(self.minus(even, odd), re2, im2));
                    Self::write(block, k + half, self.sum(a, b));
                    Self::write(block, k + half + quarter, self.times(self.minus(a, b), re2, im2));
                }
            }
            half /= 4;
        }
    }

    #[inline(always)]
    fn multiply(self, rows: &mut [T], values: &[T], transposed: bool) {
        for (k, value) in values.chunks_exact(2).enumerate() {
            let im = if transposed { -value[1] } else { value[1] };
            let z = self.times(Self::read(rows, k), value[0], im);
            Self::write(rows, k, z);
        }
    }

    /// [`transform`](Self::transform) undone, but for the factor.
    #[inline(always)]
    fn transform_back(self, rows: &mut [T]) {
        // Half lengths of the steps of `transform`, the last of them first.
        let halvings = self.size.trailing_zeros() - 1;
        let mut half = if halvings.is_multiple_of(2) { 2 } else { 1 };
        while half < self.size / 2 {
            let quarter = half / 2;
            let blocks = rows.chunks_exact_mut(2 * half * 2 * T::count::<S>());
            for block in blocks {
                if quarter == 0 {
                    let (a, b) = (Self::read(block, 0), Self::read(block, 1));
                    Self::write(block, 0, self.sum(a, b));
                    Self::write(block, 1, self.minus(a, b));
                }
                for k in 0..quarter {
                    let ((re, im), (re2, im2)) = (self.turn(k, half), self.turn(k, quarter));
                    let z: [_; 4] = std::array::from_fn(|i| Self::read(block, k + i * quarter));
                    let (u, v) = (self.times(z[1], re2, -im2), self.times(z[3], re2, -im2));
                    let (even, odd) = (self.sum(z[0], u), self.minus(z[0], u));
                    let (a, b) = (self.sum(z[2], v), self.minus(z[2], v));
                    let (a, b) = (self.times(a, re, -im), self.times(b, im, re));
                    Self::write(block, k, self.sum(even, a));
                    Self::write(block, k + half, self.minus(even, a));
                    Self::write(block, k + quarter, self.sum(odd, b));
                    Self::write(block, k + half + quarter, self.minus(odd, b));
                }
            }
            half *= 4;
        }
    }

    /// The last step back, of the first half of the times.
    #[inline(always)]
    fn store(self, rows: &[T], target: &mut Target<'_, T>, transposed: bool) {
        let (lanes, count, half) = (self.series.lanes, T::count::<S>(), self.size / 2);
        let start = self.row(self.series.x, 0);
        let first = self.series.first.filter(|_| !transposed);
        let mut inner = T::splat(self.simd, T::zero());
        for time in 0..self.length() {
            let (re, im) = self.turn(time, half);
            let other = self.times(Self::read(rows, time + half), re, -im);
            let mut z = self.sum(Self::read(rows, time), other);
            if let Some(first) = first {
                z = self.sum(z, self.times(start, first[time], T::zero()));
            }
            match target {
                Target::Add(y) => {
                    let row = &mut y[time * lanes..][..lanes];
                    for (part, z) in row[self.lane..].chunks_mut(count).zip([z.re, z.im]) {
                        T::store::<S>(part, T::sum(self.simd, z, load_some::<T, S>(part)));
                    }
                }
                Target::InnerProduct(rows, _) => {
                    let row = self.row(rows, time);
                    inner = T::fused(self.simd, z.re, row.re, inner);
                    inner = T::fused(self.simd, z.im, row.im, inner);
                }
            }
        }
        if let Target::InnerProduct(_, total) = target {
            **total += T::total(self.simd, inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causal::{DirectSum, PADDING};

    #[test]
    fn against_direct_sums() {
        fn check<T: Lanes>(bound: f64) {
            let number = |i: usize| T::narrow(((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0);
            let (arch, mut spectrum) = (Arch::new(), Spectrum::<T>::default());
            for length in [1, 2, 3, 4, 5, 8, 9, 16, 300, 17, 33, 100] {
                let weights: Vec<f64> = (0..length).map(|k| number(k + 3).widen()).collect();
                let mut tables = vec![T::zero(); length + 2 * PADDING];
                for (k, w) in weights.iter().enumerate() {
                    tables[PADDING + k] = T::narrow(*w);
                }
                spectrum.set(&weights);
                for lanes in [1, 15, 16, 33, 70] {
                    let x: Vec<T> = (0..length * lanes).map(number).collect();
                    let c: Vec<T> = (0..length).map(|i| number(i + 9)).collect();
                    for first in [None, Some(c.as_slice())] {
                        let x = x.as_slice();
                        let direct = DirectSum {
                            tables: &tables,
                            stride: 0,
                            taps: length,
                            series: 1,
                            times: (0, length),
                            fused: true,
                            x,
                            length,
                            lanes,
                            first,
                        };
                        let of = Signal { x, lanes, first };
                        let (mut y, mut exact) = (x.to_vec(), x.to_vec());
                        spectrum.sum(arch, of, false, Target::Add(&mut y));
                        direct.convolve(arch, 0..length, &mut exact);
                        let near = |a: &[T], b: &[T]| {
                            let scale = b.iter().fold(1.0f64, |s, b| s.max(b.widen().abs()));
                            for (a, b) in a.iter().zip(b) {
                                let error = (a.widen() - b.widen()).abs() / scale;
                                assert!(error < bound, "{length} {lanes}: {a} {b}");
                            }
                        };
                        near(&y, &exact);
                        let mut product = T::one();
                        spectrum.sum(arch, of, false, Target::InnerProduct(x, &mut product));
                        let error = (product - direct.inner_product(arch, x)).widen() - 1.0;
                        assert!(error.abs() < bound * x.len() as f64, "{length} {lanes}: {error}");
                        if first.is_none() {
                            let (mut y, mut exact) = (x.to_vec(), x.to_vec());
                            spectrum.sum(arch, of, true, Target::Add(&mut y));
                            direct.correlate(arch, 0..length, &mut exact);
                            near(&y, &exact);
                        }
                    }
                }
            }
        }
        check::<f64>(1e-14);
        check::<f32>(5e-6);
    }
}
