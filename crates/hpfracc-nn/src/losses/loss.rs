use super::cross_entropy::Probabilities;
use super::gaussian::Gaussian;
use super::pointwise::{self, OfDifference, absolute, huber, square};
use super::tile::{
    self, Cotangent, Observations, expect, expect_cotangent, expect_tile, some_rows,
};
use super::{LossError, cross_entropy};
use crate::checks::{in_range, not_negative, positive};
use crate::{OutOfRange, Scalar};
use hpfracc_lanes::Rows;
use serde::{Deserialize, Serialize};

/// Loss of a prediction against its observation.
///
/// For rows of predictions y and observations x, the loss of a lane is the weighted mean over its
/// rows (weights 1 by default),
///
/// ```text
/// L = sum_i w_i l(y_i, x_i) / sum_i w_i
/// ```
///
/// A weight of 0 marks a missing observation, which may be NaN; a lane without observations has
/// loss 0 and no gradient. [`CrossEntropy`](Self::CrossEntropy) alone is a sum over rows, with one
/// weight for each lane. Weights must not be negative. Sums run row by row, for any number of
/// lanes.
///
/// In a configuration: `loss = "mean-square"`, `loss.huber = { delta = 1.0 }`.
///
/// ```
/// use hpfracc_nn::{Cotangent, Loss, Observations};
/// use hpfracc_sde::Rows;
///
/// // Two features of three samples; the second feature of the last sample is missing.
/// let (y, x) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 1.0, 1.0, 0.0, 5.0, f64::NAN]);
/// let weights = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
/// let x = Observations::weighted(Rows::new(&x, 3), Rows::new(&weights, 3));
/// let (mut losses, mut ybar) = ([0.0; 3], [0.0; 6]);
/// let gradient = Cotangent::new(1.0 / 3.0, &mut ybar, 3);
/// Loss::MeanSquare.evaluate(Rows::new(&y, 3), x, &mut losses, Some(gradient))?;
/// assert_eq!(losses, [8.0, 0.5, 4.0]);
/// assert_eq!(ybar[5], 0.0);
/// # Ok::<(), hpfracc_nn::LossError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Loss {
    /// `(y - x)^2`
    #[default]
    MeanSquare,
    /// `|y - x|`, with slope 0 at 0.
    MeanAbsolute,
    /// `e^2/2` of `e = y - x` up to `|e| = delta`, then `delta (|e| - delta/2)`.
    ///
    /// Source: Huber, Ann. Math. Stat. 35, 73-101 (1964), DOI 10.1214/aoms/1177703732.
    Huber {
        /// Start of the linear part, positive.
        delta: f64,
    },
    /// `-sum_c p_c ln softmax(y)_c` of probabilities p, one row for each class c. A weight is one
    /// row.
    ///
    /// The entropy of p is not subtracted.
    CrossEntropy,
    /// Negative Gaussian log-likelihood of x with mean m and variance v,
    ///
    /// ```text
    /// (x - m)^2/(2 v) + ln(2 pi v)/2,   v = exp(2 s) + floor^2
    /// ```
    ///
    /// Predictions have twice as many rows as observations: all m, then all s, the logarithms of
    /// the standard deviations. The floor is smooth: the gradient with respect to s does not vanish
    /// below it.
    GaussianLikelihood {
        /// Smallest standard deviation, not negative.
        #[serde(default)]
        floor: f64,
    },
}

impl Loss {
    /// Rows of predictions for this number of rows of observations.
    pub fn predictions(&self, observations: usize) -> usize {
        if let Self::GaussianLikelihood { .. } = self { 2 * observations } else { observations }
    }

    /// Checks the ranges of the settings.
    ///
    /// # Errors
    /// [`LossError::OutOfRange`] for a setting outside its range.
    pub fn check(&self) -> Result<(), LossError> {
        match *self {
            Self::Huber { delta } => Ok(positive("delta", delta)?),
            Self::GaussianLikelihood { floor } => Ok(not_negative("floor", floor)?),
            _ => Ok(()),
        }
    }

    /// Checks the settings rounded to a scalar.
    fn check_in<T: Scalar>(&self) -> Result<(), OutOfRange> {
        let Self::Huber { delta } = *self else { return Ok(()) };
        let narrow = T::narrow(delta).widen();
        let holds = narrow.is_finite() && narrow >= T::LEAST;
        in_range(holds, "delta", delta, "a number of the scalar that is computed in")
    }

    /// Writes the loss of every lane, and its gradient with respect to the predictions. Allocates
    /// nothing.
    ///
    /// NaN in a prediction or a weighted observation makes the loss of its lane NaN, and the
    /// gradient of the same row of observations, or, where rows are classes, of the whole lane. NaN
    /// in a weight makes the loss and the gradient of its lane NaN.
    ///
    /// # Errors
    /// As [`Loss::check`], also for a delta that the scalar cannot represent; [`LossError::Size`]
    /// for tiles whose sizes do not match, or without rows.
    pub fn evaluate<T: Scalar>(
        &self,
        y: Rows<'_, T>,
        x: Observations<'_, T>,
        losses: &mut [T],
        cotangent: Option<Cotangent<'_, T>>,
    ) -> Result<(), LossError> {
        self.check()?;
        let (rows, lanes) = (tile::rows(x.values), y.lanes());
        some_rows("observations", rows)?;
        let predictions = self.predictions(rows);
        expect_tile("observations", x.values, rows, lanes)?;
        expect_tile("predictions", y, predictions, lanes)?;
        expect("losses", "numbers", losses.len(), lanes)?;
        expect_cotangent("cotangent", cotangent.as_ref(), predictions, lanes)?;
        self.check_in::<T>()?;
        if let Some(weights) = x.weights {
            let rows = if *self == Self::CrossEntropy { 1 } else { rows };
            expect_tile("weights", weights, rows, lanes)?;
        }
        match *self {
            Self::MeanSquare => pointwise::evaluate(OfDifference(square), y, x, losses, cotangent),
            Self::MeanAbsolute => {
                pointwise::evaluate(OfDifference(absolute), y, x, losses, cotangent);
            }
            Self::Huber { delta } => {
                let delta = T::narrow(delta);
                let of = OfDifference(move |e| huber(e, delta));
                pointwise::evaluate(of, y, x, losses, cotangent);
            }
            Self::GaussianLikelihood { floor } => {
                pointwise::evaluate(Gaussian::new(floor), y, x, losses, cotangent);
            }
            Self::CrossEntropy => {
                let weights = x.weights.map(|w| w.as_slice());
                cross_entropy::evaluate(Probabilities(x.values), y, weights, losses, cotangent);
            }
        }
        Ok(())
    }
}
