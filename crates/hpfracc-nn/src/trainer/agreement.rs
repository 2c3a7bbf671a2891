//! Agreement of the ranks of a training before its first step.

use super::{Trainer, TrainerError, Training};
use crate::trainer::checkpoint::Identity;
use crate::{Block, Scalar};
use hpfracc_checkpoint::crc64_append;

/// Refuses ranks whose training differs from that of rank 0. Collective.
pub(super) fn agree_on<T: Scalar>(
    trainer: &Trainer<'_, T>,
    identity: &Identity,
    theta: &[T],
) -> Result<(), TrainerError> {
    if trainer.ranks.several().is_none() {
        return Ok(());
    }
    let mut values = trainer.facts();
    let Training { epochs, steps, validate_every, patience, .. } = &trainer.training;
    let folder = trainer.folder.as_ref().map(|folder| (folder.every, folder.keep));
    let sum = theta
        .iter()
        .fold(0, |sum, number| crc64_append(sum, &number.widen().to_bits().to_le_bytes()));
    let further = [
        ("the scalar", identity.scalar.to_owned()),
        ("epochs", epochs.to_string()),
        ("steps", format!("{steps:?}")),
        ("validate-every", validate_every.to_string()),
        ("patience", format!("{patience:?}")),
        ("the checkpoints, every and keep,", format!("{folder:?}")),
        ("resume", trainer.resume.to_string()),
        ("the standardisation", format!("{:?}", identity.standardisation)),
    ];
    values.extend(further.map(|(name, value)| (name.to_owned(), value)));
    for (number, Block { name, shape }) in identity.blocks.iter().enumerate() {
        values.push((format!("parameter block {number}"), format!("{name} {shape:?}")));
    }
    values.push(("the checksum of the initial parameters".to_owned(), format!("{sum:016x}")));
    let values: Vec<(&str, String)> =
        values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    Ok(trainer.ranks.agree(&values)?)
}
