//! Losses of ensembles: values and derivatives for all paths of a batch.

use super::{PathLoss, Windows};
use crate::{Cotangent, EnergyDistance, LossError, MarginalEnergy, Pairs, Scalar};
use hpfracc_lanes::Rows;
use ndarray::{Array3, ArrayView2, ArrayViewMut2, Axis};
use rayon::prelude::*;

/// The loss of all paths of a batch, and its derivatives, for losses of several paths.
pub(super) fn ensemble_loss<T: Scalar>(
    loss: PathLoss,
    windows: &Windows<T>,
    samples: &[usize],
    paths: &Array3<T>,
) -> Result<(f64, Array3<T>), LossError> {
    match loss {
        PathLoss::EnergyDistance(pairs) => of_laws(windows, samples, paths, |x, y, xbar| {
            let pairs = among(pairs, x);
            EnergyDistance { pairs }.evaluate(x, y, Some(xbar))
        }),
        PathLoss::MarginalEnergy(pairs) => of_laws(windows, samples, paths, |x, y, xbar| {
            MarginalEnergy::new(among(pairs, x)).evaluate(x, y, Some(xbar))
        }),
        PathLoss::Moments => Ok(moments(windows, samples, paths)),
        // Losses of single paths are evaluated by `WindowLoss`.
        PathLoss::EnergyScore | PathLoss::Each(_) => Ok(energy_score(windows, samples, paths)),
    }
}

/// The pairs of some paths: a single path pairs with itself only.
fn among<T>(pairs: Pairs, x: Rows<'_, T>) -> Pairs {
    if x.lanes() == 1 { Pairs::All } else { pairs }
}

/// A distance between the distributions of all paths and of all samples.
fn of_laws<T: Scalar>(
    windows: &Windows<T>,
    samples: &[usize],
    paths: &Array3<T>,
    distance: impl Fn(Rows<'_, T>, Rows<'_, T>, Cotangent<'_, T>) -> Result<T, LossError>,
) -> Result<(f64, Array3<T>), LossError> {
    // A duplicated sample has the same mean distances, and forms a pair.
    let samples = if let [only] = samples { &[*only; 2] } else { samples };
    let (count, nodes, _) = paths.dim();
    let components = windows.components();
    let rows = nodes * components;
    let places = |lanes: usize| (0..rows * lanes).map(move |at| (at / lanes, at % lanes));
    let x = places(count).map(|(row, lane)| paths[[lane, row / components, row % components]]);
    let y = places(samples.len()).map(|(row, lane)| windows.of(samples[lane])[row]);
    let (x, y): (Vec<T>, Vec<T>) = (x.collect(), y.collect());
    let mut xbar = vec![T::zero(); x.len()];
    let cotangent = Cotangent::new(T::one(), &mut xbar, count);
    let loss = distance(Rows::new(&x, count), Rows::new(&y, samples.len()), cotangent)?;
    let mut slopes = Array3::zeros(paths.raw_dim());
    for ((row, lane), bar) in places(count).zip(xbar) {
        slopes[[lane, row / components, row % components]] = bar;
    }
    Ok((loss.widen(), slopes))
}

/// The mean of the energy scores of the samples, and its derivatives in all paths.
fn energy_score<T: Scalar>(
    windows: &Windows<T>,
    samples: &[usize],
    paths: &Array3<T>,
) -> (f64, Array3<T>) {
    let each = paths.dim().0 / samples.len();
    let mut slopes = Array3::zeros(paths.raw_dim());
    let scale = 1.0 / samples.len() as f64;
    let tiles = paths.axis_chunks_iter(Axis(0), each);
    let tiles = tiles.zip(slopes.axis_chunks_iter_mut(Axis(0), each)).zip(samples);
    let tiles: Vec<_> = tiles.collect();
    let scores: Vec<f64> = tiles
        .into_par_iter()
        .map(|((paths, mut slopes), sample)| {
            let components = windows.components();
            let nodes = windows.of(*sample).chunks_exact(components);
            let seen = |y: &&[T]| y.iter().any(|y| !y.widen().is_nan());
            let weight = scale / nodes.clone().filter(seen).count() as f64;
            let nodes = nodes.enumerate().filter(|(_, y)| seen(y));
            let scores = nodes.map(|(node, y)| {
                let x = paths.index_axis(Axis(1), node);
                score_of_node(weight, x, y, slopes.index_axis_mut(Axis(1), node))
            });
            scores.sum()
        })
        .collect();
    (scores.iter().sum(), slopes)
}

/// Weighted energy score of points x at the observation y.
fn score_of_node<T: Scalar>(
    weight: f64,
    x: ArrayView2<'_, T>,
    y: &[T],
    mut slopes: ArrayViewMut2<'_, T>,
) -> f64 {
    let seen: Vec<usize> = (0..y.len()).filter(|i| !y[*i].widen().is_nan()).collect();
    let m = x.nrows();
    let (to_y, between) = (weight / m as f64, -weight / (m * (m - 1)) as f64);
    let mut score = 0.0;
    let norm = |apart: &dyn Fn(usize) -> f64| {
        seen.iter().map(|i| apart(*i) * apart(*i)).sum::<f64>().sqrt()
    };
    for path in 0..m {
        let apart = |i: usize| (x[[path, i]] - y[i]).widen();
        let distance = norm(&apart);
        score += to_y * distance;
        for i in seen.iter().copied().filter(|_| distance > 0.0) {
            slopes[[path, i]] += T::narrow(to_y * apart(i) / distance);
        }
        for other in 0..path {
            let apart = |i: usize| (x[[path, i]] - x[[other, i]]).widen();
            let distance = norm(&apart);
            score += between * distance;
            for i in seen.iter().copied().filter(|_| distance > 0.0) {
                let slope = T::narrow(between * apart(i) / distance);
                slopes[[path, i]] += slope;
                slopes[[other, i]] -= slope;
            }
        }
    }
    score
}

/// The squared differences of means and variances, and their derivatives in all paths.
fn moments<T: Scalar>(
    windows: &Windows<T>,
    samples: &[usize],
    paths: &Array3<T>,
) -> (f64, Array3<T>) {
    let (count, nodes, _) = paths.dim();
    let components = windows.components();
    let mut slopes = Array3::zeros(paths.raw_dim());
    let places: Vec<_> = (0..nodes * components)
        .filter_map(|place| {
            let values = samples.iter().map(|sample| windows.of(*sample)[place].widen());
            let (mean, variance, count) = mean_and_variance(values.filter(|y| !y.is_nan()));
            (count > 1).then_some((place / components, place % components, mean, variance))
        })
        .collect();
    let weight = 1.0 / places.len().max(1) as f64;
    let mut loss = 0.0;
    for (node, i, mean, variance) in places {
        let series = (0..count).map(|path| paths[[path, node, i]].widen());
        let (own_mean, own_variance, _) = mean_and_variance(series.clone());
        let (by_mean, by_variance) = (own_mean - mean, own_variance - variance);
        loss += weight * (by_mean * by_mean + by_variance * by_variance);
        let of_mean = 2.0 * weight * by_mean / count as f64;
        let of_variance = 4.0 * weight * by_variance / (count - 1) as f64;
        for (path, x) in series.enumerate() {
            slopes[[path, node, i]] = T::narrow(of_mean + of_variance * (x - own_mean));
        }
    }
    (loss, slopes)
}

/// Mean, unbiased variance, and number of values.
fn mean_and_variance(values: impl Iterator<Item = f64> + Clone) -> (f64, f64, usize) {
    let count = values.clone().count();
    let mean = values.clone().sum::<f64>() / count as f64;
    let squares = values.map(|x| (x - mean) * (x - mean)).sum::<f64>();
    (mean, squares / (count as f64 - 1.0), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    fn of(loss: PathLoss, observed: Array3<f64>, paths: Array3<f64>) -> f64 {
        let (samples, nodes, _) = observed.dim();
        let nodes: Vec<usize> = (0..nodes).collect();
        let windows = Windows::new(Array2::zeros((samples, 0)), &nodes, observed).unwrap();
        let samples: Vec<usize> = (0..samples).collect();
        ensemble_loss(loss, &windows, &samples, &paths).unwrap().0
    }

    /// One sample at two nodes, of which the second has one component only: 3 and 5 away from y,
    /// with 4 between; then 1 and 2 away, with 3 between.
    #[test]
    fn energy_scores_by_hand() {
        let observed = array![[[0.0, 0.0], [f64::NAN, 1.0]]];
        let paths = array![[[3.0, 0.0], [9.0, 2.0]], [[3.0, 4.0], [-9.0, -1.0]]];
        let expected = ((3.0 + 5.0) / 2.0 - 4.0 / 2.0 + (1.0 + 2.0) / 2.0 - 3.0 / 2.0) / 2.0;
        assert_eq!(of(PathLoss::EnergyScore, observed, paths), expected);
    }

    /// Of one sample the part within it is 0: paths at 1 and 4 from y = 0, 3 apart; then one path.
    #[test]
    fn distances_from_one_sample_by_hand() {
        let observed = || array![[[0.0]]];
        let both = || array![[[1.0]], [[4.0]]];
        for (pairs, apart) in [(Pairs::Distinct, 3.0), (Pairs::All, 1.5)] {
            for loss in [PathLoss::EnergyDistance(pairs), PathLoss::MarginalEnergy(pairs)] {
                assert_eq!(of(loss, observed(), both()), 2.5 - apart / 2.0, "{loss:?}");
                assert_eq!(of(loss, observed(), array![[[4.0]]]), 4.0, "{loss:?}");
            }
        }
        assert_eq!(of(PathLoss::Moments, observed(), both()), 0.0);
    }

    /// Means 2 and 3, variances 2 and 8; the second component was seen once and does not count.
    #[test]
    fn moments_by_hand() {
        let observed = array![[[1.0, 7.0]], [[3.0, f64::NAN]]];
        let paths = array![[[1.0, 0.0]], [[5.0, 0.0]]];
        assert_eq!(of(PathLoss::Moments, observed, paths), 1.0 + 36.0);
    }
}
