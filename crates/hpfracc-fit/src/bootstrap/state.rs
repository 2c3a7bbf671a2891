use super::Resampling;
use super::resample::{Replicate, Resampler};
use crate::FitError;
use crate::data::Set;
use crate::found::{Found, Refit, RefitFailure};
use crate::minimise::Session;
use hpfracc_communicator::{Ranks, Tally};
use hpfracc_types::check_memory;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Refits to resampled data, between two of them, with their statistics.
///
/// It has a serde form, which is the complete state: a bootstrap that was written, read and continued has the same bits as
/// one that was not interrupted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    settings: Resampling,
    /// All parameters of the fit.
    pub(super) parameters: Vec<Original>,
    /// Number of residuals.
    data: u64,
    /// The first replicates.
    pub(super) refits: Vec<Outcome>,
}

/// Result of a refit.
type Outcome = Result<Refit, RefitFailure>;

/// Parameter of the fit whose data are resampled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Original {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) error: Option<f64>,
    pub(super) logarithmic: bool,
}

/// Cancellation, progress callback and ranks of a bootstrap.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Ranks that share the refits, for a fit whose ranks these are.
    pub ranks: Ranks<'a>,
    /// When set to true, the bootstrap ends after the current refits, of which some are left out.
    pub cancel: Option<&'a AtomicBool>,
    /// Called after each refit of this rank, from the thread that made it; rank 0 has the number of all.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

/// Progress of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Replicates so far.
    pub replicates: u32,
    /// Replicates in all.
    pub of: u32,
}

/// Refits of a thread between two looks at the cancellation of all.
const BATCH: usize = 16;

/// Refits between two looks at the cancellation, the same number on all ranks.
fn batch(ranks: Ranks<'_>) -> Result<u32, FitError> {
    let threads: usize = ranks.gather_to_all(&rayon::current_num_threads())?.into_iter().sum();
    Ok((BATCH * threads) as u32)
}

impl Found<'_> {
    /// Bootstrap with all replicates, or fewer if the fit's [flag](crate::Fit::cancel) cancels it.
    ///
    /// # Errors
    /// Those of [`Bootstrap::new`], and [`FitError::Checkpoint`].
    pub fn bootstrap(&self, settings: &Resampling) -> Result<Bootstrap, FitError> {
        self.bootstrap_watched(settings, &|_| ())
    }

    /// The same with a callback after each refit.
    ///
    /// # Errors
    /// As [`bootstrap`](Self::bootstrap).
    pub fn bootstrap_watched(
        &self,
        settings: &Resampling,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Bootstrap, FitError> {
        let Session { ranks, cancel, .. } = *self.session();
        let watch = Watch { ranks, cancel, progress: Some(progress) };
        let batch = batch(ranks)?;
        self.session().resume(
            "bootstrap",
            format!("{settings:?}"),
            || Bootstrap::new(self, settings),
            |bootstrap| {
                let last = bootstrap.advance(self, batch, watch)?;
                Ok((bootstrap.replicates() as usize, last))
            },
        )
    }
}

impl Bootstrap {
    /// Bootstrap of a fit, without replicates.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for no replicates, and for blocks longer than a set; [`FitError::Empty`] for a fit whose data
    /// do not determine its parameters; [`FitError::Memory`].
    pub fn new(found: &Found<'_>, settings: &Resampling) -> Result<Self, FitError> {
        if settings.replicates == 0 {
            let (what, expected) = ("the number of replicates", "at least 1");
            return Err(FitError::OutOfRange { what, value: 0.0, expected });
        }
        Resampler::new(found, settings)?;
        let parameters = originals(found);
        check_memory(3.0 * f64::from(settings.replicates) * parameters.len() as f64)?;
        let (settings, data) = (settings.clone(), found.data());
        Ok(Self { settings, parameters, data, refits: vec![] })
    }

    /// The settings.
    pub fn settings(&self) -> &Resampling {
        &self.settings
    }

    /// Replicates so far, with those that failed.
    pub fn replicates(&self) -> u32 {
        self.refits.len() as u32
    }

    /// True if there are all replicates.
    pub fn is_complete(&self) -> bool {
        self.replicates() == self.settings.replicates
    }

    /// Makes all refits that are missing; false if cancelled before.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn run(&mut self, found: &Found<'_>, watch: Watch<'_>) -> Result<bool, FitError> {
        self.advance(found, u32::MAX, watch)
    }

    /// Makes at most `replicates` further refits, in parallel on the threads of the [`rayon`] pool that it is called in; true
    /// if there are then all. The state can be saved after each call, and after cancellation.
    ///
    /// # Errors
    /// [`FitError::OtherFit`] for a bootstrap of another fit, and [`FitError::Source`] for data that cannot be read again.
    pub fn advance(
        &mut self,
        found: &Found<'_>,
        replicates: u32,
        watch: Watch<'_>,
    ) -> Result<bool, FitError> {
        self.check(found)?;
        let (settings, before) = (self.settings.clone(), self.replicates());
        let done = Tally::new(watch.ranks);
        let resampler = Resampler::new(found, &settings)?;
        let last = self.replicates().saturating_add(replicates).min(settings.replicates);
        let batch = batch(watch.ranks)?;
        let cancelled = || watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let refit = |replicate: u32| -> Result<Outcome, FitError> {
            if cancelled() {
                return Ok(Err(RefitFailure::Cancelled));
            }
            let refit = refit(found, &resampler.replicate(replicate), watch.cancel)?;
            done.add(1);
            let replicates = before + done.total() as u32;
            if let Some(progress) = watch.progress {
                progress(Progress { replicates, of: settings.replicates });
            }
            Ok(refit)
        };
        while self.replicates() < last && !watch.ranks.any(cancelled())? {
            let first = self.replicates();
            let count = (last - first).min(batch);
            let refits = watch.ranks.map(count as usize, |k| refit(first + k as u32))?;
            for refit in refits {
                if refit == Err(RefitFailure::Cancelled) {
                    break;
                }
                self.refits.push(refit);
            }
        }
        Ok(self.is_complete())
    }

    /// Refuses the state of another fit, and one whose lengths do not agree.
    fn check(&self, found: &Found<'_>) -> Result<(), FitError> {
        let refused =
            |what: &'static str| Err(FitError::OtherFit { state: "saved bootstrap", what });
        let now = originals(found);
        let names = |all: &[Original]| -> Vec<String> {
            all.iter().map(|original| original.name.clone()).collect()
        };
        if names(&self.parameters) != names(&now) {
            return refused("parameters");
        }
        if self.data != found.data() {
            return refused("data");
        }
        if self.parameters != now {
            return refused("estimates");
        }
        let lengths = |refit: &Refit| [refit.values.len(), refit.errors.len()];
        let consistent = |refit: &Outcome| match refit {
            Ok(refit) => lengths(refit) == [now.len(); 2],
            Err(failure) => *failure != RefitFailure::Cancelled,
        };
        if !(self.refits.iter().all(consistent) && self.replicates() <= self.settings.replicates) {
            return refused("replicates");
        }
        Ok(())
    }
}

fn originals(found: &Found<'_>) -> Vec<Original> {
    let parameters = found.layout().parameters().all.iter().zip(found.estimates());
    let original = |(parameter, estimate): (&crate::parameters::Parameter, crate::Estimate)| {
        let (name, value, error) = (estimate.name, estimate.value, estimate.standard_error);
        Original { name, value, error, logarithmic: parameter.declared.logarithmic }
    };
    parameters.map(original).collect()
}

fn refit(
    found: &Found<'_>,
    replicate: &Replicate,
    cancel: Option<&AtomicBool>,
) -> Result<Outcome, FitError> {
    let refit = match replicate {
        Replicate::Counts(counts) => {
            let present = counts.iter().zip(found.sets()).map(|(counts, set)| {
                counts.iter().filter(|count| **count > 0.0).count() * set.responses.len()
            });
            if present.sum::<usize>() <= found.layout().free().len() {
                return Ok(Err(RefitFailure::Undetermined));
            }
            found.refit(found.sets(), Some(counts), cancel)?
        }
        Replicate::Responses(responses) => {
            let mut sets: Vec<Set<'_>> = found.sets().to_vec();
            for (set, columns) in sets.iter_mut().zip(responses) {
                for ((column, _), other) in set.responses.iter_mut().zip(columns) {
                    *column = other.into();
                }
            }
            found.refit(&sets, None, cancel)?
        }
    };
    Ok(refit.map(|(refit, _)| refit))
}
