//! Tiles of sequences: projections of all lanes, and conversion between lanes and consecutive
//! sequences. Parts of the results go to the threads of the pool; each number is computed by one
//! thread, in the same way for any number of threads.

use crate::Scalar;
use crate::kernels::{multiply, row_sums};
use hpfracc_lanes::product::{Base, Left, Right, outer};
use pulp::Arch;
use rayon::prelude::*;

/// Rows of a product in one task.
const PART: usize = 64;

/// A square weight and a bias.
#[derive(Debug, Clone, Copy)]
pub(super) struct Projection<'a, T> {
    weight: &'a [T],
    bias: &'a [T],
}

impl<'a, T: Scalar> Projection<'a, T> {
    pub(super) fn new(theta: &'a [T], features: usize) -> Self {
        let (weight, bias) = theta.split_at(features * features);
        Self { weight, bias }
    }

    /// `y = W x + b`, with rows of `columns` numbers.
    pub(super) fn forward(self, x: &[T], columns: usize, y: &mut [T]) {
        let features = self.bias.len();
        y.par_chunks_mut(PART * columns).enumerate().for_each(|(part, y)| {
            let (first, rows) = (part * PART, y.len() / columns);
            let left = Left::new(&self.weight[first * features..], rows, features);
            let base = Base::Rows(&self.bias[first..][..rows]);
            multiply(Arch::new(), left, (x, columns), base, y);
        });
    }

    /// `xbar += W' ybar`
    pub(super) fn pull_back(self, ybar: &[T], columns: usize, xbar: &mut [T]) {
        let features = self.bias.len();
        xbar.par_chunks_mut(PART * columns).enumerate().for_each(|(part, xbar)| {
            let (values, rows) = (&self.weight[part * PART..], xbar.len() / columns);
            let left = Left { values, rows, inner: features, down: 1, along: features };
            multiply(Arch::new(), left, (ybar, columns), Base::Present, xbar);
        });
    }
}

/// Adds the gradients of a weight and a bias.
pub(super) fn add_gradients<T: Scalar>(ybar: &[T], x: &[T], columns: usize, thetabar: &mut [T]) {
    let features = ybar.len() / columns;
    let (weightbar, biasbar) = thetabar.split_at_mut(features * features);
    weightbar
        .par_chunks_mut(PART * features)
        .zip(ybar.par_chunks(PART * columns))
        .for_each(|(weightbar, ybar)| outer(Arch::new(), ybar, Right::new(x, columns), weightbar));
    row_sums(Arch::new(), ybar, columns, biasbar);
}

/// Transposes a row-major matrix with `columns` columns, in blocks that read and write whole cache
/// lines.
pub(super) fn transpose<T: Scalar>(from: &[T], columns: usize, to: &mut [T]) {
    const BLOCK: usize = 16;
    let rows = from.len() / columns;
    to.par_chunks_mut(BLOCK * rows).enumerate().for_each(|(part, to)| {
        let first = part * BLOCK;
        let mut block = [[T::zero(); BLOCK]; BLOCK];
        for row in (0..rows).step_by(BLOCK) {
            let height = BLOCK.min(rows - row);
            let lines = from[row * columns..].chunks(columns).take(height);
            for (r, line) in lines.enumerate() {
                for (turned, number) in block.iter_mut().zip(&line[first..]) {
                    turned[r] = *number;
                }
            }
            for (line, turned) in to.chunks_exact_mut(rows).zip(&block) {
                line[row..][..height].copy_from_slice(&turned[..height]);
            }
        }
    });
}
