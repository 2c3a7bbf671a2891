use super::Mask;
use super::mask::Visibility;
use super::softmax::{Online, advance};
use super::tile::{EDGE, SIDE, Series, scale, tiles, unpack, widest};
use crate::Scalar;
use crate::kernels::{multiply, split_mut};
use hpfracc_lanes::product::{Base, Left};
use pulp::Arch;

/// Work memory of [`Head::forward`].
pub(super) fn forward_work(features: usize, length: usize) -> usize {
    let edge = widest(length);
    edge * (4 * features + edge)
}

/// One head: queries, keys and values, each features x length.
pub(super) struct Head<'a, T> {
    pub(super) queries: Series<'a, T>,
    pub(super) keys: Series<'a, T>,
    pub(super) values: Series<'a, T>,
    /// Factor of the scores.
    pub(super) scale: T,
    pub(super) mask: Mask<'a, T>,
}

impl<T: Scalar> Head<'_, T> {
    pub(super) fn features(&self) -> usize {
        self.queries.values.len() / self.queries.length
    }

    /// Writes the weighted means of values, and for each query the logarithm of its sum of
    /// exponentials.
    ///
    /// Tiles of scores have a line for each key: a query is a lane, and sums and maxima are
    /// lane-wise.
    pub(super) fn forward(&self, out: &mut [T], log_sums: &mut [T], work: &mut [T]) {
        let arch = Arch::new();
        let (features, length) = (self.features(), self.queries.length);
        let edge = widest(length);
        let tile = features * edge;
        let [q, k, v, sums, scores] = split_mut(work, [tile, tile, tile, tile, edge * edge]);
        let zeros = [T::zero(); EDGE];
        for queries in tiles(length) {
            let width = queries.len().next_multiple_of(SIDE);
            let q = self.queries.pack(&queries, width, q);
            scale(q, self.scale);
            let sums = &mut sums[..features * width];
            sums.fill(T::zero());
            let mut online = Online::new();
            for keys in tiles(length) {
                let visibility = self.mask.visibility(&queries, &keys);
                if visibility == Visibility::None {
                    continue;
                }
                let k = self.keys.pack(&keys, keys.len(), k);
                let v = self.values.pack(&keys, keys.len(), v);
                let scores = &mut scores[..keys.len() * width];
                let left = Left::transposed(k, keys.len(), features);
                multiply(arch, left, (q, width), Base::Rows(&zeros), scores);
                if visibility == Visibility::Part {
                    self.mask.hide_by_keys(&queries, &keys, width, scores);
                }
                advance(&mut online, scores, sums, width);
                let left = Left::new(v, features, keys.len());
                multiply(arch, left, (scores, width), Base::Present, sums);
            }
            for query in 0..queries.len() {
                log_sums[queries.start + query] = online.log_sum(query);
            }
            let reciprocals: [T; EDGE] = std::array::from_fn(|query| online.reciprocal(query));
            for line in sums.chunks_exact_mut(width) {
                line.iter_mut().zip(&reciprocals).for_each(|(sum, reciprocal)| *sum *= *reciprocal);
            }
            unpack(sums, width, &queries, length, out);
        }
    }
}
