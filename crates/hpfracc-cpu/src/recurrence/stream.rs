//! A batch of signals, in blocks of samples whose sums stay in the first cache.

use super::pass::{Block, pass};
use crate::aligned::Aligned;
use crate::lanes::Lanes;
use pulp::{Simd, WithSimd};

/// Bytes of a row of nodes, whatever the width of registers: the order of sums is made of rows.
const ROW: usize = 64;

/// Nodes of a row.
pub(super) const fn row<T>() -> usize {
    ROW / size_of::<T>()
}

/// A bound kernel. Behind the last node its rows are filled up with nodes that count nothing.
pub(super) struct Nodes<T> {
    pub(super) number: usize,
    d: T,
    pub(super) rates: Aligned<T>,
    pub(super) coefficients: Aligned<T>,
}

impl<T: Lanes> Nodes<T> {
    pub(super) fn new(kernel: &[T], number: usize) -> Self {
        let padded = number.next_multiple_of(row::<T>());
        // Of rate 1, so that such a state holds one sample and does not grow.
        let mut rates = Aligned::new(padded, T::one());
        let mut coefficients = Aligned::new(padded, T::zero());
        rates[..number].copy_from_slice(&kernel[1..=number]);
        coefficients[..number].copy_from_slice(&kernel[1 + number..]);
        Self { number, d: kernel[0], rates, coefficients }
    }

    pub(super) fn bytes(number: usize) -> usize {
        2 * Aligned::<T>::bytes(number.next_multiple_of(row::<T>()))
    }

    /// Rows of nodes.
    fn rows(&self) -> usize {
        self.rates.len() / row::<T>()
    }
}

/// Signals of `len` scalars through the recurrence, or, backwards in time, through its transpose; to
/// be dispatched.
pub(super) struct Stream<'a, T, const BACKWARD: bool> {
    pub(super) nodes: &'a Nodes<T>,
    pub(super) len: usize,
    pub(super) from: &'a [T],
    pub(super) to: &'a mut [T],
}

/// Scalars of the sums of a block, and of one for a few samples: zeros to begin with cost as much as
/// the few samples do.
const SUMS: usize = 512;
const FEW: usize = 64;

impl<T: Lanes, const BACKWARD: bool> WithSimd for Stream<'_, T, BACKWARD> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let few = self.len - self.nodes.number <= FEW / row::<T>();
        if few {
            self.through::<S, FEW>(simd);
        } else {
            self.through::<S, SUMS>(simd);
        }
    }
}

impl<T: Lanes, const BACKWARD: bool> Stream<'_, T, BACKWARD> {
    #[inline(always)]
    fn through<S: Simd, const N: usize>(self, simd: S) {
        let Self { nodes, len, from, to } = self;
        let mut sums = [T::zero(); N];
        for (from, to) in from.chunks_exact(len).zip(to.chunks_exact_mut(len)) {
            let (before, samples) = from.split_at(nodes.number);
            let (states, outputs) = to.split_at_mut(nodes.number);
            states.copy_from_slice(before);
            let most = N / row::<T>();
            let blocks = samples.len().div_ceil(most);
            for block in 0..blocks {
                let first = most * if BACKWARD { blocks - 1 - block } else { block };
                let last = samples.len().min(first + most);
                let (samples, outputs) = (&samples[first..last], &mut outputs[first..last]);
                let sums = &mut sums[..samples.len() * row::<T>()];
                each_row::<T, S, BACKWARD>(simd, nodes, states, samples, sums);
                total(nodes.d, samples, sums, outputs);
            }
        }
    }
}

/// Rows that share a pass over the samples of a block: with their states in registers.
const TOGETHER: usize = 8;

/// Moves all states through a block; row after row is added to the sums of each sample.
#[inline(always)]
fn each_row<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    nodes: &Nodes<T>,
    states: &mut [T],
    samples: &[T],
    sums: &mut [T],
) {
    sums.fill(T::zero());
    let rows = nodes.rows();
    // In passes of like size: short ones wait for the chain of their own states.
    let together = rows.div_ceil(rows.div_ceil(TOGETHER));
    // A register may be a part of a row. Lanes do not meet before the end.
    for part in (0..row::<T>()).step_by(T::count::<S>()) {
        for first in (0..rows).step_by(together) {
            let start = first * row::<T>() + part;
            let rows = together.min(rows - first);
            pass::<T, S, BACKWARD>(simd, rows, Block { nodes, start, part, states, samples, sums });
        }
    }
}

/// The lanes of each sum halved until one is left, and the share of the sample itself.
#[inline(always)]
fn total<T: Lanes>(d: T, samples: &[T], sums: &mut [T], outputs: &mut [T]) {
    let rows = sums.chunks_exact_mut(row::<T>());
    for ((output, &sample), lanes) in outputs.iter_mut().zip(samples).zip(rows) {
        let mut half = row::<T>() / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] = lanes[lane] + lanes[lane + half];
            }
            half /= 2;
        }
        *output = d * sample + lanes[0];
    }
}
