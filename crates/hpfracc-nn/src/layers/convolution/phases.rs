use super::Conv1dConfig;
use crate::Scalar;
use hpfracc_lanes::product::Right;
use hpfracc_lanes::{Rows, RowsMut};

/// Layout of a padded series with the stride s: for each channel first the times 0, s, 2 s, ...,
/// then 1, s + 1, ... . A tap reads every s-th time, which are contiguous in this layout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Phases {
    pub(super) config: Conv1dConfig,
    /// Zeros in front.
    pub(super) front: usize,
    /// Times of the padded series.
    pub(super) padded: usize,
    pub(super) length_out: usize,
}

impl Phases {
    /// Rows of the copy; 0 if x itself has this layout.
    pub(super) fn rows(&self) -> usize {
        let Conv1dConfig { channels, length, stride, .. } = self.config;
        let as_it_is = stride == 1 && self.padded == length;
        if as_it_is { 0 } else { channels * stride * self.times() }
    }

    /// Times of each remainder.
    fn times(&self) -> usize {
        self.padded.div_ceil(self.config.stride)
    }

    /// The row of the copy for a channel and a time.
    fn row(&self, channel: usize, time: usize) -> usize {
        let (stride, time) = (self.config.stride, time + self.front);
        (channel * stride + time % stride) * self.times() + time / stride
    }

    /// Writes the padded copy of x.
    pub(super) fn spread<T: Scalar>(&self, x: Rows<'_, T>, padded: &mut [T]) {
        if self.rows() == 0 {
            return;
        }
        padded.fill(T::zero());
        let (length, lanes) = (self.config.length, x.lanes());
        if self.config.stride == 1 {
            let series = x.as_slice().chunks_exact(length * lanes);
            for (channel, series) in series.enumerate() {
                padded[self.row(channel, 0) * lanes..][..series.len()].copy_from_slice(series);
            }
            return;
        }
        let mut padded = RowsMut::new(padded, lanes);
        for row in 0..x.rows() {
            padded[self.row(row / length, row % length)].copy_from_slice(&x[row]);
        }
    }

    /// Transpose of [`spread`](Self::spread): adds the rows of a padded copy to x.
    pub(super) fn gather<T: Scalar>(&self, padded: &[T], mut x: RowsMut<'_, T>) {
        let (length, lanes) = (self.config.length, x.lanes());
        let padded = Rows::new(padded, lanes);
        for row in 0..x.rows() {
            let from = &padded[self.row(row / length, row % length)];
            x[row].iter_mut().zip(from).for_each(|(x, from)| *x += *from);
        }
    }

    /// The right factor of the convolution: the series of the taps of all channels, over the times
    /// of y.
    pub(super) fn right<'a, T>(&self, x: &'a [T], padded: &'a [T], lanes: usize) -> Right<'a, T> {
        let Conv1dConfig { stride, dilation, kernel, .. } = self.config;
        let times = self.times();
        Right {
            values: if self.rows() == 0 { x } else { padded },
            columns: self.length_out * lanes,
            per_group: kernel,
            group: stride * times * lanes,
            step: (dilation % stride * times + dilation / stride) * lanes,
            rest: dilation % stride,
            phases: stride,
            back: (stride * times - 1) * lanes,
        }
    }
}
