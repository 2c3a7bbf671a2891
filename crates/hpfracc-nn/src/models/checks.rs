//! Checks of sizes and ranges, and diagnostics of numbers that are not finite.

use super::error::ModelError;
use super::field::{Field, LANES};
use crate::checks::same_size;
use crate::kernels::first_not_finite;
use crate::{Batch, Block, Layer, Objective, Scalar, SizeMismatch};
use hpfracc_lanes::Rows;
use ndarray::{ArrayView2, Axis};

/// Error for a network with another number of rows than the allowed ones.
pub(super) fn rows(what: &'static str, found: usize, expected: &[usize]) -> Result<(), ModelError> {
    if expected.contains(&found) {
        return Ok(());
    }
    let expected: Vec<String> = expected.iter().map(usize::to_string).collect();
    Err(ModelError::Rows { what, found, expected: expected.join(" or ") })
}

/// Error for arguments of an [`Objective`] of another length, an empty batch, or indices of samples
/// that do not exist.
pub(super) fn admit<T: Scalar>(
    objective: &impl Objective<T>,
    theta: &[T],
    batch: Batch<'_>,
    thetabar: Option<&[T]>,
) -> Result<(), SizeMismatch> {
    let (parameters, samples) = (objective.parameters(), objective.samples());
    same_size("the list of parameters", theta.len(), parameters)?;
    thetabar.map_or(Ok(()), |bar| same_size("the gradient", bar.len(), parameters))?;
    match batch.samples.iter().max() {
        None => same_size("the batch", 0, 1),
        Some(&last) if last >= samples => same_size("the number of a sample", last, samples - 1),
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
