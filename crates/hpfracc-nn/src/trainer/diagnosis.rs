//! What was first not to be finite.

use crate::{Batch, Block, Objective, Scalar, TrainingError};

/// The loss, if it is finite; else an error with the name of what was not so before it.
pub(super) fn loss<T: Scalar>(
    objective: &dyn Objective<T>,
    theta: &[T],
    batch: Batch<'_>,
    loss: f64,
) -> Result<f64, TrainingError> {
    if loss.is_finite() {
        return Ok(loss);
    }
    let what = match objective.culprit(theta, batch) {
        Some(culprit) => format!("the loss, and first `{culprit}`,"),
        None => "the loss".to_owned(),
    };
    Err(TrainingError::NotFinite { what, value: loss })
}

/// An error that names the block of the first number that is not finite, and which one it is.
pub(super) fn finite<T: Scalar>(
    blocks: &[Block],
    what: &str,
    values: &[T],
) -> Result<(), TrainingError> {
    // One sum tells almost always that there is nothing to look for.
    let zero = values.iter().fold(T::zero(), |sum, x| sum + (*x - *x));
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
