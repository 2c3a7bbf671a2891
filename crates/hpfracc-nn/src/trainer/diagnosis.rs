//! Diagnostics of numbers that are not finite.

use super::{At, TrainerError};
use crate::kernels::first_not_finite;
use crate::{Batch, Block, Objective, Scalar, TrainingError};
use hpfracc_sde::SdeError;

/// The error of a batch, with the first layer or quantity that is not finite, if that may be the
/// cause. Not collective.
pub(super) fn of_batch<T: Scalar>(
    objective: &dyn Objective<T>,
    theta: &[T],
    batch: Batch<'_>,
    at: At,
    source: TrainingError,
) -> TrainerError {
    let numbers = matches!(source, TrainingError::NotFinite { .. } | TrainingError::Solve(_));
    let pass = batch.pass(!at.validation);
    let culprit = numbers.then(|| objective.culprit(theta, batch, pass)).flatten();
    TrainerError::Batch { at: Box::new(At { culprit, ..at }), source }
}

/// Error for the first number that is not finite, with its block and index.
pub(super) fn finite<T: Scalar>(
    blocks: &[Block],
    what: &str,
    values: &[T],
) -> Result<(), TrainingError> {
    let Some((mut index, value)) = first_not_finite(values) else { return Ok(()) };
    for Block { name, shape } in blocks {
        let len = shape.iter().product();
        if index < len {
            let what = format!("{what} `{name}`, number {index},");
            return Err(TrainingError::NotFinite { what, value });
        }
        index -= len;
    }
    let what = format!("{what} a number after all blocks");
    Err(TrainingError::NotFinite { what, value })
}

/// True if a cotangent overflowed, which a smaller loss scale may avoid.
pub(super) fn is_of_cotangents(error: &TrainingError) -> bool {
    use SdeError::{CotangentNotFinite, ParameterGradientNotFinite};
    let TrainingError::Solve(error) = error else { return false };
    matches!(error, CotangentNotFinite { .. } | ParameterGradientNotFinite { .. })
}
