use super::error::{ModelError, in_range};
use crate::{Block, Scalar};
use serde::{Deserialize, Serialize};

/// How far the paths of a model are from what was observed.
///
/// The first three judge each path by itself: the loss of a sample is the mean over its paths and its
/// observed values. The others judge all paths of a sample, or of a batch, together, and want several.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Misfit {
    /// `(x - y)^2`
    #[default]
    Squared,
    /// `d^2 / 2` for d = |x - y| up to the width w, `w (d - w/2)` beyond.
    ///
    /// Source: Huber, Ann. Math. Statist. 35 (1964) 73, DOI 10.1214/aoms/1177703732.
    Huber {
        /// The width, positive.
        width: f64,
    },
    /// Minus the logarithm of the normal density of y about x, with a deviation for each observed component
    /// that is learned.
    Gaussian {
        /// What the deviations start with, positive.
        deviation: f64,
    },
    /// The energy score of the m paths of a sample at each node, in the components that were observed there:
    /// `sum_i |X_i - y| / m - sum_{i<j} |X_i - X_j| / (m (m - 1))`, the mean over the nodes. Its mean is
    /// least for the law of y. At least 2 paths.
    ///
    /// Source: Gneiting and Raftery, J. Am. Stat. Assoc. 102 (2007) 359, DOI 10.1198/016214506000001437,
    /// equation 22.
    EnergyScore,
    /// The squared differences of means and of variances, of all paths of a batch and all that was observed
    /// of it, added; the mean over nodes and components. For samples of one law; two observed values of
    /// each node and component are needed, others are left out.
    Moments,
}

impl Misfit {
    pub(super) fn check(self, paths: usize) -> Result<(), ModelError> {
        let positive = |what, value: f64| {
            in_range(value > 0.0 && value.is_finite(), what, value, "positive and finite")
        };
        match self {
            Self::Squared => Ok(()),
            Self::Huber { width } => positive("the width of Huber's loss", width),
            Self::Gaussian { deviation } => positive("the deviation at the start", deviation),
            Self::EnergyScore | Self::Moments => {
                let what = "the number of paths of each sample";
                in_range(paths > 1, what, paths as f64, "at least 2 for this loss")
            }
        }
    }

    /// Whether paths are judged together.
    pub(super) fn of_ensemble(self) -> bool {
        matches!(self, Self::EnergyScore | Self::Moments)
    }

    /// For so many observed components.
    pub(super) fn parameters(self, components: usize) -> usize {
        if matches!(self, Self::Gaussian { .. }) { components } else { 0 }
    }

    pub(super) fn blocks(self, components: usize) -> Vec<Block> {
        match self {
            Self::Gaussian { .. } => vec![Block::new("log-deviation", &[components])],
            _ => Vec::new(),
        }
    }

    pub(super) fn initialise<T: Scalar>(self, theta: &mut [T]) {
        if let Self::Gaussian { deviation } = self {
            theta.fill(T::narrow(deviation.ln()));
        }
    }

    /// Of one value, given `x - y` and the logarithm of the deviation: the loss and its derivatives in
    /// both.
    #[inline(always)]
    pub(super) fn of<T: Scalar>(self, error: T, log_deviation: T) -> (T, T, T) {
        let (zero, half) = (T::zero(), T::narrow(0.5));
        match self {
            Self::Huber { width } => {
                let width = T::narrow(width);
                let (size, sign) = (error.abs(), error.signum());
                if size <= width {
                    (half * error * error, error, zero)
                } else {
                    (width * (size - half * width), width * sign, zero)
                }
            }
            Self::Gaussian { .. } => {
                let precision = (-log_deviation).exp();
                let z = error * precision;
                // ln(2 pi) / 2
                let constant = T::narrow(0.918_938_533_204_672_8);
                (half * z * z + log_deviation + constant, z * precision, T::one() - z * z)
            }
            _ => (error * error, error + error, zero),
        }
    }
}
