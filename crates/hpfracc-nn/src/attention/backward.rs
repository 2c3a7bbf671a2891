use super::forward::Head;
use super::mask::Sight;
use super::softmax::PullBack;
use super::tile::{EDGE, SIDE, Series, scale, take, tiles, unpack, widest};
use crate::Scalar;
use hpfracc_lanes::product::{Base, Left, Right, product};
use pulp::Arch;

/// Numbers that [`Head::backward`] works in.
pub(super) fn backward_work(features: usize, length: usize) -> usize {
    let edge = widest(length);
    edge * (7 * features + 2 * edge) + length * (features + 1)
}

/// What the forward direction has left of a head, and what comes back to it.
pub(super) struct Came<'a, T> {
    pub(super) out: &'a [T],
    pub(super) log_sums: &'a [T],
    pub(super) outbar: &'a [T],
}

/// Gradients of queries, keys and values.
pub(super) struct Gradients<'a, T> {
    pub(super) queries: &'a mut [T],
    pub(super) keys: &'a mut [T],
    pub(super) values: &'a mut [T],
}

impl<T: Scalar> Head<'_, T> {
    /// Writes the gradients, from weights that are computed again tile by tile.
    ///
    /// With weights `p = exp(s - log sum)` of scores s: `vbar = outbar p`, and
    /// `sbar = p (v' outbar - d)` with `d = sum out outbar` over the features of a query. Tiles have a
    /// line for each query here: sums over queries are then products of tiles as they lie, and the one
    /// over keys takes turned tiles of keys.
    pub(super) fn backward(&self, came: &Came<'_, T>, gradients: Gradients<'_, T>, work: &mut [T]) {
        let arch = Arch::new();
        let (features, length) = (self.features(), self.queries.length);
        let edge = widest(length);
        let mut rest = work;
        let [q, o, k, turned, v, kbar, vbar] = [(); 7].map(|()| take(&mut rest, features * edge));
        let [scores, sbar] = [(); 2].map(|()| take(&mut rest, edge * edge));
        let (qbar, means) = (take(&mut rest, features * length), take(&mut rest, length));
        qbar.fill(T::zero());
        means.fill(T::zero());
        let both = came.out.chunks_exact(length).zip(came.outbar.chunks_exact(length));
        for (out, outbar) in both {
            for ((mean, out), outbar) in means.iter_mut().zip(out).zip(outbar) {
                *mean -= *out * *outbar;
            }
        }
        let outbar = Series { values: came.outbar, length };
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
                let sight = self.mask.sight(&queries, &keys);
                if sight == Sight::Nothing {
                    continue;
                }
                let rows = queries.len();
                let q = self.queries.pack(&queries, rows, q);
                let o = outbar.pack(&queries, rows, o);
                let scores = &mut scores[..rows * width];
                let sbar = &mut sbar[..rows * width];
                let mut less = [T::zero(); EDGE];
                let log_sums = less.iter_mut().zip(&came.log_sums[queries.clone()]);
                log_sums.for_each(|(less, log_sum)| *less = -*log_sum);
                let left = Left::transposed(q, rows, features);
                product(arch, left, Right::new(k, width), Base::Rows(&less), scores, width);
                if sight == Sight::Part {
                    self.mask.hide_by_queries(&queries, &keys, width, scores);
                }
                let left = Left::transposed(o, rows, features);
                product(
                    arch,
                    left,
                    Right::new(v, width),
                    Base::Rows(&means[queries.clone()]),
                    sbar,
                    width,
                );
                arch.dispatch(PullBack { scores, gradients: sbar });
                product(
                    arch,
                    Left::new(o, features, rows),
                    Right::new(scores, width),
                    Base::Present,
                    vbar,
                    width,
                );
                product(
                    arch,
                    Left::new(q, features, rows),
                    Right::new(sbar, width),
                    Base::Present,
                    kbar,
                    width,
                );
                let left = Left { values: sbar, rows, inner: keys.len(), down: width, along: 1 };
                let qbar = &mut qbar[queries.start * features..queries.end * features];
                product(arch, left, Right::new(turned, features), Base::Present, qbar, features);
            }
            scale(kbar, self.scale);
            unpack(kbar, width, &keys, length, gradients.keys);
            unpack(vbar, width, &keys, length, gradients.values);
        }
        for (time, line) in qbar.chunks_exact(features).enumerate() {
            for (f, bar) in line.iter().enumerate() {
                gradients.queries[f * length + time] = self.scale * *bar;
            }
        }
    }
}
