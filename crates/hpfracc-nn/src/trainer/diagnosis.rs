//! What was first not to be finite.

use super::{At, TrainerError};
use crate::kernels::first_not_finite;
use crate::{Batch, Block, Evaluation, Objective, Scalar, TrainingError};
use hpfracc_sde::SdeError;
use pulp::Arch;

/// The loss, if it is finite.
pub(super) fn loss(loss: f64) -> Result<f64, TrainingError> {
    match loss.is_finite() {
        true => Ok(loss),
        false => Err(TrainingError::NotFinite { what: "the loss".to_owned(), value: loss }),
    }
}

/// The error of a batch, with what was first not to be finite, where that may be the reason.
pub(super) fn of_batch<T: Scalar>(
    objective: &dyn Objective<T>,
    theta: &[T],
    batch: Batch<'_>,
    at: At,
    source: TrainingError,
) -> TrainerError {
    let numbers = matches!(source, TrainingError::NotFinite { .. } | TrainingError::Solve(_));
    let evaluation = if at.validation { Evaluation::Loss } else { Evaluation::Gradient };
    let culprit = numbers.then(|| objective.culprit(theta, batch, evaluation)).flatten();
    TrainerError::Batch { at: Box::new(At { culprit, ..at }), source }
}

/// An error that names the block of the first number that is not finite, and which one it is.
pub(super) fn finite<T: Scalar>(
    blocks: &[Block],
    what: &str,
    values: &[T],
) -> Result<(), TrainingError> {
    let Some((index, value)) = first_not_finite(Arch::new(), values) else { return Ok(()) };
    let mut own = index;
    for block in blocks {
        if own < block.len() {
            let what = format!("{what} `{}`, number {own},", block.name);
            return Err(TrainingError::NotFinite { what, value });
        }
        own -= block.len();
    }
    let what = format!("{what} number {index}, which is in no block,");
    Err(TrainingError::NotFinite { what, value })
}

/// Whether it was a cotangent that left the finite numbers, which a smaller scale of the loss may keep there.
pub(super) fn is_of_cotangents(error: &TrainingError) -> bool {
    use SdeError::{CotangentNotFinite, ParameterGradientNotFinite};
    let TrainingError::Solve(error) = error else { return false };
    matches!(error, CotangentNotFinite { .. } | ParameterGradientNotFinite { .. })
}
