//! Agreement of the ranks of a training before its first step.

use super::checkpoint::{Identity, RunFolder};
use super::error::TrainerError;
use super::settings::Training;
use crate::{Block, Scalar};
use hpfracc_checkpoint::crc64_append;
use hpfracc_communicator::Ranks;

/// Refuses ranks whose facts, settings, or parameters differ from those of rank 0. Collective.
pub(super) fn agree_on<T: Scalar>(
    ranks: Ranks<'_>,
    mut values: Vec<(String, String)>,
    (training, folder, resume): (&Training, Option<&RunFolder>, bool),
    (identity, theta): (&Identity, &[T]),
) -> Result<(), TrainerError> {
    if ranks.several().is_none() {
        return Ok(());
    }
    let Training { epochs, steps, validate_every, patience, .. } = training;
    let folder = folder.map(|folder| (folder.every, folder.keep));
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
        ("resume", resume.to_string()),
        ("the standardisation", format!("{:?}", identity.standardisation)),
    ];
    values.extend(further.map(|(name, value)| (name.to_owned(), value)));
    for (number, Block { name, shape }) in identity.blocks.iter().enumerate() {
        values.push((format!("parameter block {number}"), format!("{name} {shape:?}")));
    }
    values.push(("the checksum of the initial parameters".to_owned(), format!("{sum:016x}")));
    let values: Vec<(&str, String)> =
        values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    Ok(ranks.agree(&values)?)
}
