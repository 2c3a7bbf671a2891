use super::final_values::Histogram;
use super::known::ExactMoments;
use super::request::Work;
use crate::budget::Timer;
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use hpfracc::sde::models::Known;
use hpfracc::sde::{MeanAndCovariance, QuantileTable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Number of sample paths.
pub(super) const SHOWN_PATHS: usize = 12;
/// Probabilities of the quantiles.
pub(super) const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Statistics of the paths; lists have an entry for each name.
#[derive(Debug, Serialize)]
pub(crate) struct Statistics {
    t: Place,
    /// Names of the states and of the shown quantities.
    names: Vec<String>,
    mean: Vec<Place>,
    /// Standard deviations.
    deviation: Vec<Place>,
    quantiles: Vec<Quantile>,
    /// Mean square displacements from the start.
    msd: Vec<Place>,
    /// By name, then path.
    sample_paths: Vec<Vec<Place>>,
    /// Of the values at the end.
    histogram: Vec<Counts>,
    exact: Option<Exact>,
    scheme: &'static str,
    #[serde(rename = "where")]
    device: String,
    milliseconds: f64,
    path_steps_per_second: f64,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Quantile {
    p: f64,
    y: Vec<Place>,
}

#[derive(Debug, Serialize)]
struct Counts {
    from: f64,
    to: f64,
    counts: Place,
}

/// Exact moments, where they are known.
#[derive(Debug, Serialize)]
struct Exact {
    mean: BTreeMap<String, Place>,
    deviation: BTreeMap<String, Place>,
}

/// What the solve has collected.
pub(super) struct Collected {
    pub(super) moments: MeanAndCovariance,
    /// By path, quantity and time.
    pub(super) first: Vec<Vec<Vec<f64>>>,
    pub(super) quantiles: QuantileTable,
    pub(super) histograms: Vec<Histogram>,
    pub(super) device: String,
    pub(super) notes: Vec<String>,
    pub(super) displacement: Option<Vec<Vec<f64>>>,
}

pub(super) fn statistics(
    work: &Work,
    collected: Collected,
    milliseconds: f64,
    numbers: &mut Numbers,
) -> Statistics {
    let Collected { moments, first, quantiles, histograms, device, notes, displacement } =
        collected;
    let names = work.model.observables();
    let (all, times) = (0..names.len(), 0..moments.times.len());
    let variance = |k: usize, time: usize| moments.covariance[[time, k, k]];
    let squares = |k: usize| -> Vec<f64> {
        match &displacement {
            Some(squares) => squares[k].clone(),
            None => {
                // The covariance is unbiased; a single path has none.
                let biased = (work.paths - 1) as f64 / work.paths as f64;
                let of = |time| {
                    let spread = if work.paths > 1 { biased * variance(k, time) } else { 0.0 };
                    spread + (moments.mean[[time, k]] - moments.mean[[0, k]]).powi(2)
                };
                times.clone().map(of).collect()
            }
        }
    };
    let msd = all.clone().map(|k| numbers.put(squares(k))).collect();
    let quantiles = QUANTILES.iter().enumerate().map(|(number, p)| {
        let of = |k: usize| quantiles.values.slice(hpfracc::ndarray::s![.., k, number]);
        Quantile { p: *p, y: all.clone().map(|k| numbers.put(of(k).iter().copied())).collect() }
    });
    let quantiles = quantiles.collect();
    let paths = |k: usize| first.iter().map(move |path| &path[k]);
    let sample_paths = all.clone().map(|k| {
        let of_name = paths(k).map(|y| numbers.put(y.iter().copied()));
        of_name.collect()
    });
    let sample_paths = sample_paths.collect();
    let histogram = histograms.into_iter().map(|Histogram { from, to, counts }| {
        let counts = numbers.put(counts);
        Counts { from, to, counts }
    });
    let histogram = histogram.collect();
    let exact = ExactMoments::new(work.model.equation());
    let exact = exact.map(|exact| {
        let known: Vec<Vec<Known>> = moments.times.iter().map(|t| exact.at(*t)).collect();
        let mut columns = |of: fn(&Known) -> Option<f64>| -> BTreeMap<String, Place> {
            let column = |(k, name): (usize, &String)| {
                let values: Option<Vec<f64>> = known.iter().map(|at| of(&at[k])).collect();
                Some((name.clone(), numbers.put(values?)))
            };
            names.iter().enumerate().filter_map(column).collect()
        };
        let [mean, deviation] = [columns(|at| at.mean), columns(|at| at.variance.map(f64::sqrt))];
        Exact { mean, deviation }
    });
    let exact = exact.filter(|exact| !(exact.mean.is_empty() && exact.deviation.is_empty()));
    let path_steps = work.paths as f64 * work.steps as f64;
    Statistics {
        mean: all.clone().map(|k| numbers.put(moments.mean.column(k).iter().copied())).collect(),
        deviation: all
            .map(|k| numbers.put(times.clone().map(|time| variance(k, time).sqrt())))
            .collect(),
        t: numbers.put(moments.times.iter().copied()),
        names,
        quantiles,
        msd,
        sample_paths,
        histogram,
        exact,
        scheme: work.model.scheme_name(),
        device,
        milliseconds,
        path_steps_per_second: 1000.0 * path_steps / milliseconds,
        notes,
    }
}

/// Error of a solve, which a user or the end of the time cancels.
pub(super) fn failure(error: impl std::error::Error, timer: &Timer) -> Failure {
    if timer.is_over() {
        let what = "before all paths were solved; take fewer paths or steps";
        return Failure::new(timer.message(what));
    }
    error.into()
}
