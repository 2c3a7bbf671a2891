//! Checks of sizes and ranges, and diagnostics of numbers that are not finite.

use super::error::ModelError;
use super::field::{Field, LANES};
use crate::kernels::first_not_finite;
use crate::{Batch, Block, Layer, Objective, Scalar, TrainingError};
use hpfracc_lanes::Rows;
use ndarray::{ArrayView2, Axis};

/// Error for a number outside its range.
pub(super) fn in_range(
    holds: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), ModelError> {
    if holds { Ok(()) } else { Err(ModelError::OutOfRange { what, value, expected }) }
}

/// Error for an array of another size.
pub(super) fn same_size(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), ModelError> {
    if found == expected { Ok(()) } else { Err(ModelError::Size { what, found, expected }) }
}

/// Error for a network with another number of rows than the allowed ones.
pub(super) fn rows(what: &'static str, found: usize, expected: &[usize]) -> Result<(), ModelError> {
    if expected.contains(&found) {
        return Ok(());
    }
    let expected: Vec<String> = expected.iter().map(usize::to_string).collect();
    Err(ModelError::Rows { what, found, expected: expected.join(" or ") })
}

/// Error for a slice of another length.
pub(super) fn length(what: &str, found: usize, expected: usize) -> Result<(), TrainingError> {
    if found == expected {
        return Ok(());
    }
    Err(TrainingError::Size { what: what.to_owned(), found, expected })
}

/// Error for arguments of an [`Objective`] of another length, an empty batch, or indices of samples
/// that do not exist.
pub(super) fn admit<T: Scalar>(
    objective: &impl Objective<T>,
    theta: &[T],
    batch: Batch<'_>,
    thetabar: Option<&[T]>,
) -> Result<(), TrainingError> {
    let (parameters, samples) = (objective.parameters(), objective.samples());
    length("the list of parameters", theta.len(), parameters)?;
    thetabar.map_or(Ok(()), |bar| length("the gradient", bar.len(), parameters))?;
    match batch.samples.iter().max() {
        None => length("the batch", 0, 1),
        Some(&last) if last >= samples => length("the number of a sample", last, samples - 1),
        _ => Ok(()),
    }
}

/// The first block of parameters with a number that is not finite.
pub(super) fn not_finite<T: Scalar>(blocks: Vec<Block>, theta: &[T]) -> Option<String> {
    let (first, _) = first_not_finite(theta)?;
    let mut end = 0;
    let block = blocks.into_iter().find(|block| {
        end += block.len();
        first < end
    });
    block.map(|block| format!("the parameter {}", block.name))
}

/// The first layer of several networks whose output is not finite at the initial values, prefixed
/// with the name of its network; "the start" if the initial values are not finite.
pub(super) fn culprit<T: Scalar, L: Layer<T>, const N: usize>(
    networks: [(&str, Option<&Field<'_, T, L>>); N],
    starts: ArrayView2<'_, T>,
) -> Option<String> {
    if starts.iter().any(|x| !x.widen().is_finite()) {
        return Some("the start".to_owned());
    }
    starts.axis_chunks_iter(Axis(0), LANES).find_map(|starts| {
        let x: Vec<T> = starts.columns().into_iter().flatten().copied().collect();
        let x = Rows::new(&x, starts.nrows());
        networks.iter().find_map(|(name, network)| {
            let layer = network.as_ref()?.culprit(0.0, x)?;
            Some(format!("{name}.{layer}"))
        })
    })
}
