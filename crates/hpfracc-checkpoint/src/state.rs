//! Values with a serde form as sealed files.

use crate::{CheckpointError, Fingerprint, Format, Reader, Writer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use thiserror::Error;

/// A state that cannot be read again, for example because a number is not finite.
#[derive(Debug, Error)]
#[error("the state of the computation cannot be stored: {0}")]
pub struct StateError(#[from] serde_json::Error);

/// The bytes of a checkpoint: format, fingerprint, the state as JSON, checksum.
///
/// Numbers have the shortest decimals that read back to the same bits. The state is read back before
/// it replaces an older one, because JSON has no numbers that are not finite.
///
/// # Errors
/// [`StateError`]
pub fn seal<V: Serialize + DeserializeOwned>(
    format: Format,
    fingerprint: &Fingerprint,
    state: &V,
) -> Result<Vec<u8>, StateError> {
    let text = serde_json::to_string(state)?;
    serde_json::from_str::<V>(&text)?;
    let mut to = Writer::new(format);
    fingerprint.write(&mut to);
    to.text(&text);
    Ok(to.seal())
}

/// The state of a checkpoint of the computation with this fingerprint; errors name `path`.
///
/// # Errors
/// [`CheckpointError::Damaged`], [`CheckpointError::Version`], [`CheckpointError::Foreign`].
pub fn unseal<V: DeserializeOwned>(
    format: Format,
    fingerprint: &Fingerprint,
    path: &Path,
    bytes: &[u8],
) -> Result<V, CheckpointError> {
    let mut from = Reader::open(format, path, bytes)?;
    fingerprint.compare(&mut from)?;
    let state = serde_json::from_str(&from.text()?).map_err(|_| from.damaged())?;
    from.end()?;
    Ok(state)
}
