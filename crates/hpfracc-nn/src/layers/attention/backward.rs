use super::forward::Head;
use super::mask::Visibility;
use super::softmax::pull_back;
use super::tile::{EDGE, SIDE, Series, scale, tiles, unpack, widest};
use crate::Scalar;
use crate::kernels::{multiply, split_mut};
use hpfracc_lanes::product::{Base, Left};
use pulp::Arch;

/// Work memory of [`Head::backward`].
pub(super) fn backward_work(features: usize, length: usize) -> usize {
    let edge = widest(length);
    edge * (7 * features + 2 * edge) + length * (features + 1)
}

impl<T: Scalar> Head<'_, T> {
    /// Writes the gradients of queries, keys and values, given the output, the logarithms of its
    /// sums and its cotangent, with the weights recomputed tile by tile.
    ///
    /// With weights `p = exp(s - log sum)` of scores s: `vbar = outbar p`, and
    /// `sbar = p (v' outbar - d)` with `d = sum out outbar` over the features of a query. Tiles have a
    /// line for each query: sums over queries are then products of tiles in their layout, and the sum over
    /// keys uses transposed tiles of keys.
    pub(super) fn backward(
        &self,
        [out, log_sums, out_bar]: [&[T]; 3],
        [of_queries, of_keys, of_values]: [&mut [T]; 3],
        work: &mut [T],
    ) {
        let arch = Arch::new();
        let (features, length) = (self.features(), self.queries.length);
        let edge = widest(length);
        let (tile, square) = (features * edge, edge * edge);
        let sizes = [tile, tile, tile, tile, tile, tile, tile, square, square];
        let (tiles_work, rest) = work.split_at_mut(7 * tile + 2 * square);
        let [q, o, k, turned, v, kbar, vbar, scores, sbar] = split_mut(tiles_work, sizes);
        let [qbar, means] = split_mut(rest, [features * length, length]);
        qbar.fill(T::zero());
        means.fill(T::zero());
        let both = out.chunks_exact(length).zip(out_bar.chunks_exact(length));
        for (out, outbar) in both {
            for ((mean, out), outbar) in means.iter_mut().zip(out).zip(outbar) {
                *mean -= *out * *outbar;
            }
        }
        let outbar = Series { values: out_bar, length };
        for keys in tiles(length) {
            let width = keys.len().next_multiple_of(SIDE);
            let k = self.keys.pack(&keys, width, k);
            scale(k, self.scale);
            let turned = self.keys.pack_turned(&keys, turned);
            let v = self.values.pack(&keys, width, v);
            let [kbar, vbar] = [&mut *kbar, &mut *vbar].map(|bar| &mut bar[..features * width]);
            kbar.fill(T::zero());
            vbar.fill(T::zero());
            for queries in tiles(length) {
                let visibility = self.mask.visibility(&queries, &keys);
                if visibility == Visibility::None {
                    continue;
                }
                let rows = queries.len();
                let q = self.queries.pack(&queries, rows, q);
                let o = outbar.pack(&queries, rows, o);
                let scores = &mut scores[..rows * width];
                let sbar = &mut sbar[..rows * width];
                let mut less = [T::zero(); EDGE];
                let negated = less.iter_mut().zip(&log_sums[queries.clone()]);
                negated.for_each(|(less, log_sum)| *less = -*log_sum);
                let left = Left::transposed(q, rows, features);
                multiply(arch, left, (k, width), Base::Rows(&less), scores);
                if visibility == Visibility::Part {
                    self.mask.hide_by_queries(&queries, &keys, width, scores);
                }
                let left = Left::transposed(o, rows, features);
                multiply(arch, left, (v, width), Base::Rows(&means[queries.clone()]), sbar);
                pull_back(scores, sbar);
                let [left, of_keys] = [o, q].map(|tile| Left::new(tile, features, rows));
                multiply(arch, left, (scores, width), Base::Present, vbar);
                multiply(arch, of_keys, (sbar, width), Base::Present, kbar);
                let left = Left { values: sbar, rows, inner: keys.len(), down: width, along: 1 };
                let qbar = &mut qbar[queries.start * features..queries.end * features];
                multiply(arch, left, (turned, features), Base::Present, qbar);
            }
            scale(kbar, self.scale);
            unpack(kbar, width, &keys, length, of_keys);
            unpack(vbar, width, &keys, length, of_values);
        }
        for (time, line) in qbar.chunks_exact(features).enumerate() {
            for (f, bar) in line.iter().enumerate() {
                of_queries[f * length + time] = self.scale * *bar;
            }
        }
    }
}
