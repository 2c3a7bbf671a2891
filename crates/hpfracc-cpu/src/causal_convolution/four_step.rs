//! The right-angle convolution of a long series, as a matrix of M = rows x columns samples.
//!
//! A transform that leaves the cache waits for memory. With n = n1 C + n2 and k = k1 + R k2 the
//! transform of the twisted series (see `right_angle`) splits into
//!
//! 1. for each column n2: twist by exp(i pi n1 / (2 R)), transform of length R over n1,
//!    product with exp(-2 pi i n2 (k1 - 1/4) / M), the twiddle factor and the rest of the twist;
//! 2. for each row k1: transform of length C over n2.
//!
//! The rows hold the spectrum in an order that nobody asks to see: each is multiplied by the
//! weights' spectrum and transformed back while it is in the cache, then the columns go back. Each
//! sample crosses to memory and back three times in all, and nothing is transposed in between.
//! Columns, then rows, are independent: threads share them, and no result depends on how many do.
//!
//! Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomput. 4 (1990) 23-35,
//! doi:10.1007/BF00162341.

use crate::aligned::Aligned;
use crate::bands::each_band;
use crate::pointwise;
use crate::roots::root;
use crate::scratch::Scratch;
use crate::transforms::{ComplexPair, Transforms};
use hpfracc_types::Real;
use num_complex::Complex;
use rayon::prelude::*;

/// Columns taken at once: two cache lines of samples.
const BAND: usize = 16;

/// A transform done as columns and rows.
pub(super) struct FourStep<T> {
    rows: usize,
    columns: usize,
    column_fft: ComplexPair<T>,
    row_fft: ComplexPair<T>,
    /// exp(i pi n1 / (2 R)) for each row.
    twist: Aligned<Complex<T>>,
    /// exp(-2 pi i BAND h (k1 - 1/4) / M), for each band h a row of R: the full table would be as
    /// large as the series. A factor is the product of a coarse and a fine one.
    coarse: Aligned<Complex<T>>,
    /// exp(-2 pi i l (k1 - 1/4) / M), for each column l of a band a row of R.
    fine: Aligned<Complex<T>>,
    /// For each thread: the columns of a band, or a row, and what the transforms need.
    local: Scratch<Complex<T>>,
}

impl<T: Real> FourStep<T> {
    pub(super) fn new(rows: usize, columns: usize, transforms: &Transforms) -> Self {
        let m = (rows * columns) as u64;
        // n2 (k1 - 1/4) / M = n2 (4 k1 - 1) / (4 M), clockwise.
        let factor = |n2: usize, k1: usize| {
            let quarter = (n2 as u64 * (4 * k1 as u64 + 4 * m - 1)) % (4 * m);
            root::<T>(4 * m - quarter, 4 * m)
        };
        let table = |count: usize, step: usize| {
            let mut table = Aligned::new(count * rows, Complex::default());
            for (at, value) in table.iter_mut().enumerate() {
                *value = factor(at / rows * step, at % rows);
            }
            table
        };
        let mut twist = Aligned::new(rows, Complex::default());
        for (n1, value) in twist.iter_mut().enumerate() {
            *value = root(n1 as u64, 4 * rows as u64);
        }
        let column_fft = transforms.complex::<T>(rows);
        let row_fft = transforms.complex::<T>(columns);
        let column_need = BAND * column_stride(rows) + inplace_need(&column_fft);
        let row_need = columns + row_need(&row_fft);
        Self {
            rows,
            columns,
            column_fft,
            row_fft,
            twist,
            coarse: table(columns.div_ceil(BAND), BAND),
            fine: table(BAND, 1),
            local: Scratch::new(column_need.max(row_need)),
        }
    }

    pub(super) fn spectrum_len(&self) -> usize {
        self.rows * self.columns
    }

    /// The matrix; its rows are longer than the columns need, so that a column does not fall on
    /// few sets of the cache.
    pub(super) fn scratch_len(&self) -> usize {
        self.rows * self.stride()
    }

    fn stride(&self) -> usize {
        self.columns + BAND
    }

    pub(super) fn table_bytes(&self) -> usize {
        let len = self.rows + self.coarse.len() + self.fine.len();
        Aligned::<Complex<T>>::bytes(len) + self.local.bytes()
    }

    pub(super) fn spectrum(&self, w: &[T], spectrum: &mut [Complex<T>], matrix: &mut [Complex<T>]) {
        self.columns_forward(w, matrix, false);
        let norm = T::narrow(1.0 / self.spectrum_len() as f64);
        let mut local = self.local.lend();
        for (row, spectrum) in
            matrix.chunks_exact_mut(self.stride()).zip(spectrum.chunks_exact_mut(self.columns))
        {
            let row = &mut row[..self.columns];
            self.row_fft.forward.process_outofplace_with_scratch(row, spectrum, &mut local);
            spectrum.iter_mut().for_each(|value| *value = *value * norm);
        }
    }

    pub(super) fn apply(
        &self,
        spectrum: &[Complex<T>],
        transposed: bool,
        from: &[T],
        to: &mut [T],
        matrix: &mut [Complex<T>],
        parallel: bool,
    ) {
        if parallel {
            self.local.reserve(rayon::current_num_threads());
        }
        let t0 = std::time::Instant::now();
        self.columns_forward(from, matrix, parallel);
        let t1 = std::time::Instant::now();
        let rows = |local: &mut [Complex<T>], row: &mut [Complex<T>], spectrum: &[Complex<T>]| {
            let row = &mut row[..self.columns];
            let (values, scratch) = local.split_at_mut(self.columns);
            self.row_fft.forward.process_outofplace_with_scratch(row, values, scratch);
            if transposed {
                pointwise::multiply_conj(values, spectrum);
            } else {
                pointwise::multiply(values, spectrum);
            }
            self.row_fft.inverse.process_outofplace_with_scratch(values, row, scratch);
        };
        if parallel {
            matrix
                .par_chunks_exact_mut(self.stride())
                .zip(spectrum.par_chunks_exact(self.columns))
                .for_each_init(|| self.local.lend(), |l, (row, spectrum)| rows(l, row, spectrum));
        } else {
            let mut local = self.local.lend();
            matrix
                .chunks_exact_mut(self.stride())
                .zip(spectrum.chunks_exact(self.columns))
                .for_each(|(row, spectrum)| rows(&mut local, row, spectrum));
        }
        let t2 = std::time::Instant::now();
        self.columns_inverse(matrix, to, parallel);
        let t3 = std::time::Instant::now();
        if std::env::var("PH").is_ok() { eprintln!("{} {} fwd {:?} rows {:?} inv {:?}", self.rows, self.columns, t1-t0, t2-t1, t3-t2); }
    }

    fn columns_forward(&self, from: &[T], matrix: &mut [Complex<T>], parallel: bool) {
        let layout = (self.stride(), self.columns, BAND);
        each_band(matrix, layout, parallel, || self.local.lend(), |local, h, mut band| {
            let (columns, scratch) = local.split_at_mut(BAND * column_stride(self.rows));
            let width = BAND.min(self.columns - h * BAND);
            for n1 in 0..self.rows {
                let start = (n1 * self.columns + h * BAND).min(from.len());
                let samples = &from[start..(start + width).min(from.len())];
                let at = |l: usize| l * column_stride(self.rows) + n1;
                for (l, &sample) in samples.iter().enumerate() {
                    columns[at(l)] = self.twist[n1] * sample;
                }
                for l in samples.len()..width {
                    columns[at(l)] = Complex::default();
                }
            }
            let coarse = &self.coarse[h * self.rows..][..self.rows];
            for (l, column) in columns.chunks_exact_mut(column_stride(self.rows)).take(width).enumerate() {
                let column = &mut column[..self.rows];
                self.column_fft.forward.process_with_scratch(column, scratch);
                pointwise::multiply(column, coarse);
                pointwise::multiply(column, &self.fine[l * self.rows..][..self.rows]);
            }
            for k1 in 0..self.rows {
                for (l, value) in band.row(k1).iter_mut().enumerate() {
                    *value = columns[l * column_stride(self.rows) + k1];
                }
            }
        });
    }

    fn columns_inverse(&self, matrix: &[Complex<T>], to: &mut [T], parallel: bool) {
        let layout = (self.columns, self.columns, BAND);
        each_band(to, layout, parallel, || self.local.lend(), |local, h, mut band| {
            let (columns, scratch) = local.split_at_mut(BAND * column_stride(self.rows));
            let width = BAND.min(self.columns - h * BAND);
            for (k1, row) in matrix.chunks_exact(self.stride()).enumerate() {
                for (l, &value) in row[h * BAND..][..width].iter().enumerate() {
                    columns[l * column_stride(self.rows) + k1] = value;
                }
            }
            let coarse = &self.coarse[h * self.rows..][..self.rows];
            for (l, column) in columns.chunks_exact_mut(column_stride(self.rows)).take(width).enumerate() {
                let column = &mut column[..self.rows];
                pointwise::multiply_conj(column, coarse);
                pointwise::multiply_conj(column, &self.fine[l * self.rows..][..self.rows]);
                self.column_fft.inverse.process_with_scratch(column, scratch);
            }
            for n1 in 0..self.rows {
                let twist = self.twist[n1];
                for (l, to) in band.row(n1).iter_mut().enumerate() {
                    let value = columns[l * column_stride(self.rows) + n1];
                    *to = value.re * twist.re + value.im * twist.im;
                }
            }
        });
    }
}

/// Distance of the columns of a band in scratch: one line more than their length, for the same
/// reason as [`FourStep::stride`].
fn column_stride(rows: usize) -> usize {
    rows + 4
}

fn inplace_need<T: Real>(fft: &ComplexPair<T>) -> usize {
    fft.forward.get_inplace_scratch_len().max(fft.inverse.get_inplace_scratch_len())
}

fn row_need<T: Real>(fft: &ComplexPair<T>) -> usize {
    fft.forward.get_outofplace_scratch_len().max(fft.inverse.get_outofplace_scratch_len())
}
