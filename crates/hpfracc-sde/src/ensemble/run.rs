use super::path_tiles::{Observer, PathTiles};
use super::shards::Shards;
use super::shards::{Merged, Part};
use super::{Collect, Layout, RecordIndex};
use crate::SdeError;
use crate::noise::Gaussian;
use hpfracc_communicator::{Ranks, Tally};
use hpfracc_lanes::Rows;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;
use web_time::Instant;

/// The solve of an ensemble, which can be interrupted, saved and resumed.
///
/// Made by [`Ensemble::run`](super::Ensemble::run). Its result has the same bits however often it
/// was interrupted.
///
/// ```
/// use hpfracc_sde::noise::Brownian;
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_sde::{
///     NoiseKind, Ensemble, EulerMaruyama, Moments, StochasticProblem, StochasticSystem,
/// };
/// use std::time::Duration;
///
/// struct Decay;
///
/// impl StochasticSystem<f64> for Decay {
///     fn dim(&self) -> usize { 1 }
///     fn noise_kind(&self) -> NoiseKind { NoiseKind::Diagonal }
///     fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
///         f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
///     }
///     fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
///         g[0].fill(0.5);
///     }
/// }
///
/// let problem = StochasticProblem::new(Decay, (0.0, 1.0), &[1.0])?;
/// let (noise, ensemble) = (Brownian::new(7, 1)?, Ensemble::new(1000, 100)?);
/// let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments)?;
/// while !run.advance_for(Duration::from_millis(1))? {
///     let _to_be_written_to_a_file = run.checkpoint();
/// }
/// let result = run.finish()?;
/// assert_eq!(result, ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<'a, T: Gaussian, K: Collect<T>> {
    pub(crate) tiles: PathTiles<'a, T>,
    pub(super) collector: &'a K,
    pub(crate) layout: Layout,
    /// The nodes that are saved.
    pub(crate) saved: Vec<usize>,
    /// Paths of a tile.
    pub(super) lanes: usize,
    pub(super) scheme: &'static str,
    pub(super) watch: Watch<'a>,
    pub(super) shards: Vec<Shard<K::Shard>>,
    pub(super) joined: Mutex<Merged<K::Shard>>,
    /// Paths times steps that are done.
    pub(super) done: AtomicU64,
    pub(super) fingerprint: OnceLock<u64>,
    /// The same of all ranks, if there are several.
    tally: Option<Tally<'a>>,
    /// Whether all ranks solve the same.
    pub(super) agreed: AtomicBool,
}

impl<T: Gaussian, K: Collect<T>> std::fmt::Debug for Run<'_, T, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let done = self.done.load(Ordering::Relaxed);
        f.debug_struct("Run")
            .field("layout", &self.layout)
            .field("done", &done)
            .finish_non_exhaustive()
    }
}

/// Progress of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Paths of the ensemble.
    pub paths: usize,
    /// Completed share of all paths times steps, from 0 to 1.
    pub share: f64,
}

/// Observers of a solve, cancellation, counter and progress callback, and its ranks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Watch<'a> {
    pub(crate) cancelled: Option<&'a AtomicBool>,
    pub(crate) finished: Option<&'a AtomicUsize>,
    pub(crate) watched: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(crate) ranks: Ranks<'a>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("cancelled", &self.cancelled).finish_non_exhaustive()
    }
}

/// A shard of the paths.
pub(super) struct Shard<S> {
    /// Locked by the thread that is solving it.
    solving: Mutex<()>,
    pub(super) state: Mutex<State<S>>,
}

/// Position and data of a shard. An interrupted tile is solved again from its start with the same
/// noise; nodes that were recorded are not recorded twice.
pub(super) struct State<S> {
    /// Tiles that are finished.
    pub(super) tiles: usize,
    /// Saved times of the next tile that are recorded.
    pub(super) times: usize,
    /// `None` before the first record and after merging.
    pub(super) data: Option<S>,
    /// Logarithm of the number of shards, from this one on, whose data are merged here.
    pub(super) level: u32,
}

/// A shard before its first tile.
impl<S> Default for State<S> {
    fn default() -> Self {
        Self { tiles: 0, times: 0, data: None, level: 0 }
    }
}

/// Conditions that end a call of [`Run::advance`] early.
pub(super) struct Call {
    /// Another shard has failed.
    pub(super) failed: AtomicBool,
    until: Option<Instant>,
    /// Tiles finished in this call.
    tiles: AtomicUsize,
}

impl Call {
    /// Whether no further tile is begun.
    pub(super) fn is_over(&self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        let some = self.tiles.load(Ordering::Relaxed) > 0;
        self.failed.load(Ordering::Relaxed) || (late && some)
    }
}

impl<'a, T: Gaussian, K: Collect<T>> Run<'a, T, K> {
    pub(super) fn new(
        (tiles, lanes): (PathTiles<'a, T>, usize),
        collector: &'a K,
        (layout, saved): (Layout, Vec<usize>),
        scheme: &'static str,
        watch: Watch<'a>,
    ) -> Self {
        let shards =
            std::iter::repeat_with(|| Shard { solving: Mutex::new(()), state: Mutex::default() });
        let count = Shards::many(layout.paths, lanes).count();
        Self {
            lanes,
            tiles,
            collector,
            layout,
            saved,
            scheme,
            watch,
            shards: shards.take(count).collect(),
            joined: Mutex::default(),
            done: AtomicU64::new(0),
            tally: watch.ranks.several().map(|_| Tally::new(watch.ranks)),
            fingerprint: OnceLock::new(),
            agreed: AtomicBool::new(false),
        }
    }

    /// Solves all remaining paths, except those that another thread is solving through this same
    /// call.
    ///
    /// Data collected before an error is preserved, and the solve can be resumed after
    /// [`SdeError::Cancelled`].
    ///
    /// # Errors
    /// [`SdeError::PathNotFinite`], which names path, step and time, of one of the paths that
    /// break; [`SdeError::Cancelled`].
    pub fn advance(&self) -> Result<(), SdeError> {
        self.go(None)
    }

    /// Solves for about `duration`, and finishes the tiles that were begun; returns true if all
    /// paths are solved.
    ///
    /// # Errors
    /// Those of [`Run::advance`].
    pub fn advance_for(&self, duration: Duration) -> Result<bool, SdeError> {
        self.go(Instant::now().checked_add(duration))?;
        Ok(lock(&self.joined).shards == self.shards.len())
    }

    /// Solves the remaining paths and returns the result.
    ///
    /// # Errors
    /// Those of [`Run::advance`].
    pub fn finish(self) -> Result<K::Output, SdeError> {
        self.advance()?;
        tracing::debug!(paths = self.layout.paths, scheme = self.scheme, "an ensemble is solved");
        let joined = self.joined.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all = joined.total.unwrap_or_else(|| self.collector.shard(&self.layout));
        Ok(self.collector.finish(&self.layout, all))
    }

    /// Progress of the solve: on rank 0 that of all ranks, those of others a little late.
    pub fn progress(&self) -> Progress {
        let all = self.layout.paths as f64 * self.last() as f64;
        let of_all = self.tally.as_ref().map_or(0, Tally::total);
        let done = self.done.load(Ordering::Relaxed).max(of_all);
        let share = done as f64 / all;
        Progress { paths: self.layout.paths, share: share.min(1.0) }
    }

    fn go(&self, until: Option<Instant>) -> Result<(), SdeError> {
        let (failed, tiles) = (AtomicBool::new(false), AtomicUsize::new(0));
        let call = Call { failed, until, tiles };
        let Progress { paths, share } = self.progress();
        tracing::debug!(
            paths,
            share,
            scheme = self.scheme,
            lanes = self.lanes,
            "an ensemble goes on"
        );
        if let Some(ranks) = self.watch.ranks.several() {
            return self.go_over(ranks, &call);
        }
        // Shards start in order, so that few of them wait for an earlier one before merging.
        let next = AtomicUsize::new(0);
        (0..self.shards.len()).into_par_iter().try_for_each(|_| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let shard = &self.shards[number];
            let solving = shard.solving.try_lock();
            if matches!(solving, Err(TryLockError::WouldBlock)) {
                return Ok(());
            }
            let end = self.solve_shard(number, &call);
            if end.is_err() {
                call.failed.store(true, Ordering::Relaxed);
            }
            self.join();
            end
        })
    }

    pub(super) fn solve_shard(&self, number: usize, call: &Call) -> Result<(), SdeError> {
        let shard = &self.shards[number];
        let first = lock(&shard.state).tiles;
        for tile in first..self.partition().tiles_of(number) {
            if call.is_over() {
                break;
            }
            let mut went = 0;
            if let Err(error) =
                self.solve_tile(self.partition().tile(number, tile), shard, call, &mut went)
            {
                self.done.fetch_sub(went, Ordering::Relaxed);
                // The shard that failed returns the error.
                return if call.failed.load(Ordering::Relaxed) { Ok(()) } else { Err(error) };
            }
            call.tiles.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn solve_tile(
        &self,
        (path, lanes): (usize, usize),
        shard: &Shard<K::Shard>,
        call: &Call,
        went: &mut u64,
    ) -> Result<(), SdeError> {
        let mut pause = |steps: usize| {
            *went += steps as u64;
            self.done.fetch_add(steps as u64, Ordering::Relaxed);
            self.tally.iter().for_each(|tally| tally.add(steps as u64));
            if let Some(watched) = self.watch.watched {
                watched(self.progress());
            }
            let cancelled = self.watch.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
            let ended = cancelled || call.failed.load(Ordering::Relaxed);
            if ended { Err(SdeError::Cancelled) } else { Ok(()) }
        };
        pause(0)?;
        let mut record = |time: usize, x: Rows<'_, T>| {
            let mut state = lock(&shard.state);
            if time >= state.times {
                let data = state.data.get_or_insert_with(|| self.collector.shard(&self.layout));
                self.collector.record(data, RecordIndex { path, time }, x);
                state.times = time + 1;
            }
        };
        let observer = Observer { record: &mut record, pause: &mut pause };
        let stops = self.tiles.solve((path, lanes), &self.saved, observer)?;
        let state = &mut *lock(&shard.state);
        if !stops.is_empty() {
            let data = state.data.get_or_insert_with(|| self.collector.shard(&self.layout));
            self.collector.record_stops(data, path, &stops);
        }
        (state.tiles, state.times) = (state.tiles + 1, 0);
        if let Some(finished) = self.watch.finished {
            finished.fetch_add(lanes, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Merges the shards that are finished, in order.
    pub(super) fn join(&self) {
        let mut joined = lock(&self.joined);
        while let Some(shard) = self.shards.get(joined.shards) {
            let mut state = lock(&shard.state);
            if state.tiles < self.partition().tiles_of(joined.shards) {
                break;
            }
            let part = Part { level: state.level, data: state.data.take() };
            joined.push(part, self.partition().depth, |a, b| self.collector.merge(a, b));
        }
    }

    /// The partition of the paths.
    pub(super) fn partition(&self) -> Shards {
        Shards::many(self.layout.paths, self.lanes)
    }

    /// The last node that is saved: no step is taken beyond.
    pub(super) fn last(&self) -> usize {
        self.saved.last().copied().unwrap_or(0).max(1)
    }
}

/// The data is consistent after every record: a lock poisoned by a panic elsewhere is usable.
pub(super) fn lock<S>(mutex: &Mutex<S>) -> MutexGuard<'_, S> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
