//! Effective sample size by Geyer's initial monotone sequence.

use super::{mean_of, variance_of};

/// Number of independent draws with the same variance of the mean.
///
/// With the autocorrelations r_t of all chains together, the sum 1 + 2 r_1 + 2 r_2 + ... ends before
/// the first negative sum of a pair r_2k + r_2k+1, and pairs may not grow. Equal draws count all.
pub(super) fn effective_size(chains: &[Vec<f64>]) -> f64 {
    let count: usize = chains.iter().map(Vec::len).sum();
    let first = chains[0][0];
    if chains.iter().flatten().all(|x| *x == first) {
        return count as f64;
    }
    let correlations = Correlations::new(chains);
    let (mut sum, mut smallest, mut lag) = (-1.0, f64::INFINITY, 0);
    loop {
        let even = correlations.at(lag);
        let pair = even + correlations.at(lag + 1);
        let ends = lag + 4 >= chains[0].len();
        if pair < 0.0 || ends && lag > 0 {
            // The term after the last pair halves the error of an alternating sum.
            sum += even.max(0.0);
            break;
        }
        smallest = pair.min(smallest);
        sum += 2.0 * smallest;
        lag += 2;
    }
    if sum.is_nan() {
        return f64::NAN;
    }
    let count = count as f64;
    // Anticorrelated draws: at most log10(count) times their number.
    count / sum.max(1.0 / count.log10())
}

struct Correlations<'a> {
    chains: &'a [Vec<f64>],
    means: Vec<f64>,
    /// Mean variance within the chains, with 1/(n - 1).
    within: f64,
    /// Variance of all draws together.
    total: f64,
}

impl<'a> Correlations<'a> {
    fn new(chains: &'a [Vec<f64>]) -> Self {
        let (count, length) = (chains.len() as f64, chains[0].len() as f64);
        let means: Vec<f64> = chains.iter().map(|chain| mean_of(&[chain])).collect();
        let within = chains.iter().map(|chain| variance_of(&[chain])).sum::<f64>() / count;
        let between = if chains.len() > 1 { variance_of(&[&means]) } else { 0.0 };
        let total = within * (length - 1.0) / length + between;
        Self { chains, means, within, total }
    }

    fn at(&self, lag: usize) -> f64 {
        if lag == 0 {
            return 1.0;
        }
        let covariance = |(chain, mean): (&Vec<f64>, &f64)| {
            let pairs = chain.iter().zip(&chain[lag..]);
            pairs.map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>() / chain.len() as f64
        };
        let covariances: f64 = self.chains.iter().zip(&self.means).map(covariance).sum();
        1.0 - (self.within - covariances / self.chains.len() as f64) / self.total
    }
}
