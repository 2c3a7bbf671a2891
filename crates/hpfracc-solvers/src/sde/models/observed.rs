use super::{Model, Variate};
use crate::noise::{Rows, RowsMut};
use crate::sde::{Collect, Layout, Place};

/// Collects what the paths of a model show, where that is not the state that is solved for.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a, M, K> {
    model: &'a M,
    t0: f64,
    collector: &'a K,
}

/// What a shard of [`Observed`] has collected.
#[derive(Debug, Clone)]
pub struct ObservedShard<T, S> {
    times: Vec<f64>,
    rows: Vec<T>,
    collected: S,
}

impl<'a, M: Model, K> Observed<'a, M, K> {
    /// For paths that start at t0.
    pub fn new(model: &'a M, t0: f64, collector: &'a K) -> Self {
        Self { model, t0, collector }
    }

    fn layout(layout: &Layout) -> Layout {
        Layout { dim: M::DEFINITION.observables.len(), ..layout.clone() }
    }
}

impl<T: Variate, M: Model, K: Collect<T>> Collect<T> for Observed<'_, M, K> {
    type Shard = ObservedShard<T, K::Shard>;
    type Output = K::Output;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        let layout = Self::layout(layout);
        let collected = self.collector.shard(&layout);
        ObservedShard { times: layout.times, rows: Vec::new(), collected }
    }

    fn record(&self, shard: &mut Self::Shard, at: Place, x: Rows<'_, T>) {
        let (elapsed, lanes) = (shard.times[at.time] - self.t0, x.lanes());
        shard.rows.resize(M::DEFINITION.observables.len() * lanes, T::zero());
        self.model.observe(elapsed, x, RowsMut::new(&mut shard.rows, lanes));
        self.collector.record(&mut shard.collected, at, Rows::new(&shard.rows, lanes));
    }

    fn join(&self, layout: &Layout, shards: Vec<Self::Shard>) -> Self::Output {
        let shards = shards.into_iter().map(|shard| shard.collected).collect();
        self.collector.join(&Self::layout(layout), shards)
    }
}
