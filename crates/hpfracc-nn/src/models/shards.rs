//! Shards of a batch of [`Supervised`](super::Supervised): their losses and gradients, and the sums.

use crate::buffer_pool::alone;
use crate::{Scalar, TrainingError};
use hpfracc_communicator::Ranks;
use rayon::prelude::*;

/// Loss and gradient of some tiles of a batch.
#[derive(Debug, Default)]
pub(super) struct Shard<'a, T> {
    pub(super) loss: f64,
    pub(super) gradient: &'a mut [T],
}

/// Numbers in one task of the reduction.
const CHUNK: usize = 1 << 12;

/// Adds the gradients of all shards to the first, in order.
pub(super) fn reduce<T: Scalar>(shards: &mut [Shard<'_, T>]) {
    let Some((first, others)) = shards.split_first_mut() else { return };
    let add = |i: usize, sum: &mut [T]| {
        for shard in &*others {
            let part = &shard.gradient[i * CHUNK..][..sum.len()];
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += *part);
        }
    };
    if others.is_empty() {
        return;
    }
    if alone() || first.gradient.len() <= CHUNK {
        first.gradient.chunks_mut(CHUNK).enumerate().for_each(|(i, sum)| add(i, sum));
    } else {
        first.gradient.par_chunks_mut(CHUNK).enumerate().for_each(|(i, sum)| add(i, sum));
    }
}

/// Writes the sum of the gradients of the shards of all ranks, and returns that of their losses: in
/// the order of the shards, of which this rank has consecutive ones from `first` on. Collective.
pub(super) fn sum_over<T: Scalar>(
    ranks: Ranks<'_>,
    first: usize,
    shards: &[Shard<'_, T>],
    total: &mut [T],
) -> Result<f64, TrainingError> {
    let losses: Vec<f64> = shards.iter().map(|shard| shard.loss).collect();
    let losses = ranks.gather_to_all(&losses)?;
    ranks.accumulate(total, |at, sum| {
        for (number, shard) in (first..).zip(shards) {
            let part = &shard.gradient[at..][..sum.len()];
            if number == 0 {
                sum.copy_from_slice(part);
            } else {
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += *part);
            }
        }
    })?;
    Ok(losses.iter().flatten().sum())
}
