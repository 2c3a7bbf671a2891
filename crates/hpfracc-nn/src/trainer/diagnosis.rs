//! What was first not to be finite.

use super::{At, TrainerError};
use crate::{Batch, Block, Objective, Scalar, TrainingError};

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
    let culprit = numbers.then(|| objective.culprit(theta, batch)).flatten();
    TrainerError::Batch { at: Box::new(At { culprit, ..at }), source }
}

/// An error that names the block of the first number that is not finite, and which one it is.
pub(super) fn finite<T: Scalar>(
    blocks: &[Block],
    what: &str,
    values: &[T],
) -> Result<(), TrainingError> {
    // One sum tells almost always that there is nothing to look for.
    let zero = values.iter().fold(T::zero(), |sum, x| sum + *x * T::zero());
    if zero == T::zero() {
        return Ok(());
    }
    let mut rest = values;
    for block in blocks {
        let (own, after) = rest.split_at(block.len().min(rest.len()));
        if let Some(i) = own.iter().position(|x| !x.widen().is_finite()) {
            let what = format!("{what} `{}`, number {i},", block.name);
            return Err(TrainingError::NotFinite { what, value: own[i].widen() });
        }
        rest = after;
    }
    Ok(())
}
