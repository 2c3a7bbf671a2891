//! Tiles of a head: a few times of each feature, stored contiguously, so that the operands of a
//! product of tiles fit the L1 cache without conflicts between lines.

use crate::Scalar;
use std::ops::Range;

/// Times in a tile.
pub(super) const EDGE: usize = 64;

/// Queries or keys whose exponentials are computed together; tiles are padded to a multiple of it.
pub(super) const SIDE: usize = 16;

/// Width of the widest tile for `length` times, padded.
pub(super) fn widest(length: usize) -> usize {
    length.next_multiple_of(SIDE).min(EDGE)
}

/// Tiles of `length` times.
pub(super) fn tiles(length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..length).step_by(EDGE).map(move |at| at..length.min(at + EDGE))
}

/// The features x length numbers of a head.
#[derive(Debug, Clone, Copy)]
pub(super) struct Series<'a, T> {
    pub(super) values: &'a [T],
    pub(super) length: usize,
}

impl<'a, T: Scalar> Series<'a, T> {
    /// Copies some times of each feature into lines of `width`, padded with zeros.
    pub(super) fn pack<'b>(
        self,
        times: &Range<usize>,
        width: usize,
        tile: &'b mut [T],
    ) -> &'b mut [T] {
        let tile = &mut tile[..self.values.len() / self.length * width];
        let lines = tile.chunks_exact_mut(width);
        for (line, series) in lines.zip(self.values.chunks_exact(self.length)) {
            let (line, rest) = line.split_at_mut(times.len());
            line.copy_from_slice(&series[times.clone()]);
            rest.fill(T::zero());
        }
        tile
    }

    /// Copies some times, transposed: a line of all features for each time.
    pub(super) fn pack_turned<'b>(self, times: &Range<usize>, tile: &'b mut [T]) -> &'b mut [T] {
        let features = self.values.len() / self.length;
        let tile = &mut tile[..features * times.len()];
        for (f, series) in self.values.chunks_exact(self.length).enumerate() {
            let column = tile[f..].iter_mut().step_by(features);
            column.zip(&series[times.clone()]).for_each(|(to, from)| *to = *from);
        }
        tile
    }
}

/// Copies a tile with lines of `width` back to its times of a head.
pub(super) fn unpack<T: Scalar>(
    tile: &[T],
    width: usize,
    times: &Range<usize>,
    length: usize,
    values: &mut [T],
) {
    for (line, series) in tile.chunks_exact(width).zip(values.chunks_exact_mut(length)) {
        series[times.clone()].copy_from_slice(&line[..times.len()]);
    }
}

/// Multiplies all numbers of a tile.
pub(super) fn scale<T: Scalar>(tile: &mut [T], factor: T) {
    tile.iter_mut().for_each(|number| *number *= factor);
}
