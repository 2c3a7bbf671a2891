//! Diagnostics of chains of one quantity: convergence, effective sample sizes, Monte Carlo errors.
//!
//! Chains are slices of equal length, of at least 8 draws; with others, and with draws that are NaN,
//! all but [`quantile`] and [`bfmi`] give NaN. Each is split into halves, so that a chain that drifts
//! disagrees with itself. Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner,
//! Bayesian Analysis 16 (2021) 667, DOI 10.1214/20-BA1221.
//!
//! ```
//! use hpfracc_fit::sample::diagnostics::{bulk_ess, r_hat};
//!
//! // Two chains that go to and fro, of which the second is shifted.
//! let chain = |shift: f64| -> Vec<f64> { (0..200).map(|i| shift + (1.7 * f64::from(i)).sin()).collect() };
//! let (first, second, same) = (chain(0.0), chain(3.0), chain(0.01));
//! assert!(r_hat(&[&first, &second]) > 1.5);
//! assert!(r_hat(&[&first, &same]) < 1.01 && bulk_ess(&[&first, &same]) > 400.0);
//! ```

mod autocorrelation;
mod normal_quantile;
mod ranks;

use autocorrelation::effective_size;
use ranks::{median, normal_scores, sorted};

/// Least number of draws of a chain.
pub(super) const LEAST_DRAWS: usize = 8;

/// R-hat: the standard deviation of all draws over that within the halves of chains, of
/// rank-normalised draws, or of their distances from the median if that is larger. 1 for chains
/// that agree in place and scale; NaN for draws that are all equal.
///
/// Cost: O(n log n).
pub fn r_hat(chains: &[&[f64]]) -> f64 {
    let Some(halves) = halves(chains) else { return f64::NAN };
    let centre = median(&halves);
    let folded: Vec<Vec<f64>> =
        halves.iter().map(|half| half.iter().map(|x| (x - centre).abs()).collect()).collect();
    let place = scale_reduction(&normal_scores(&halves));
    let scale = scale_reduction(&normal_scores(&folded));
    // Distances that are all equal have no scale to compare.
    if place.is_nan() { place } else { place.max(scale) }
}

/// Effective sample size of the bulk: number of independent draws that determine the centre of the
/// distribution as well, from rank-normalised draws. Anticorrelated draws give more than there are.
///
/// Cost: O(n log n) and n times the lag at which autocorrelations vanish.
pub fn bulk_ess(chains: &[&[f64]]) -> f64 {
    halves(chains).map_or(f64::NAN, |halves| effective_size(&normal_scores(&halves)))
}

/// Effective sample size of the tails: the smaller one of the 5 % and the 95 % quantile.
///
/// Cost: that of [`bulk_ess`].
pub fn tail_ess(chains: &[&[f64]]) -> f64 {
    quantile_ess(chains, 0.05).min(quantile_ess(chains, 0.95))
}

/// Effective sample size of the p-quantile.
///
/// Cost: that of [`bulk_ess`].
pub fn quantile_ess(chains: &[&[f64]], p: f64) -> f64 {
    let at = quantile(chains, p);
    let below = |half: &Vec<f64>| half.iter().map(|x| f64::from(u8::from(*x <= at))).collect();
    let indicators = |halves: Vec<Vec<f64>>| halves.iter().map(below).collect::<Vec<_>>();
    halves(chains).map_or(f64::NAN, |halves| effective_size(&indicators(halves)))
}

/// Mean with its Monte Carlo standard error.
///
/// Cost: that of [`bulk_ess`].
pub fn mean(chains: &[&[f64]]) -> (f64, f64) {
    let Some(halves) = halves(chains) else { return (f64::NAN, f64::NAN) };
    (mean_of(chains), (variance_of(chains) / effective_size(&halves)).sqrt())
}

/// Standard deviation with its Monte Carlo standard error, which is that of the mean square over
/// twice the standard deviation.
///
/// Cost: that of [`bulk_ess`].
pub fn standard_deviation(chains: &[&[f64]]) -> (f64, f64) {
    let centre = mean_of(chains);
    let squares: Vec<Vec<f64>> =
        chains.iter().map(|chain| chain.iter().map(|x| (x - centre).powi(2)).collect()).collect();
    let squares: Vec<&[f64]> = squares.iter().map(Vec::as_slice).collect();
    let deviation = variance_of(chains).sqrt();
    (deviation, mean(&squares).1 / (2.0 * deviation))
}

/// The p-quantile, linear between order statistics. A p outside 0 to 1 gives the extremes, no draws
/// give NaN.
///
/// Cost: O(n log n).
pub fn quantile(chains: &[&[f64]], p: f64) -> f64 {
    quantile_of_sorted(&sorted(chains), p)
}

/// Monte Carlo standard error of the p-quantile: half of the distance between the quantiles one
/// standard error of p away, sqrt(p (1 - p) / ESS).
///
/// Cost: that of [`bulk_ess`].
pub fn quantile_error(chains: &[&[f64]], p: f64) -> f64 {
    let error = (p * (1.0 - p) / quantile_ess(chains, p)).sqrt();
    let sorted = sorted(chains);
    let at = |p: f64| quantile_of_sorted(&sorted, p);
    (at(p + error) - at(p - error)) / 2.0
}

/// Bayesian fraction of missing information: the mean square of the changes of the energy from draw
/// to draw over its variance. Below 0.3, momenta explore the energies too slowly for the tails.
///
/// Source: Betancourt, arXiv:1604.00695 (2016). Cost: O(n).
pub fn bfmi(energies: &[f64]) -> f64 {
    let changes: f64 = energies.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let mean = mean_of(&[energies]);
    let squares: f64 = energies.iter().map(|energy| (energy - mean).powi(2)).sum();
    let count = energies.len() as f64;
    changes / (count - 1.0) / (squares / count)
}

pub(super) fn mean_of(chains: &[&[f64]]) -> f64 {
    let count: usize = chains.iter().map(|chain| chain.len()).sum();
    chains.iter().copied().flatten().sum::<f64>() / count as f64
}

fn variance_of(chains: &[&[f64]]) -> f64 {
    let (mean, count) = (mean_of(chains), chains.iter().map(|chain| chain.len()).sum::<usize>());
    let squares: f64 = chains.iter().copied().flatten().map(|x| (x - mean).powi(2)).sum();
    squares / (count as f64 - 1.0)
}

fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = p.clamp(0.0, 1.0) * last as f64;
    let (below, rest) = (at.floor() as usize, at - at.floor());
    let above = (below + 1).min(last);
    sorted[below] + rest * (sorted[above] - sorted[below])
}

/// Halves of all chains; the middle draw of an odd number is left out. None of chains without
/// diagnostics.
fn halves(chains: &[&[f64]]) -> Option<Vec<Vec<f64>>> {
    let length = chains.first()?.len();
    let regular = |chain: &&[f64]| chain.len() == length && !chain.iter().any(|x| x.is_nan());
    if length < LEAST_DRAWS || !chains.iter().all(regular) {
        return None;
    }
    let half = |chain: &&[f64]| {
        let length = chain.len() / 2;
        [chain[..length].to_vec(), chain[chain.len() - length..].to_vec()]
    };
    Some(chains.iter().flat_map(half).collect())
}

/// The potential scale reduction factor of chains.
fn scale_reduction(chains: &[Vec<f64>]) -> f64 {
    let count = chains.len() as f64;
    let length = chains[0].len() as f64;
    let means: Vec<f64> = chains.iter().map(|chain| mean_of(&[chain])).collect();
    let within = chains.iter().map(|chain| variance_of(&[chain])).sum::<f64>() / count;
    ((length - 1.0) / length + variance_of(&[&means]) / within).sqrt()
}
