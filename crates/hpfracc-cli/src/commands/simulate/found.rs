//! What is asked of an ensemble, and what is found.

use super::args::SimulateArgs;
use super::first::First;
use crate::Error;
use crate::compute::in_pool;
use crate::compute::interpolated_quantile;
use crate::error::SimulationError;
use crate::output::Progress;
use hpfracc::ndarray::{Array3, Axis};
use hpfracc::sde::SdeError;
use hpfracc::sde::models::{Definition, Named, Variate};
use hpfracc::sde::{
    Collect, Ensemble, MeanAndCovariance, Moments, Paths, QuantileTable, Quantiles,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Paths that a picture shows.
const SHOWN: usize = 6;
/// The ends of the bands of a picture.
pub(super) const FAN: [f64; 4] = [0.05, 0.25, 0.75, 0.95];
/// So many values are kept to take quantiles of; of more they are sketched.
const KEPT: u64 = 1 << 22;

/// What is asked for.
pub(super) struct Asked {
    pub(super) paths: u64,
    pub(super) steps: usize,
    pub(super) t1: f64,
    every: usize,
    seed: u64,
    keep: Keep,
}

/// What is kept besides moments.
#[derive(Debug, Clone, PartialEq)]
enum Keep {
    Nothing,
    Everything,
    Sketch(Vec<f64>),
}

/// What is found.
pub(super) struct Found {
    pub(super) moments: MeanAndCovariance,
    /// By path, observable and time.
    pub(super) first: Vec<Vec<Vec<f64>>>,
    kept: Kept,
}

enum Kept {
    Nothing,
    /// By path, time and observable.
    Everything(Array3<f64>),
    Sketch(QuantileTable),
}

impl Asked {
    pub(super) fn new(args: &SimulateArgs, definition: &Definition) -> Result<Self, Error> {
        let steps = args.steps.map_or(definition.usual.steps, |steps| steps as usize);
        let t1 = args.t1.unwrap_or(definition.usual.t1);
        let (paths, every) = (args.paths, args.every as usize);
        let times = steps.div_ceil(every) as u64 + 1;
        let observables = definition.observables.len() as u64;
        let values = paths.saturating_mul(times).saturating_mul(observables);
        let fan = args.plot.iter().flat_map(|_| FAN);
        let levels: Vec<f64> = args.quantiles.iter().copied().chain(fan).collect();
        let keep = if !args.moments && args.quantiles.is_empty() {
            // The values, as they are solved for and in double precision, and their text.
            let bytes = values.saturating_mul(40);
            let memory =
                RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
            let memory =
                System::new_with_specifics(memory).map_or(0, |system| system.total_memory());
            if memory > 0 && bytes > memory {
                return Err(SimulationError::TooMany { paths, times, bytes, memory }.into());
            }
            Keep::Everything
        } else if levels.is_empty() {
            Keep::Nothing
        } else if values <= KEPT {
            Keep::Everything
        } else {
            Keep::Sketch(levels)
        };
        Ok(Self { paths, steps, t1, every, seed: args.seed, keep })
    }

    /// Whether quantiles are within a relative error only.
    pub(super) fn sketched(&self) -> bool {
        matches!(self.keep, Keep::Sketch(_))
    }
}

impl Found {
    pub(super) fn simulate<T: Variate>(
        model: &Named,
        asked: &Asked,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let few = (Moments, First { paths: SHOWN });
        let ((moments, first), kept) = match &asked.keep {
            Keep::Nothing => (collect::<T, _>(model, asked, &few, progress)?, Kept::Nothing),
            Keep::Everything => {
                let (few, all) = collect::<T, _>(model, asked, &(few, Paths), progress)?;
                (few, Kept::Everything(all.mapv(|x| x.widen())))
            }
            Keep::Sketch(levels) => {
                let both = (few, Quantiles::new(levels)?);
                let (few, sketch) = collect::<T, _>(model, asked, &both, progress)?;
                (few, Kept::Sketch(sketch))
            }
        };
        Ok(Self { moments, first, kept })
    }

    /// All paths, if they were asked for.
    pub(super) fn paths(&self) -> Option<&Array3<f64>> {
        match &self.kept {
            Kept::Everything(all) => Some(all),
            _ => None,
        }
    }

    /// Quantiles of an observable, for each level a value for each time: between the two order
    /// statistics about the place `(paths - 1) level`, on a line. None but those asked for.
    pub(super) fn quantiles(&self, observable: usize, levels: &[f64]) -> Vec<Vec<f64>> {
        let mut found = vec![Vec::new(); levels.len()];
        for time in 0..self.moments.times.len() {
            let mut values = match &self.kept {
                Kept::Everything(all) => all.index_axis(Axis(1), time).column(observable).to_vec(),
                _ => Vec::new(),
            };
            values.sort_unstable_by(f64::total_cmp);
            for (series, level) in found.iter_mut().zip(levels) {
                series.extend(match &self.kept {
                    Kept::Nothing => None,
                    Kept::Everything(_) => Some(interpolated_quantile(&values, *level)),
                    Kept::Sketch(table) => {
                        let known = table.probabilities.iter().position(|known| known == level);
                        known.map(|known| table.values[[time, observable, known]])
                    }
                });
            }
        }
        found
    }
}

/// How often the progress is shown.
const TICK: Duration = Duration::from_millis(100);

/// Simulates, and shows how far it is.
fn collect<T: Variate, K: Collect<T, Output: Send>>(
    model: &Named,
    asked: &Asked,
    collector: &K,
    progress: &Progress,
) -> Result<K::Output, Error> {
    let paths = usize::try_from(asked.paths).unwrap_or(usize::MAX);
    let finished = AtomicUsize::new(0);
    let ensemble = Ensemble::new(paths, asked.steps)?.saving_every(asked.every)?;
    let ensemble = ensemble.counting(&finished);
    let simulate = || -> Result<K::Output, SdeError> {
        model.simulate::<T, K>(&ensemble, (0.0, asked.t1), asked.seed, collector)
    };
    progress.of_paths(asked.paths);
    let outcome = thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        let finished = &finished;
        scope.spawn(move || {
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                progress.solved(finished.load(Ordering::Relaxed) as u64);
            }
        });
        let outcome = in_pool(simulate);
        drop(done);
        outcome
    });
    Ok(outcome??)
}
