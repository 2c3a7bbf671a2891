use crate::ensemble::running_means::RunningMeans;
use std::ops::Range;

/// Monte Carlo estimates, means or sums over the paths of an ensemble, with their standard errors.
///
/// Errors come from how the means of tiles of paths differ, of which there are 50 or more for
/// ensembles of 4096 paths or more; NaN of a single tile, which 64 paths or fewer may be.
#[derive(Debug, Clone, PartialEq)]
pub struct MonteCarloEstimates {
    /// The numbers.
    pub values: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
}

impl MonteCarloEstimates {
    /// `scale` times the sums over all paths, of some of the numbers.
    pub(super) fn scaled(means: &RunningMeans, scale: f64, which: Range<usize>) -> Self {
        let scale = scale * means.paths;
        let error = |number: usize| scale * (means.variance(number) / means.paths).sqrt();
        Self {
            values: means.means[which.clone()].iter().map(|mean| scale * mean).collect(),
            errors: which.map(error).collect(),
        }
    }
}
