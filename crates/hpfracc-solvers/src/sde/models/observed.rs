use super::{Model, Variate};
use crate::SolveError;
use crate::noise::{Rows, RowsMut};
use crate::sde::{Collect, Layout, Persist, Place};

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

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        self.collector.merge(&mut into.collected, next.collected);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        self.collector.finish(&Self::layout(layout), all.collected)
    }

    fn admit(&self, layout: &Layout) -> Result<(), SolveError> {
        self.collector.admit(&Self::layout(layout))
    }
}

impl<T: Variate, M: Model, K: Persist<T>> Persist<T> for Observed<'_, M, K> {
    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        self.collector.save(&shard.collected, words);
    }

    fn restore(
        &self,
        layout: &Layout,
        words: &mut std::slice::Iter<'_, u64>,
    ) -> Option<Self::Shard> {
        let layout = Self::layout(layout);
        let collected = self.collector.restore(&layout, words)?;
        Some(ObservedShard { times: layout.times, rows: Vec::new(), collected })
    }
}
