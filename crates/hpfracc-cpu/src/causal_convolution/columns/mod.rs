//! Fourier transforms of the columns of a matrix, one column in each lane of the registers.
//!
//! Neighbouring columns take the same steps, so that nothing is shuffled: the first step reads
//! samples, the last writes the matrix, and between them the columns stay in the cache. Steps are
//! of radix 4, in place, decimation in frequency; the inverse undoes them in the opposite order.
//! Frequencies are left where they fall, in the order of their reversed base-4 digits.

mod complex_registers;
mod ends;
mod step;

use crate::buffers::aligned::Aligned;
use crate::buffers::column_bands::Band;
use crate::fourier::roots_of_unity::root;
use crate::instruction_set::lanes;
use complex_registers::Pair;
use ends::{Samples, Series, Spectrum, Values};
use hpfracc_lanes::{LONGEST, Lanes};
use num_complex::Complex;
use pulp::{Arch, Simd, WithSimd};
use step::{PARTS, Tile, step, tile_pair};

/// Tables of the transforms of columns: lengths, twiddle factors, and the factors between columns
/// and rows.
pub(super) struct Columns<T> {
    rows: usize,
    columns: usize,
    /// Number of columns transformed together: the lanes of a register.
    width: usize,
    /// exp(i pi n1 / (2 R)) for each row.
    twist: Aligned<Complex<T>>,
    /// w^j, w^2j, w^3j with w = exp(-2 pi i / n), for j < n/4, for n = R, R/4, .. 16.
    twiddles: Aligned<Complex<T>>,
    /// exp(-2 pi i n2 (k1 - 1/4) / M) is the product of a coarse and a fine factor: a full table
    /// would be as large as the series. Coarse, n2 = the first of each band, a row of R per band.
    coarse: Aligned<Complex<T>>,
    /// Fine, n2 = 0 .. width: for each of the R frequencies `width` real, `width` imaginary parts.
    fine: Aligned<T>,
}

impl<T: Lanes> Columns<T> {
    /// Transforms of length `rows`, a power of 4 from 16 on, of `columns`, a multiple of
    /// [`LONGEST`].
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        assert!(rows >= 16 && rows.is_power_of_two() && rows.trailing_zeros().is_multiple_of(2));
        assert!(columns.is_multiple_of(LONGEST));
        let width = lanes::<T>();
        let m = (rows * columns) as u64;
        // n2 (k1 - 1/4) / M = n2 (4 k1 - 1) / (4 M), clockwise.
        let factor = |n2: usize, place: usize| {
            let turns = n2 as u64 * (4 * frequency(place, rows) + 4 * m - 1) % (4 * m);
            root::<T>(4 * m - turns, 4 * m)
        };
        let mut twist = Aligned::new(rows, Complex::default());
        for (n1, value) in twist.iter_mut().enumerate() {
            *value = root(n1 as u64, 4 * rows as u64);
        }
        let mut coarse = Aligned::new(columns / width * rows, Complex::default());
        for (at, value) in coarse.iter_mut().enumerate() {
            *value = factor(at / rows * width, at % rows);
        }
        let mut fine = Aligned::new(rows * PARTS * width, T::zero());
        for (place, parts) in fine.chunks_exact_mut(PARTS * width).enumerate() {
            let (re, im) = parts.split_at_mut(width);
            for l in 0..width {
                let value = factor(l, place);
                (re[l], im[l]) = (value.re, value.im);
            }
        }
        let lengths = std::iter::successors(Some(rows), |n| (*n > 16).then_some(n / 4));
        let steps: Vec<_> = lengths
            .flat_map(|n| (0..n / 4).flat_map(move |j| [1, 2, 3].map(|r| (n - r * j, n))))
            .collect();
        let mut twiddles = Aligned::new(steps.len(), Complex::default());
        for (value, (j, n)) in twiddles.iter_mut().zip(steps) {
            *value = root(j as u64, n as u64);
        }
        Self { rows, columns, width, twist, twiddles, coarse, fine }
    }

    /// Columns in a band.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Scalars of scratch memory for a band.
    pub(super) fn tile_len(&self) -> usize {
        self.rows * PARTS * self.width
    }

    pub(super) fn bytes(&self) -> usize {
        let complex = self.rows + self.twiddles.len() + self.coarse.len();
        Aligned::<Complex<T>>::bytes(complex) + Aligned::<T>::bytes(self.fine.len())
    }

    /// Twists and transforms the columns of a band of the samples `from`, padded with zeros.
    pub(super) fn forward(
        &self,
        band: usize,
        from: &[T],
        to: Band<'_, Complex<T>>,
        tile: &mut [T],
    ) {
        Arch::new().dispatch(Forward { plan: self, band, from, to, tile });
    }

    /// Inverse transforms of the columns of a band, untwisted; the real part is the result.
    pub(super) fn inverse(
        &self,
        band: usize,
        from: (&[Complex<T>], usize),
        to: Band<'_, T>,
        tile: &mut [T],
    ) {
        Arch::new().dispatch(Inverse { plan: self, band, from, to, tile });
    }

    /// The product of a value of the spectrum with its factor, or the factor's conjugate.
    #[inline(always)]
    fn turn<S: Simd, const CONJ: bool>(
        &self,
        simd: S,
        band: usize,
        place: usize,
        value: Pair<T::Vector<S>>,
    ) -> Pair<T::Vector<S>> {
        let coarse = Pair::splat::<T, S>(simd, self.coarse[band * self.rows + place]);
        let fine = tile_pair::<T, S>(&self.fine, place);
        let factor = fine.mul::<T, S, false>(simd, coarse);
        value.mul::<T, S, CONJ>(simd, factor)
    }
}

/// The frequency at a position: its digits to the base 4 in reverse order.
fn frequency(place: usize, rows: usize) -> u64 {
    let (mut place, mut n, mut reversed) = (place, rows, 0);
    while n > 1 {
        reversed = 4 * reversed + place % 4;
        (place, n) = (place / 4, n / 4);
    }
    reversed as u64
}

struct Forward<'a, T> {
    plan: &'a Columns<T>,
    band: usize,
    from: &'a [T],
    to: Band<'a, Complex<T>>,
    tile: &'a mut [T],
}

impl<T: Lanes> WithSimd for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { plan, band, from, to, tile } = self;
        let rows = plan.rows;
        let mut twiddles = &plan.twiddles[..];
        let mut n = rows;
        while n > 4 {
            let (now, later) = twiddles.split_at(n / 4 * 3);
            if n == rows {
                let samples = Samples { plan, band, from };
                step::<T, S, false>(simd, tile, (n, rows), now, &samples, &mut Tile);
            } else {
                step::<T, S, false>(simd, tile, (n, rows), now, &Tile, &mut Tile);
            }
            (twiddles, n) = (later, n / 4);
        }
        let mut spectrum = Spectrum { plan, band, to };
        step::<T, S, false>(simd, tile, (4, rows), &[], &Tile, &mut spectrum);
    }
}

struct Inverse<'a, T> {
    plan: &'a Columns<T>,
    band: usize,
    /// The matrix and the length of its rows.
    from: (&'a [Complex<T>], usize),
    to: Band<'a, T>,
    tile: &'a mut [T],
}

impl<T: Lanes> WithSimd for Inverse<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { plan, band, from: (matrix, stride), to, tile } = self;
        let rows = plan.rows;
        let values = Values { plan, band, matrix, stride };
        step::<T, S, true>(simd, tile, (4, rows), &[], &values, &mut Tile);
        let mut twiddles = &plan.twiddles[..];
        let mut n = 16;
        while n < rows {
            let (later, now) = twiddles.split_at(twiddles.len() - n / 4 * 3);
            step::<T, S, true>(simd, tile, (n, rows), now, &Tile, &mut Tile);
            (twiddles, n) = (later, 4 * n);
        }
        let mut series = Series { plan, to };
        step::<T, S, true>(simd, tile, (rows, rows), twiddles, &Tile, &mut series);
    }
}
