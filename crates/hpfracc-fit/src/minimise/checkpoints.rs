use crate::FitError;
use hpfracc_checkpoint::{CheckpointFolder, Fingerprint, Format, lock, seal, unseal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checkpoints that remain.
const KEEP: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);
const FORMAT: Format = Format { kind: *b"hpf-fit\0", version: 2 };

/// Where a fit keeps its state, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckpointSettings {
    pub(crate) folder: PathBuf,
    pub(crate) every: Duration,
}

/// Open folder of the checkpoints of one fit.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    folder: CheckpointFolder,
    fingerprint: Fingerprint,
    every: Duration,
    saved: Instant,
    /// Why a checkpoint could not be written. The fit goes on.
    pub(crate) failure: Option<String>,
    /// Excludes another process until it is dropped.
    _lock: File,
}

impl Checkpoints {
    /// Opens or creates the folder, and reads the newest state of the fit with this fingerprint.
    pub(crate) fn open<V: DeserializeOwned>(
        settings: &CheckpointSettings,
        fingerprint: Fingerprint,
    ) -> Result<(Self, Option<V>), FitError> {
        let failed = |error: hpfracc_checkpoint::CheckpointError| FitError::Checkpoint {
            reason: error.to_string(),
        };
        let folder = CheckpointFolder::open(&settings.folder, KEEP).map_err(failed)?;
        let held = lock(&settings.folder.join("lock")).map_err(failed)?;
        folder.clear().map_err(failed)?;
        let read = |path: &Path, bytes: &[u8]| unseal(FORMAT, &fingerprint, path, bytes);
        let state = folder.newest(read).map_err(failed)?.state;
        let (every, saved) = (settings.every, Instant::now());
        Ok((Self { folder, fingerprint, every, saved, failure: None, _lock: held }, state))
    }

    /// Writes the state after this number of passes, if it is time to.
    pub(crate) fn save<V: Serialize + DeserializeOwned>(&mut self, passes: usize, state: &V) {
        if self.saved.elapsed() >= self.every {
            self.save_now(passes, state);
        }
    }

    /// Writes the state after this number of passes.
    pub(crate) fn save_now<V: Serialize + DeserializeOwned>(&mut self, passes: usize, state: &V) {
        let bytes = seal(FORMAT, &self.fingerprint, state).map_err(|error| error.to_string());
        let saved = bytes.and_then(|bytes| {
            self.folder.save(&[passes as u64], &bytes).map_err(|error| error.to_string())
        });
        self.failure = saved.err();
        self.saved = Instant::now();
    }
}
