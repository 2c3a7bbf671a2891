//! What is asked of an ensemble, and what is found.

use super::SimulationRefused;
use super::args::SimulateArgs;
use super::first::First;
use crate::Error;
use crate::progress::Progress;
use hpfracc::Settings;
use hpfracc::ndarray::{Array3, Axis};
use hpfracc::solvers::SolveError;
use hpfracc::solvers::sde::models::{Definition, Named, Variate};
use hpfracc::solvers::sde::{Collect, Ensemble, MeanAndCovariance, Moments, Paths};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Paths that a picture shows.
const SHOWN: usize = 6;

/// What is asked for.
pub(super) struct Asked {
    pub(super) paths: u64,
    pub(super) steps: usize,
    pub(super) t1: f64,
    every: usize,
    seed: u64,
    /// Whether the values of all paths are needed.
    all: bool,
    threads: Option<usize>,
}

/// What is found.
pub(super) struct Found {
    pub(super) moments: MeanAndCovariance,
    /// By path, observable and time.
    pub(super) first: Vec<Vec<Vec<f64>>>,
    /// By path, time and observable; empty unless it was asked for.
    pub(super) all: Array3<f64>,
}

impl Asked {
    pub(super) fn new(args: &SimulateArgs, definition: &Definition) -> Result<Self, Error> {
        let steps = args.steps.map_or(definition.usual.steps, |steps| steps as usize);
        let t1 = args.t1.unwrap_or(definition.usual.t1);
        let every = args.every as usize;
        let all = !args.moments || !args.quantiles.is_empty() || args.plot.is_some();
        if all {
            let times = steps.div_ceil(every) as u64 + 1;
            // The values, as they are solved for and in double precision, and their text.
            let each = 40 * definition.observables.len() as u64;
            let bytes = args.paths.saturating_mul(times).saturating_mul(each);
            let memory =
                RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
            let memory =
                System::new_with_specifics(memory).map_or(0, |system| system.total_memory());
            if memory > 0 && bytes > memory {
                let paths = args.paths;
                return Err(SimulationRefused::TooMany { paths, times, bytes, memory }.into());
            }
        }
        let settings = Settings::from_env().map_err(Error::Environment)?;
        let threads = settings.threads.map(usize::from);
        Ok(Self { paths: args.paths, steps, t1, every, seed: args.seed, all, threads })
    }
}

impl Found {
    pub(super) fn simulate<T: Variate>(
        model: &Named,
        asked: &Asked,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let few = (Moments, First { paths: SHOWN });
        let (moments, first, all) = if asked.all {
            let ((moments, first), all) = collect::<T, _>(model, asked, &(few, Paths), progress)?;
            (moments, first, all.mapv(|x| x.widen()))
        } else {
            let (moments, first) = collect::<T, _>(model, asked, &few, progress)?;
            (moments, first, Array3::zeros((0, 0, 0)))
        };
        Ok(Self { moments, first, all })
    }

    /// Quantiles of an observable, for each level a value for each time: between the two order
    /// statistics about the place `(paths - 1) level`, on a line.
    pub(super) fn quantiles(&self, observable: usize, levels: &[f64]) -> Vec<Vec<f64>> {
        let mut found = vec![Vec::new(); levels.len()];
        for time in 0..self.moments.times.len() {
            let at_once = self.all.index_axis(Axis(1), time);
            let mut values = at_once.column(observable).to_vec();
            values.sort_unstable_by(f64::total_cmp);
            for (series, level) in found.iter_mut().zip(levels) {
                let place = (values.len() - 1) as f64 * level;
                let (below, above) = (place.floor() as usize, place.ceil() as usize);
                let share = place - place.floor();
                series.push(values[below] * (1.0 - share) + values[above] * share);
            }
        }
        found
    }
}

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
    let simulate = || -> Result<K::Output, SolveError> {
        model.simulate::<T, K>(&ensemble, (0.0, asked.t1), asked.seed, collector)
    };
    progress.of_paths(asked.paths);
    let outcome = thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        let finished = &finished;
        scope.spawn(move || {
            while waiting
                .recv_timeout(Duration::from_millis(100))
                .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                progress.solved(finished.load(Ordering::Relaxed) as u64);
            }
        });
        let outcome = match asked.threads {
            None => Ok(simulate()),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.map(|pool| pool.install(simulate))
            }
        };
        drop(done);
        outcome
    });
    let outcome = outcome.map_err(|e| SimulationRefused::Threads { reason: e.to_string() })?;
    Ok(outcome?)
}
