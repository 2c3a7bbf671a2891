//! Ranks of draws among all chains.

use super::normal_quantile::normal_quantile;

/// All draws in increasing order.
pub(super) fn sorted<C: AsRef<[f64]>>(chains: &[C]) -> Vec<f64> {
    let mut all: Vec<f64> = chains.iter().flat_map(|chain| chain.as_ref()).copied().collect();
    all.sort_by(f64::total_cmp);
    all
}

pub(super) fn median(chains: &[Vec<f64>]) -> f64 {
    let sorted = sorted(chains);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    } else {
        sorted[middle]
    }
}

/// Quantiles of the normal distribution at (rank - 3/8) / (n + 1/4), the ranks being those among all
/// chains, from 1, and equal draws having the mean of theirs.
pub(super) fn normal_scores(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let sorted = sorted(chains);
    let count = sorted.len() as f64;
    let score = |x: &f64| {
        let below = sorted.partition_point(|y| y < x) as f64;
        let up_to = sorted.partition_point(|y| y <= x) as f64;
        normal_quantile(((below + up_to + 1.0) / 2.0 - 0.375) / (count + 0.25))
    };
    chains.iter().map(|chain| chain.iter().map(score).collect()).collect()
}
