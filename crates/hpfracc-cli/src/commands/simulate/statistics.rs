//! Simulation of an ensemble and its statistics.

use super::args::SimulateArgs;
use super::subject::Subject;
use crate::compute::{in_pool, interpolated_quantile};
use crate::memory;
use crate::output::Progress;
use crate::{Error, Ranks};
use hpfracc::EnsembleScalar;
use hpfracc::ndarray::{Array3, Axis};
use hpfracc::sde::{
    Collect, Ensemble, FirstPassage, FirstPassageTable, FirstPaths, MeanAndCovariance, Moments,
    PathStop, Paths, QuantileTable, Quantiles, StopTimes,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Number of paths in a picture.
const SHOWN_PATHS: usize = 6;
/// Quantile levels at the bounds of the bands of a picture.
pub(super) const FAN: [f64; 4] = [0.05, 0.25, 0.75, 0.95];
/// Number of values up to which quantiles are exact; above, they are sketched.
const EXACT_QUANTILES: u64 = 1 << 22;

/// Size of the ensemble and statistics to compute.
pub(super) struct Request {
    pub(super) paths: u64,
    pub(super) steps: usize,
    pub(super) t1: f64,
    every: usize,
    seed: u64,
    storage: Storage,
    /// Whether events stop paths.
    has_stops: bool,
    /// Whether the stop of each path is requested.
    each_stop: bool,
}

/// Storage for paths and quantiles, besides moments.
#[derive(Debug, Clone, PartialEq)]
enum Storage {
    Nothing,
    Everything,
    Sketch(Vec<f64>),
}

/// Statistics of an ensemble.
pub(super) struct Statistics {
    pub(super) moments: MeanAndCovariance,
    /// Indexed by path, observable and time.
    pub(super) first: Vec<Vec<Vec<f64>>>,
    stored: Stored,
    /// Stops by each event.
    pub(super) passage: Option<FirstPassageTable>,
    /// Stop of each path, if it is requested.
    pub(super) stops: Option<Vec<Option<PathStop>>>,
}

enum Stored {
    Nothing,
    /// Indexed by path, time and observable.
    Everything(Array3<f64>),
    Sketch(QuantileTable),
}

impl Request {
    pub(super) fn new(args: &SimulateArgs, subject: &Subject) -> Result<Self, Error> {
        let steps = args.steps.map_or(subject.steps(), |steps| steps as usize);
        let t1 = args.t1.unwrap_or(subject.t1());
        let (paths, every) = (args.paths, args.every as usize);
        let times = steps.div_ceil(every) as u64 + 1;
        let observables = subject.observables().len() as u64;
        let values = paths.saturating_mul(times).saturating_mul(observables);
        let fan = args.files.plot.iter().flat_map(|_| FAN);
        let levels: Vec<f64> = args.quantiles.iter().copied().chain(fan).collect();
        let storage = if !args.moments && args.quantiles.is_empty() {
            Storage::Everything
        } else if levels.is_empty() {
            Storage::Nothing
        } else if values <= EXACT_QUANTILES {
            Storage::Everything
        } else {
            Storage::Sketch(levels)
        };
        let (has_stops, each_stop) = (subject.events() > 0, args.stops.is_some());
        let request =
            Self { paths, steps, t1, every, seed: args.seed, storage, has_stops, each_stop };
        let what = format!("the ensemble of {paths} paths at {times} times");
        let instead = "--moments stores no paths, --every stores fewer times";
        memory::require(what, request.bytes(times, observables), instead)?;
        Ok(request)
    }

    /// Estimate of the memory: statistics of each shard, values, nodes of the solver and the text.
    fn bytes(&self, times: u64, observables: u64) -> u64 {
        // At least 16 paths a tile, and a tile a shard.
        let shards = self.paths.div_ceil(16).min(64);
        // Mean and covariance in two vectors, as sums and as results.
        let moments = (shards + 1).saturating_mul(112 + 8 * observables * (1 + observables));
        let shown = (SHOWN_PATHS as u64).min(self.paths) * (64 + 16 * observables);
        let stored = match &self.storage {
            Storage::Nothing => 0,
            // Values as recorded, as an array, in double precision, and as text.
            Storage::Everything => self.paths.saturating_mul(observables).saturating_mul(40),
            // Counts of eight octaves, 1 KiB each.
            Storage::Sketch(_) => shards.saturating_mul(observables).saturating_mul(8 << 10),
        };
        let text = 32 * (1 + observables * (2 + observables));
        let per_time = moments.saturating_add(shown + text).saturating_add(stored);
        // Nodes of the solver, and a tile of 16 paths on each thread.
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let per_step = 16 + threads * 16 * 8 * (2 + observables);
        // As recorded, as a list and as text.
        let stops = if self.each_stop { self.paths.saturating_mul(96) } else { 0 };
        let times = times.saturating_mul(per_time).saturating_add(stops);
        times.saturating_add((self.steps as u64).saturating_mul(per_step))
    }

    /// Whether quantiles are approximate, from a sketch.
    pub(super) fn sketched(&self) -> bool {
        matches!(self.storage, Storage::Sketch(_))
    }
}

impl Statistics {
    pub(super) fn simulate<T: EnsembleScalar>(
        subject: &Subject,
        request: &Request,
        progress: (&Progress, &Ranks),
    ) -> Result<Self, Error> {
        let passage = request.has_stops.then(FirstPassage::default);
        let stops = (passage, request.each_stop.then_some(StopTimes));
        let few = ((Moments, FirstPaths { paths: SHOWN_PATHS }), stops);
        let (((moments, first), (passage, stops)), stored) = match &request.storage {
            Storage::Nothing => {
                (collect::<T, _>(subject, request, &few, progress)?, Stored::Nothing)
            }
            Storage::Everything => {
                let (few, all) = collect::<T, _>(subject, request, &(few, Paths), progress)?;
                (few, Stored::Everything(all.mapv(|x| x.widen())))
            }
            Storage::Sketch(levels) => {
                let both = (few, Quantiles::new(levels)?);
                let (few, sketch) = collect::<T, _>(subject, request, &both, progress)?;
                (few, Stored::Sketch(sketch))
            }
        };
        Ok(Self { moments, first, stored, passage, stops })
    }

    /// All paths, if they are stored.
    pub(super) fn paths(&self) -> Option<&Array3<f64>> {
        match &self.stored {
            Stored::Everything(all) => Some(all),
            _ => None,
        }
    }

    /// Quantiles of an observable, indexed by level and time: linear interpolation of the order
    /// statistics at `(paths - 1) level`. Only requested levels are available.
    pub(super) fn quantiles(&self, observable: usize, levels: &[f64]) -> Vec<Vec<f64>> {
        let mut quantiles = vec![Vec::new(); levels.len()];
        for time in 0..self.moments.times.len() {
            let mut values = match &self.stored {
                Stored::Everything(all) => {
                    all.index_axis(Axis(1), time).column(observable).to_vec()
                }
                _ => Vec::new(),
            };
            values.sort_unstable_by(f64::total_cmp);
            for (series, level) in quantiles.iter_mut().zip(levels) {
                series.extend(match &self.stored {
                    Stored::Nothing => None,
                    Stored::Everything(_) => Some(interpolated_quantile(&values, *level)),
                    Stored::Sketch(table) => {
                        let known = table.probabilities.iter().position(|known| known == level);
                        known.map(|known| table.values[[time, observable, known]])
                    }
                });
            }
        }
        quantiles
    }
}

/// Period of the progress display.
const TICK: Duration = Duration::from_millis(100);

/// Simulates with a progress display.
fn collect<T: EnsembleScalar, K: Collect<T, Output: Send>>(
    subject: &Subject,
    request: &Request,
    collector: &K,
    (progress, ranks): (&Progress, &Ranks),
) -> Result<K::Output, Error> {
    let paths = usize::try_from(request.paths).unwrap_or(usize::MAX);
    let finished = AtomicUsize::new(0);
    let ensemble = Ensemble::new(paths, request.steps)?.saving_every(request.every)?;
    let ensemble = ensemble.counting(&finished).over(ranks.shared());
    let simulate = || -> Result<K::Output, Error> {
        subject.simulate::<T, K>(&ensemble, (request.t1, request.seed), collector)
    };
    progress.of_paths(request.paths);
    let outcome = thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        let finished = &finished;
        scope.spawn(move || {
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                progress.counted(finished.load(Ordering::Relaxed) as u64);
            }
        });
        let outcome = in_pool(simulate);
        drop(done);
        outcome
    });
    outcome?
}
