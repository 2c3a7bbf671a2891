//! The right-angle convolution of a long series, as a matrix of M = rows x columns samples.
//!
//! A transform that exceeds the cache is bound by memory. With n = n1 C + n2 and k = k1 + R k2 the
//! transform of the twisted series (see `right_angle`) splits into
//!
//! 1. for each column n2: twist by exp(i pi n1 / (2 R)), transform of length R over n1,
//!    product with exp(-2 pi i n2 (k1 - 1/4) / M), the twiddle factor and the rest of the twist;
//! 2. for each row k1: transform of length C over n2.
//!
//! The rows have the spectrum in a permuted order, which does not matter: each is multiplied by the
//! spectrum of the weights and transformed back while it is in the cache, then the columns are
//! transformed back. Each sample is read from and written to memory three times in all, and nothing
//! is transposed in between. Columns, then rows, are independent: threads share them, and results
//! do not depend on the number of threads.
//!
//! Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomput. 4 (1990) 23-35,
//! doi:10.1007/BF00162341.

use super::columns::Columns;
use crate::buffers::column_bands::each_band;
use crate::buffers::scratch_pool::ScratchPool;
use crate::fourier::planners::{ComplexPair, Transforms};
use crate::fourier::pointwise;
use hpfracc_backend::Direction;
use hpfracc_lanes::Lanes;
use num_complex::Complex;
use rayon::prelude::*;

/// A transform by columns and rows.
pub(super) struct FourStep<T> {
    rows: usize,
    columns: usize,
    column: Columns<T>,
    row: ComplexPair<T>,
    /// For each thread: the columns of a band.
    tiles: ScratchPool<T>,
    /// For each thread: a row and the scratch memory of its transforms.
    lines: ScratchPool<Complex<T>>,
}

impl<T: Lanes> FourStep<T> {
    pub(super) fn new(rows: usize, columns: usize, transforms: &Transforms) -> Self {
        let column = Columns::new(rows, columns);
        let row = transforms.complex::<T>(columns);
        let need = |fft: &dyn rustfft::Fft<T>| fft.get_outofplace_scratch_len();
        let need = need(row.forward.as_ref()).max(need(row.inverse.as_ref()));
        let tiles = ScratchPool::new(column.tile_len());
        Self { rows, columns, column, row, tiles, lines: ScratchPool::new(columns + need) }
    }

    pub(super) fn spectrum_len(&self) -> usize {
        self.rows * self.columns
    }

    /// The matrix. Its rows are padded, so that the entries of a column do not share a few sets of
    /// the cache.
    pub(super) fn scratch_len(&self) -> usize {
        self.rows * self.stride()
    }

    fn stride(&self) -> usize {
        self.columns + 8
    }

    /// Bytes of the tables, and of the scratch memory of `threads` threads.
    pub(super) fn table_bytes(&self, threads: usize) -> usize {
        self.column.bytes() + threads * (self.tiles.bytes() + self.lines.bytes())
    }

    pub(super) fn spectrum(&self, w: &[T], spectrum: &mut [Complex<T>], matrix: &mut [Complex<T>]) {
        self.columns_forward(w, matrix, false);
        let norm = T::narrow(1.0 / self.spectrum_len() as f64);
        let mut line = self.lines.lend();
        for (row, spectrum) in
            matrix.chunks_exact_mut(self.stride()).zip(spectrum.chunks_exact_mut(self.columns))
        {
            let row = &mut row[..self.columns];
            self.row.forward.process_outofplace_with_scratch(row, spectrum, &mut line);
            spectrum.iter_mut().for_each(|value| *value *= norm);
        }
    }

    pub(super) fn apply(
        &self,
        spectrum: &[Complex<T>],
        direction: Direction,
        from: &[T],
        to: &mut [T],
        matrix: &mut [Complex<T>],
        parallel: bool,
    ) {
        if parallel {
            self.reserve(rayon::current_num_threads());
        }
        self.columns_forward(from, matrix, parallel);
        let rows = |line: &mut [Complex<T>], row: &mut [Complex<T>], spectrum: &[Complex<T>]| {
            let row = &mut row[..self.columns];
            let (values, scratch) = line.split_at_mut(self.columns);
            self.row.forward.process_outofplace_with_scratch(row, values, scratch);
            pointwise::multiply(values, spectrum, direction);
            self.row.inverse.process_outofplace_with_scratch(values, row, scratch);
        };
        if parallel {
            matrix
                .par_chunks_exact_mut(self.stride())
                .zip(spectrum.par_chunks_exact(self.columns))
                .for_each_init(|| self.lines.lend(), |l, (row, spectrum)| rows(l, row, spectrum));
        } else {
            let mut line = self.lines.lend();
            matrix
                .chunks_exact_mut(self.stride())
                .zip(spectrum.chunks_exact(self.columns))
                .for_each(|(row, spectrum)| rows(&mut line, row, spectrum));
        }
        self.columns_inverse(matrix, to, parallel);
    }

    /// Allocates scratch memory for `threads` threads.
    pub(super) fn reserve(&self, threads: usize) {
        self.tiles.reserve(threads);
        self.lines.reserve(threads);
    }

    fn columns_forward(&self, from: &[T], matrix: &mut [Complex<T>], parallel: bool) {
        let layout = (self.stride(), self.columns, self.column.width());
        let tile = || self.tiles.lend();
        each_band(matrix, layout, parallel, tile, |tile, index, band| {
            self.column.forward(index, from, band, tile);
        });
    }

    fn columns_inverse(&self, matrix: &[Complex<T>], to: &mut [T], parallel: bool) {
        let layout = (self.columns, self.columns, self.column.width());
        let tile = || self.tiles.lend();
        each_band(to, layout, parallel, tile, |tile, index, band| {
            self.column.inverse(index, (matrix, self.stride()), band, tile);
        });
    }
}
