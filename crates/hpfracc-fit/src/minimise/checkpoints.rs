//! States of a fit, and of profiles, bootstraps and samplings of its result, in a folder.

use crate::FitError;
use hpfracc_checkpoint::{
    CheckpointError, CheckpointFolder, Fingerprint, Format, lock, seal, unseal,
};
use hpfracc_communicator::{Message, Ranks};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
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

/// Names and values of what determines the result of a fit.
pub(crate) type FitFacts = Vec<(&'static str, String)>;

/// Open folder of the checkpoints of one computation.
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
    /// Opens or creates the folder, and reads the newest state of the computation with these facts.
    fn open<V: DeserializeOwned>(
        settings: &CheckpointSettings,
        facts: FitFacts,
    ) -> Result<(Self, Option<V>), FitError> {
        let failed = |error: CheckpointError| FitError::Checkpoint { reason: error.to_string() };
        let fingerprint = Fingerprint::new(facts).map_err(failed)?;
        let folder = CheckpointFolder::open(&settings.folder, KEEP).map_err(failed)?;
        let held = lock(&settings.folder.join("lock")).map_err(failed)?;
        folder.clear().map_err(failed)?;
        let read = |path: &Path, bytes: &[u8]| unseal(FORMAT, &fingerprint, path, bytes);
        let state = folder.newest(read).map_err(failed)?.state;
        let (every, saved) = (settings.every, Instant::now());
        Ok((Self { folder, fingerprint, every, saved, failure: None, _lock: held }, state))
    }

    /// The same on rank 0, which alone writes; the others have its state. Collective.
    pub(crate) fn open_on_first<V: Message>(
        ranks: Ranks<'_>,
        settings: &CheckpointSettings,
        facts: FitFacts,
    ) -> Result<(Option<Self>, Option<V>), FitError> {
        let mut checkpoints = None;
        let state = ranks.from_first(|| {
            let (opened, state) = Self::open(settings, facts)?;
            checkpoints = Some(opened);
            Ok::<_, FitError>(state)
        })?;
        Ok((checkpoints, state))
    }

    /// Writes the state after this number of parts of the computation, if it is time to.
    pub(crate) fn save<V: Serialize + DeserializeOwned>(&mut self, parts: usize, state: &V) {
        if self.saved.elapsed() >= self.every {
            self.save_now(parts, state);
        }
    }

    /// Writes the state after this number of parts.
    pub(crate) fn save_now<V: Serialize + DeserializeOwned>(&mut self, parts: usize, state: &V) {
        let bytes = seal(FORMAT, &self.fingerprint, state).map_err(|error| error.to_string());
        let saved = bytes.and_then(|bytes| {
            self.folder.save(&[parts as u64], &bytes).map_err(|error| error.to_string())
        });
        self.failure = saved.err();
        self.saved = Instant::now();
    }
}

/// What a fit shares with the computations that follow it: ranks, the flag that cancels them, and the folder of checkpoints.
#[derive(Debug, Default)]
pub(crate) struct Session<'a> {
    pub(crate) ranks: Ranks<'a>,
    pub(crate) cancel: Option<&'a AtomicBool>,
    pub(crate) checkpoints: Option<(CheckpointSettings, FitFacts)>,
    /// Why the last checkpoint could not be written.
    pub(crate) failure: Mutex<Option<String>>,
}

impl Session<'_> {
    /// Whether the flag is set, on this rank.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the flag is set on a rank. Collective.
    pub(crate) fn is_cancelled_on_a_rank(&self) -> Result<bool, FitError> {
        Ok(self.ranks.any(self.is_cancelled())?)
    }

    /// Why the last checkpoint could not be written.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the folder of a computation, below that of the fit, if there is one, and reads its newest state.
    pub(crate) fn open<V: Message>(
        &self,
        name: &str,
        settings: String,
    ) -> Result<(Keeper<'_>, Option<V>), FitError> {
        let Some((place, facts)) = &self.checkpoints else {
            return Ok((Keeper { session: self, checkpoints: None }, None));
        };
        let place = CheckpointSettings { folder: place.folder.join(name), ..place.clone() };
        let facts = facts.iter().cloned().chain([("settings", settings)]).collect();
        let (checkpoints, state) = Checkpoints::open_on_first(self.ranks, &place, facts)?;
        Ok((Keeper { session: self, checkpoints }, state))
    }

    /// Runs a computation in parts, from its newest state if there is one, until the last part or cancellation. `part`
    /// returns the number of parts so far and whether it was the last.
    pub(crate) fn resume<V: Message, E: From<FitError>>(
        &self,
        name: &str,
        settings: String,
        begin: impl FnOnce() -> Result<V, E>,
        mut part: impl FnMut(&mut V) -> Result<(usize, bool), E>,
    ) -> Result<V, E> {
        let (mut keeper, state) = self.open(name, settings)?;
        let mut state = state.map_or_else(begin, Ok)?;
        loop {
            let (parts, last) = part(&mut state)?;
            let ends = last || self.is_cancelled_on_a_rank()?;
            keeper.save(parts, &state, ends);
            if ends {
                return Ok(state);
            }
        }
    }
}

/// Keeps the states of a computation that follows a fit, if the fit keeps its own.
#[derive(Debug)]
pub(crate) struct Keeper<'s> {
    session: &'s Session<'s>,
    checkpoints: Option<Checkpoints>,
}

impl Keeper<'_> {
    /// Writes the state after this number of parts: now, or if it is time to.
    pub(crate) fn save<V: Serialize + DeserializeOwned>(
        &mut self,
        parts: usize,
        state: &V,
        now: bool,
    ) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        if now {
            checkpoints.save_now(parts, state);
        } else {
            checkpoints.save(parts, state);
        }
        let failure = &mut *self.session.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone_from(&checkpoints.failure);
    }
}
