use super::block::{Matrix, lanes};
use super::operands::Right;
use crate::{LONGEST, Lanes};
use pulp::{Arch, Simd};

/// A block of a right factor, contiguous in the L1 cache.
pub(super) struct Panel<T> {
    arch: Arch,
    width: usize,
    values: [T; ELEMENTS],
}

/// 32 KiB of single precision.
const ELEMENTS: usize = 1 << 12;
const BYTES: usize = 1 << 14;

/// Registers in a row of a panel.
const REGISTERS: usize = 2;

impl<T: Lanes> Panel<T> {
    pub(super) fn new(arch: Arch) -> Self {
        let width = REGISTERS * lanes::<T>(arch);
        Self { arch, width, values: [T::zero(); ELEMENTS] }
    }

    /// Columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Largest number of rows, a multiple of four.
    pub(super) fn depth(&self) -> usize {
        BYTES / size_of::<T>() / self.width
    }

    fn matrix(&self, columns: usize) -> Matrix<'_, T> {
        Matrix { values: &self.values, columns, step: self.width }
    }

    /// Copies `rows` = (first, count) of a right factor and its columns from `column` up to the
    /// width. The values beyond the last column are not specified.
    pub(super) fn pack(
        &mut self,
        right: &Right<'_, T>,
        rows: (usize, usize),
        column: usize,
    ) -> Matrix<'_, T> {
        let columns = self.width.min(right.columns - column);
        let (values, width) = (&mut self.values, self.width);
        pack(self.arch, right, rows, (column, columns), width, values);
        self.matrix(columns)
    }

    /// Copies the transpose of `rows` rows of a right factor from `row` up to the width, with the
    /// columns `numbers` = (first, count) of each.
    pub(super) fn transpose(
        &mut self,
        right: &Right<'_, T>,
        (row, rows): (usize, usize),
        numbers: (usize, usize),
    ) -> Matrix<'_, T> {
        let rows = self.width.min(rows - row);
        let (values, width) = (&mut self.values, self.width);
        transpose(self.arch, right, (row, rows), numbers, width, values);
        self.matrix(rows)
    }
}

dispatched! {
    /// Copies rows and columns, each (first, count), line by line.
    fn pack<'a, T: Lanes>(
        _simd: S, right: &'a Right<'a, T>, rows: (usize, usize), columns: (usize, usize),
        width: usize, values: &'a mut [T],
    ) {
        let ((first, rows), (column, columns)) = (rows, columns);
        let lanes = T::count::<S>();
        for (row, line) in (first..first + rows).zip(values.chunks_exact_mut(width)) {
            let from = &right.values[right.start(row) + column..][..columns];
            for (to, from) in line.chunks_mut(lanes).zip(from.chunks(lanes)) {
                if from.len() == lanes {
                    T::store::<S>(to, T::load::<S>(from));
                } else {
                    to[..from.len()].copy_from_slice(from);
                }
            }
        }
    }
}

dispatched! {
    /// Copies the transpose of rows, (first, count), each with its numbers (first, count): puts
    /// four numbers of each row where deinterleaving quads of lanes leaves them in order.
    fn transpose<'a, T: Lanes>(
        simd: S, right: &'a Right<'a, T>, rows: (usize, usize), numbers: (usize, usize),
        width: usize, values: &'a mut [T],
    ) {
        let ((row, rows), (first, numbers)) = (rows, numbers);
        let lanes = T::count::<S>();
        let quads = quad_of_lane::<T, S>(simd);
        let whole = numbers / 4 * 4;
        for j in 0..rows {
            let from = &right.values[right.start(row + j) + first..][..numbers];
            let (from, rest) = from.split_at(whole);
            let (offset, at) = (j / lanes * lanes, 4 * quads[j % lanes]);
            if lanes >= 4 {
                let place = at / lanes * width + offset + at % lanes;
                let steps = values[place..].chunks_mut(4 * width);
                for (quad, to) in from.chunks_exact(4).zip(steps) {
                    to[..4].copy_from_slice(quad);
                }
            } else {
                for (i, number) in from.iter().enumerate() {
                    let (line, at) = (i / 4 * 4, at + i % 4);
                    values[(line + at / lanes) * width + offset + at % lanes] = *number;
                }
            }
            for (i, number) in rest.iter().enumerate() {
                values[(whole + i) * width + j] = *number;
            }
        }
        for four in values.chunks_exact_mut(4 * width).take(whole / 4) {
            for offset in (0..width).step_by(lanes) {
                let registers: [T::Vector<S>; 4] =
                    std::array::from_fn(|i| T::load::<S>(&four[i * width + offset..][..lanes]));
                let apart = T::quads_apart(simd, registers);
                for (i, register) in apart.into_iter().enumerate() {
                    T::store::<S>(&mut four[i * width + offset..][..lanes], register);
                }
            }
        }
    }
}

/// Index of the quad of four registers that ends in each lane after deinterleaving.
#[inline(always)]
fn quad_of_lane<T: Lanes, S: Simd>(simd: S) -> [usize; LONGEST] {
    let lanes = T::count::<S>();
    let mut numbers = [T::zero(); 4 * LONGEST];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = T::narrow((i / 4) as f64);
    }
    let registers = std::array::from_fn(|i| T::load::<S>(&numbers[i * lanes..][..lanes]));
    let [first, ..] = T::quads_apart(simd, registers);
    let mut quads = [T::zero(); LONGEST];
    T::store::<S>(&mut quads[..lanes], first);
    quads.map(|quad| quad.widen() as usize)
}
