use super::Model;
use crate::models::Variate;
use crate::rows::not_finite;
use crate::{
    Collect, Layout, PathStatistics, RecordIndex, SavedWords, SdeError, StatisticsRequest,
};
use hpfracc_lanes::{Rows, RowsMut};

/// A collector of the observables of a model, where these are not the state of the equation.
///
/// A state may be finite whose observable is too large for the precision, as the exponential of a
/// logarithm is. The collector never sees it, and the result is
/// [`SdeError::ObservableNotFinite`].
///
/// The model stands behind a pointer: what collects is compiled once for all of them.
pub struct Observed<'a, T, K> {
    observables: Vec<String>,
    observe: Box<Observe<'a, T>>,
    collector: &'a K,
}

/// Writes the observables of a state at a time.
pub(crate) type Observe<'a, T> = dyn Fn(f64, Rows<'_, T>, RowsMut<'_, T>) + Sync + 'a;

impl<T, K: std::fmt::Debug> std::fmt::Debug for Observed<'_, T, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observed")
            .field("observables", &self.observables)
            .field("collector", &self.collector)
            .finish_non_exhaustive()
    }
}

/// Data of a shard of [`Observed`].
#[derive(Debug, Clone)]
pub struct ObservedShard<T, S> {
    times: Vec<f64>,
    rows: Vec<T>,
    broken: Option<Broken>,
    collected: S,
}

/// A number that is not finite, at the first of the times that have one.
#[derive(Debug, Clone, Copy)]
struct Broken {
    /// The index of the saved time.
    time: usize,
    /// Counted from the first of the ensemble.
    path: usize,
    observable: usize,
}

impl Broken {
    fn earlier(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        a.into_iter().chain(b).min_by_key(|broken| (broken.time, broken.path))
    }
}

impl<'a, T: Variate, K> Observed<'a, T, K> {
    /// For paths that start at t0.
    pub fn new<M: Model>(model: &'a M, t0: f64, collector: &'a K) -> Self {
        let observables = M::DEFINITION.observables.iter().map(|name| (*name).to_owned());
        let observe = move |t: f64, state: Rows<'_, T>, observed: RowsMut<'_, T>| {
            model.observe(t - t0, state, observed);
        };
        Self::of(observables.collect(), Box::new(observe), collector)
    }

    /// Named observables that a function writes for the time and the state.
    pub(crate) fn of(
        observables: Vec<String>,
        observe: Box<Observe<'a, T>>,
        collector: &'a K,
    ) -> Self {
        Self { observables, observe, collector }
    }

    fn layout(&self, layout: &Layout) -> Layout {
        Layout { dim: self.observables.len(), ..layout.clone() }
    }
}

impl<T: Variate, K: Collect<T>> Collect<T> for Observed<'_, T, K> {
    type Shard = ObservedShard<T, K::Shard>;
    type Output = Result<K::Output, SdeError>;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        let layout = self.layout(layout);
        let collected = self.collector.shard(&layout);
        ObservedShard { times: layout.times, rows: Vec::new(), broken: None, collected }
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        let (t, lanes) = (shard.times[at.time], x.lanes());
        shard.rows.resize(self.observables.len() * lanes, T::zero());
        (self.observe)(t, x, RowsMut::new(&mut shard.rows, lanes));
        match not_finite(&shard.rows) {
            None => {
                let rows = Rows::new(&shard.rows, lanes);
                self.collector.record(&mut shard.collected, at, rows);
            }
            Some(position) => {
                let (path, observable) = (at.path + position % lanes, position / lanes);
                let broken = Broken { time: at.time, path, observable };
                shard.broken = Broken::earlier(shard.broken, Some(broken));
            }
        }
    }

    fn request(&self) -> Option<StatisticsRequest> {
        self.collector.request()
    }

    /// Statistics are those of the observables; the states of the first paths are observed here.
    fn record_statistics(
        &self,
        shard: &mut Self::Shard,
        at: RecordIndex,
        statistics: &PathStatistics<T>,
    ) {
        let (t, lanes) = (shard.times[at.time], statistics.first_paths);
        let mut first = vec![T::zero(); self.observables.len() * lanes];
        if lanes > 0 {
            (self.observe)(t, Rows::new(&statistics.first, lanes), RowsMut::new(&mut first, lanes));
        }
        let observed = PathStatistics { first, ..statistics.clone() };
        self.collector.record_statistics(&mut shard.collected, at, &observed);
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        into.broken = Broken::earlier(into.broken, next.broken);
        self.collector.merge(&mut into.collected, next.collected);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        match all.broken {
            None => Ok(self.collector.finish(&self.layout(layout), all.collected)),
            Some(Broken { time, path, observable }) => Err(SdeError::ObservableNotFinite {
                path: layout.first_path + path as u64,
                observable: self.observables[observable].clone(),
                t: layout.times[time],
            }),
        }
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        self.collector.admit(&self.layout(layout))
    }

    fn admit_tiles(&self, paths: usize) -> Result<(), SdeError> {
        self.collector.admit_tiles(paths)
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        let broken = shard.broken.iter();
        words.push(broken.len() as u64);
        words.extend(broken.flat_map(|it| [it.time, it.path, it.observable]).map(|n| n as u64));
        self.collector.save(&shard.collected, words);
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let layout = self.layout(layout);
        let mut next = || usize::try_from(*words.next()?).ok();
        let broken = match next()? {
            0 => None,
            1 => Some(Broken { time: next()?, path: next()?, observable: next()? }),
            _ => return None,
        };
        let inside = broken.is_none_or(|it| {
            it.time < layout.times.len() && it.path < layout.paths && it.observable < layout.dim
        });
        if !inside {
            return None;
        }
        let collected = self.collector.restore(&layout, words)?;
        Some(ObservedShard { times: layout.times, rows: Vec::new(), broken, collected })
    }
}
