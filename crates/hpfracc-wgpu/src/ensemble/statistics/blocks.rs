//! Words of reduced blocks as numbers.

use super::request::BlockSums;
use super::shader::{BLOCK, BlockWords};

/// Words of all blocks of a number of paths.
pub(super) struct Blocks<'a> {
    pub(super) words: BlockWords,
    pub(super) values: &'a [u32],
    pub(super) paths: usize,
}

/// Least and greatest number of an observable, and its least magnitude above zero, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extremes {
    pub(super) least: u32,
    pub(super) greatest: u32,
    pub(super) magnitude: Option<u32>,
}

impl Extremes {
    /// Largest magnitude, as bits.
    pub(super) fn largest(self) -> u32 {
        (self.least & MAGNITUDE).max(self.greatest & MAGNITUDE)
    }
}

/// Bits of a number without its sign.
const MAGNITUDE: u32 = 0x7fff_ffff;

impl<'a> Blocks<'a> {
    fn each(&self) -> impl Iterator<Item = &'a [u32]> + use<'a> {
        let (count, blocks) = (self.words.count(), self.paths.div_ceil(BLOCK));
        self.values.chunks_exact(count).take(blocks)
    }

    /// Number of paths that are not finite, and the first of them.
    pub(super) fn broken(&self) -> Option<(u64, usize)> {
        let count: u64 = self.each().map(|block| u64::from(block[0])).sum();
        let first = self.each().map(|block| block[1]).min()?;
        (count > 0).then_some((count, first as usize))
    }

    /// Moments of each block; `None` if a sum is not finite.
    pub(super) fn sums(&self) -> Option<Vec<BlockSums>> {
        if !self.words.moments {
            return Some(vec![]);
        }
        self.each().enumerate().map(|(k, block)| self.sums_of(k, block)).collect()
    }

    fn sums_of(&self, number: usize, block: &[u32]) -> Option<BlockSums> {
        let words = self.words;
        let paths = BLOCK.min(self.paths - number * BLOCK);
        let (n, all) = (paths as f64, words.observables);
        let number = |at: usize| f64::from(f32::from_bits(block[at]));
        let at = |i: usize| words.moments(i);
        let scale: Vec<f64> = (0..all).map(|i| number(at(i) + 1)).collect();
        let sum: Vec<f64> = (0..all).map(|i| number(at(i) + 2)).collect();
        let mean: Vec<f64> = (0..all).map(|i| number(at(i)) + sum[i] * scale[i] / n).collect();
        let mut products = vec![0.0; all * all];
        for i in 0..all {
            for j in 0..=i {
                let product = number(words.product(i, j)) - sum[i] * sum[j] / n;
                let product = product * scale[i] * scale[j];
                (products[i * all + j], products[j * all + i]) = (product, product);
            }
        }
        let finite = mean.iter().chain(&products).all(|value| value.is_finite());
        finite.then_some(BlockSums { paths, mean, products })
    }

    /// Extremes of an observable over all blocks.
    pub(super) fn extremes(&self, observable: usize) -> Extremes {
        let at = self.words.order(observable);
        let least = |word: usize| self.each().map(|block| block[at + word]).min().unwrap_or(0);
        let magnitude = least(2);
        Extremes {
            least: bits_of(least(0)),
            greatest: bits_of(!least(1)),
            magnitude: (magnitude != u32::MAX).then_some(magnitude),
        }
    }
}

/// Bits of the number with this place in the order of numbers.
fn bits_of(order: u32) -> u32 {
    if order >> 31 == 1 { order & MAGNITUDE } else { !order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_of_numbers() {
        for x in [-3e38f32, -1.0, -1e-40, 0.0, 1e-40, 1.0, 3e38] {
            let bits = x.to_bits();
            let order = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
            assert_eq!(bits_of(order), bits, "{x}");
        }
    }
}
