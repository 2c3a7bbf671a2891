use super::Windows;
use super::checks::in_range;
use super::error::ModelError;
use crate::{Loss, Pairs, Scalar};
use serde::{Deserialize, Serialize};

/// How far the paths of a model are from what was observed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum PathLoss {
    /// Of each path by itself: the mean over the paths of a sample, and over its values that were observed.
    ///
    /// With [`Loss::GaussianLikelihood`] the logarithm of the deviation of each observed component is
    /// learned, by the name `loss.log-deviation`. With [`Loss::CrossEntropy`] a node counts where all is
    /// observed, and each sample has such a node.
    Each(Loss),
    /// The energy score of the m paths of a sample at each node, in the components that were observed there:
    /// `sum_i |X_i - y| / m - sum_{i<j} |X_i - X_j| / (m (m - 1))`, the mean over the nodes. Its mean is
    /// least for the law of y. At least 2 paths of each sample.
    ///
    /// Source: Gneiting and Raftery, J. Am. Stat. Assoc. 102 (2007) 359, DOI 10.1198/016214506000001437,
    /// equation 22.
    EnergyScore,
    /// The [distance](crate::EnergyDistance) of the law of all paths of a batch from that of its samples, in all nodes and
    /// components at once. Nothing may be missing. The part of the samples among themselves, which has no
    /// gradient, is 0 for a batch of one.
    EnergyDistance(Pairs),
    /// The [same](crate::MarginalEnergy) of each node and component by itself.
    MarginalEnergy(Pairs),
    /// The squared differences of means and of variances, of all paths of a batch and all that was observed
    /// of it, added; the mean over nodes and components. Where fewer than two values of a batch were
    /// observed there is no variance, and the node and component are left out: a batch of one sample
    /// teaches nothing, and has the loss 0.
    Moments,
}

impl Default for PathLoss {
    fn default() -> Self {
        Self::Each(Loss::default())
    }
}

impl PathLoss {
    /// For so many paths of each sample.
    pub(super) fn check<T: Scalar>(
        self,
        paths: usize,
        windows: &Windows<T>,
    ) -> Result<(), ModelError> {
        in_range(paths > 0, "the number of paths of each sample", paths as f64, "at least 1")?;
        match self {
            Self::Each(loss) => {
                loss.check()?;
                windows.check(loss)
            }
            Self::EnergyScore => {
                let what = "the number of paths of each sample";
                in_range(paths > 1, what, paths as f64, "at least 2 for this loss")
            }
            Self::Moments => Ok(()),
            Self::EnergyDistance(_) | Self::MarginalEnergy(_) => in_range(
                windows.complete(),
                "an observed value",
                f64::NAN,
                "there, for a distance of laws",
            ),
        }
    }
}
