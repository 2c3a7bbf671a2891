//! Statistics of an ensemble: moments, quantiles and the first paths, each if requested.

use hpfracc::ndarray::{Array3, s};
use hpfracc::sde::models::Variate;
use hpfracc::sde::{
    Collect, Layout, MeanAndCovariance, Moments, PairMoments, Paths, QuantileTable, Quantiles,
    RecordIndex, Rows, RowsMut, SavedWords, SdeError,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Collector of the requested statistics.
pub(super) struct Statistics<'a, T> {
    pub(super) moments: bool,
    /// Moments of the means of pairs of paths.
    pub(super) pairs: bool,
    pub(super) quantiles: Option<Quantiles>,
    /// Number of paths whose values are stored.
    pub(super) store: usize,
    /// Values that are collected in place of the states.
    pub(super) observables: Option<Observables<'a, T>>,
}

/// Writes the observables of a state at a time.
type Observe<'a, T> = dyn Fn(f64, Rows<'_, T>, RowsMut<'_, T>) + Sync + 'a;

/// Named functions of the state.
pub(super) struct Observables<'a, T> {
    pub(super) names: Vec<String>,
    pub(super) write: Box<Observe<'a, T>>,
}

/// Results of the collector.
pub(super) struct Collected<T> {
    times: Vec<f64>,
    moments: Option<MeanAndCovariance>,
    pairs: Option<MeanAndCovariance>,
    quantiles: Option<QuantileTable>,
    /// By path, time and component.
    paths: Option<Array3<T>>,
}

/// Data of a shard.
pub(super) struct StatisticsShard<T: Variate> {
    moments: Option<<Moments as Collect<T>>::Shard>,
    pairs: Option<<PairMoments as Collect<T>>::Shard>,
    quantiles: Option<<Quantiles as Collect<T>>::Shard>,
    paths: <Paths as Collect<T>>::Shard,
    times: Vec<f64>,
    rows: Vec<T>,
    /// Time index, path and observable of the first value that is not finite.
    broken: Option<[usize; 3]>,
}

/// Most paths of a tile that is stored for its first few paths.
const WIDEST: usize = 256;

impl<T> Statistics<'_, T> {
    fn layout(&self, layout: &Layout) -> Layout {
        let dim = self.observables.as_ref().map_or(layout.dim, |of| of.names.len());
        Layout { dim, ..layout.clone() }
    }
}

impl<T: Variate> Statistics<'_, T> {
    fn take(&self, shard: &mut StatisticsShard<T>, at: RecordIndex, x: Rows<'_, T>) {
        if let Some(sums) = &mut shard.moments {
            Moments.record(sums, at, x);
        }
        if let Some(sums) = &mut shard.pairs {
            PairMoments.record(sums, at, x);
        }
        if let (Some(quantiles), Some(sketches)) = (&self.quantiles, &mut shard.quantiles) {
            quantiles.record(sketches, at, x);
        }
        if at.path < self.store {
            Paths.record(&mut shard.paths, at, x);
        }
    }
}

impl<T: Variate> Collect<T> for Statistics<'_, T> {
    type Shard = StatisticsShard<T>;
    type Output = Result<Collected<T>, SdeError>;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        let layout = self.layout(layout);
        StatisticsShard {
            moments: self.moments.then(|| Collect::<T>::shard(&Moments, &layout)),
            pairs: self.pairs.then(|| Collect::<T>::shard(&PairMoments, &layout)),
            quantiles: self.quantiles.as_ref().map(|of| Collect::<T>::shard(of, &layout)),
            paths: Paths.shard(&layout),
            times: if self.observables.is_some() { layout.times } else { Vec::new() },
            rows: Vec::new(),
            broken: None,
        }
    }

    fn record(&self, shard: &mut Self::Shard, at: RecordIndex, x: Rows<'_, T>) {
        let Some(observables) = &self.observables else { return self.take(shard, at, x) };
        let lanes = x.lanes();
        let mut rows = std::mem::take(&mut shard.rows);
        rows.resize(observables.names.len() * lanes, T::zero());
        (observables.write)(shard.times[at.time], x, RowsMut::new(&mut rows, lanes));
        match rows.iter().position(|value| !value.widen().is_finite()) {
            None => self.take(shard, at, Rows::new(&rows, lanes)),
            Some(position) => {
                let broken = [at.time, at.path + position % lanes, position / lanes];
                shard.broken = earlier(shard.broken, Some(broken));
            }
        }
        shard.rows = rows;
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        if let (Some(sums), Some(next)) = (&mut into.moments, next.moments) {
            Collect::<T>::merge(&Moments, sums, next);
        }
        if let (Some(sums), Some(next)) = (&mut into.pairs, next.pairs) {
            Collect::<T>::merge(&PairMoments, sums, next);
        }
        if let (Some(of), Some(sketches), Some(next)) =
            (&self.quantiles, &mut into.quantiles, next.quantiles)
        {
            Collect::<T>::merge(of, sketches, next);
        }
        Collect::<T>::merge(&Paths, &mut into.paths, next.paths);
        into.broken = earlier(into.broken, next.broken);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let (first_path, layout) = (layout.first_path, self.layout(layout));
        if let (Some([time, path, observable]), Some(of)) = (all.broken, &self.observables) {
            let (path, t) = (first_path + path as u64, layout.times[time]);
            let observable = of.names[observable].clone();
            return Err(SdeError::ObservableNotFinite { path, observable, t });
        }
        let paths = all.paths.iter().map(|(at, lanes, _)| at.path + lanes).max();
        let paths = paths.map(|paths| {
            let array = Paths.finish(&Layout { paths, ..layout.clone() }, all.paths);
            array.slice_move(s![..self.store.min(paths), .., ..])
        });
        Ok(Collected {
            moments: all.moments.map(|sums| Collect::<T>::finish(&Moments, &layout, sums)),
            pairs: all.pairs.map(|sums| Collect::<T>::finish(&PairMoments, &layout, sums)),
            quantiles: self
                .quantiles
                .as_ref()
                .zip(all.quantiles)
                .map(|(of, sketches)| Collect::<T>::finish(of, &layout, sketches)),
            paths,
            times: layout.times,
        })
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        let layout = self.layout(layout);
        if self.moments {
            Collect::<T>::admit(&Moments, &layout)?;
        }
        if self.pairs {
            Collect::<T>::admit(&PairMoments, &layout)?;
        }
        if let Some(quantiles) = &self.quantiles {
            Collect::<T>::admit(quantiles, &layout)?;
        }
        if self.store > 0 {
            let paths = layout.paths.min(self.store.saturating_add(WIDEST));
            Collect::<T>::admit(&Paths, &Layout { paths, ..layout })?;
        }
        Ok(())
    }

    fn admit_tiles(&self, paths: usize) -> Result<(), SdeError> {
        if self.pairs { Collect::<T>::admit_tiles(&PairMoments, paths) } else { Ok(()) }
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        let options = [self.moments, self.pairs, self.quantiles.is_some(), shard.broken.is_some()];
        words.extend(options.map(u64::from));
        words.push(self.store as u64);
        words.extend(shard.broken.iter().flatten().map(|number| *number as u64));
        if let Some(sums) = &shard.moments {
            Collect::<T>::save(&Moments, sums, words);
        }
        if let Some(sums) = &shard.pairs {
            Collect::<T>::save(&PairMoments, sums, words);
        }
        if let (Some(of), Some(sketches)) = (&self.quantiles, &shard.quantiles) {
            Collect::<T>::save(of, sketches, words);
        }
        Collect::<T>::save(&Paths, &shard.paths, words);
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let observed = self.layout(layout);
        let mut number = || usize::try_from(*words.next()?).ok();
        let [moments, pairs, quantiles, broken, store] =
            [number()?, number()?, number()?, number()?, number()?];
        let same = moments == usize::from(self.moments)
            && pairs == usize::from(self.pairs)
            && quantiles == usize::from(self.quantiles.is_some())
            && store == self.store;
        let broken = match broken {
            0 => None,
            1 => Some([number()?, number()?, number()?]),
            _ => return None,
        };
        let inside = broken.is_none_or(|[time, path, observable]| {
            time < observed.times.len() && path < observed.paths && observable < observed.dim
        });
        if !(same && inside) {
            return None;
        }
        let mut shard = self.shard(layout);
        shard.broken = broken;
        if self.moments {
            shard.moments = Some(Collect::<T>::restore(&Moments, &observed, words)?);
        }
        if self.pairs {
            shard.pairs = Some(Collect::<T>::restore(&PairMoments, &observed, words)?);
        }
        if let Some(of) = &self.quantiles {
            shard.quantiles = Some(Collect::<T>::restore(of, &observed, words)?);
        }
        shard.paths = Collect::<T>::restore(&Paths, &observed, words)?;
        Some(shard)
    }
}

fn earlier(a: Option<[usize; 3]>, b: Option<[usize; 3]>) -> Option<[usize; 3]> {
    a.into_iter().chain(b).min()
}

impl<T: Variate + numpy::Element> Collected<T> {
    /// The results as arrays by name.
    pub(super) fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("t", self.times.into_pyarray(py))?;
        if let Some(moments) = self.moments {
            dict.set_item("mean", moments.mean.into_pyarray(py))?;
            dict.set_item("covariance", moments.covariance.into_pyarray(py))?;
        }
        if let Some(pairs) = self.pairs {
            dict.set_item("pair_covariance", pairs.covariance.into_pyarray(py))?;
        }
        if let Some(table) = self.quantiles {
            dict.set_item("quantiles", table.values.into_pyarray(py))?;
            dict.set_item("least", table.least.into_pyarray(py))?;
            dict.set_item("greatest", table.greatest.into_pyarray(py))?;
        }
        if let Some(paths) = self.paths {
            let paths = if paths.is_standard_layout() {
                paths
            } else {
                paths.as_standard_layout().to_owned()
            };
            dict.set_item("paths", paths.into_pyarray(py))?;
        }
        Ok(dict)
    }
}
