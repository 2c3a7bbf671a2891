use super::Windows;
use super::error::ModelError;
use crate::checks::in_range;
use crate::{Loss, Pairs, Scalar};
use serde::{Deserialize, Serialize};

/// Loss of the paths of a model against observations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum PathLoss {
    /// Loss of each path separately: the mean over the paths of a sample and its observed values.
    ///
    /// With [`Loss::GaussianLikelihood`] the logarithm of the standard deviation of each observed
    /// component is a parameter, in the block `loss.log-deviation`. With [`Loss::CrossEntropy`] a
    /// node counts if all its components are observed, and each sample needs such a node.
    Each(Loss),
    /// Energy score of the m paths of a sample at each node, in the observed components:
    /// `sum_i |X_i - y| / m - sum_{i<j} |X_i - X_j| / (m (m - 1))`, the mean over the nodes. A proper scoring
    /// rule: its mean is smallest for the distribution of y. At least 2 paths for each sample.
    ///
    /// Source: Gneiting and Raftery, J. Am. Stat. Assoc. 102 (2007) 359, DOI 10.1198/016214506000001437,
    /// equation 22.
    EnergyScore,
    /// [Energy distance](crate::EnergyDistance) between the distributions of all paths of a batch
    /// and of its samples, jointly in all nodes and components. No missing values. The term of the
    /// samples alone, which has no gradient, is 0 for a batch of one.
    EnergyDistance(Pairs),
    /// [Marginal energy distance](crate::MarginalEnergy) of each node and component separately.
    MarginalEnergy(Pairs),
    /// Squared differences of means plus squared differences of variances, between all paths of a
    /// batch and all its observations; the mean over nodes and components. Nodes and components
    /// with fewer than two observations in the batch are skipped: a batch of one sample has the
    /// loss 0.
    Moments,
}

impl Default for PathLoss {
    fn default() -> Self {
        Self::Each(Loss::default())
    }
}

impl PathLoss {
    /// Checks the loss for `paths` paths of each sample.
    pub(super) fn check<T: Scalar>(
        self,
        paths: usize,
        windows: &Windows<T>,
    ) -> Result<(), ModelError> {
        in_range(paths > 0, "the number of paths of each sample", paths, "at least 1")?;
        match self {
            Self::Each(loss) => {
                loss.check()?;
                windows.check(loss)
            }
            Self::EnergyScore => {
                let what = "the number of paths of each sample";
                Ok(in_range(paths > 1, what, paths, "at least 2 for this loss")?)
            }
            Self::Moments => Ok(()),
            Self::EnergyDistance(_) | Self::MarginalEnergy(_) => {
                let expected = "present, for a distance between distributions";
                Ok(in_range(windows.complete(), "an observed value", f64::NAN, expected)?)
            }
        }
    }
}
