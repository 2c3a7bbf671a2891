//! Ensembles: many paths of one problem, and the statistics collected from them.

mod checkpoint;
pub(super) mod collect;
mod over_ranks;
mod path_moments;
pub(super) mod path_tiles;
mod paths;
mod quantiles;
mod recorder;
pub(super) mod run;
pub(super) mod running_means;
pub(super) mod shards;
mod stops;
pub(super) mod tile_stepper;

pub use checkpoint::Checkpoint;
pub use collect::{
    BlockMoments, BucketCounts, Collect, Layout, PathStatistics, RecordIndex, SavedWords,
    StatisticsRequest,
};
pub use path_moments::{MeanAndCovariance, MomentSums, Moments, PairMoments};
pub use paths::{FirstPaths, Paths};
pub use quantiles::{QuantileTable, Quantiles, Sketch};
pub use recorder::PathRecorder;
pub(super) use recorder::Recorder;
pub use run::{Progress, Run};
pub use stops::{FirstPassage, FirstPassageTable, StopStatistics, StopTimes};

use super::{StochasticProblem, StochasticScheme, StochasticSystem};
use crate::SdeError;
use crate::checks::room_for;
use crate::error::{in_range, out_of_range};
use crate::noise::increments::check_steps;
use crate::noise::{Gaussian, Noise};
use crate::problem::ProblemData;
use hpfracc_communicator::Ranks;
use path_tiles::PathTiles;
use run::Watch;
use shards::GROUPS;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// An ensemble of paths of one problem: number of paths, number of steps, and saved nodes.
///
/// Tiles of paths that stay in the cache are solved from start to end, in one parallel region for
/// the whole solve, on the threads of the [`rayon`] pool that it is called in.
///
/// ```
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::{Ensemble, Moments, Quantiles};
///
/// let model = OrnsteinUhlenbeck::default();
/// let ensemble = Ensemble::new(2_000, 100)?.saving_every(50)?; // paths, steps; nodes 0, 50, 100
/// let quantiles = Quantiles::new(&[0.05, 0.95])?;
/// let (moments, table) =
///     model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &(Moments, quantiles))?;
/// assert_eq!(moments.times, [0.0, 0.5, 1.0]);
/// assert!((moments.mean[[2, 0]] - model.mean(1.0)).abs() < 0.05);
/// assert!(table.values[[2, 0, 0]] < table.values[[2, 0, 1]]);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ensemble<'a> {
    pub(super) paths: usize,
    pub(super) first_path: u64,
    pub(super) steps: usize,
    saved: SavedNodes,
    /// Paths per tile; `None` for the default.
    pub(super) lanes: Option<usize>,
    pub(super) watch: Watch<'a>,
}

/// The saved nodes.
#[derive(Debug, Clone)]
enum SavedNodes {
    /// The nodes 0, n, 2n, ..., and the last one.
    Every(usize),
    Nodes(Vec<usize>),
    /// Times, which must be nodes.
    Times(Vec<f64>),
}

impl<'a> Ensemble<'a> {
    /// `paths` paths on `steps` equal steps; the end of the interval is saved.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for no path, or no step, or more than 2^32 - 1 steps.
    pub fn new(paths: usize, steps: usize) -> Result<Self, SdeError> {
        in_range(paths > 0, "the number of paths", 0.0, "at least 1")?;
        check_steps(steps)?;
        let saved = SavedNodes::Nodes(vec![steps]);
        Ok(Self { paths, first_path: 0, steps, saved, lanes: None, watch: Watch::default() })
    }

    /// Saves the nodes 0, `every`, 2 `every`, ..., and the last one.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if `every` is 0.
    pub fn saving_every(mut self, every: usize) -> Result<Self, SdeError> {
        in_range(every > 0, "the distance of saved nodes", 0.0, "at least 1")?;
        self.saved = SavedNodes::Every(every);
        Ok(self)
    }

    /// Saves these nodes, counted from 0 at the start. No step is taken beyond the last of them.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if there is none, or one that is not above the one before it, or
    /// one beyond the last step.
    pub fn saving_nodes(mut self, nodes: &[usize]) -> Result<Self, SdeError> {
        rising("a saved node", nodes.iter().map(|node| *node as f64))?;
        let last = nodes.last().copied().unwrap_or(0);
        let expected = "at most the number of steps";
        in_range(last <= self.steps, "a saved node", last as f64, expected)?;
        self.saved = SavedNodes::Nodes(nodes.to_vec());
        Ok(self)
    }

    /// Saves these times, which have to be nodes, up to rounding: a solve refuses a time between
    /// nodes with [`SdeError::NotANode`], and two times at one node with [`SdeError::OutOfRange`].
    /// No step is taken beyond the last of them.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if there is none, or one that is not later than the one before it.
    pub fn saving_at(mut self, times: &[f64]) -> Result<Self, SdeError> {
        rising("a saved time", times.iter().copied())?;
        self.saved = SavedNodes::Times(times.to_vec());
        Ok(self)
    }

    /// Sets the number of the first path, which selects the noise of each path.
    pub fn starting_at(self, first_path: u64) -> Self {
        Self { first_path, ..self }
    }

    /// Sets the number of paths of a tile, which are solved together. The default is chosen so that
    /// noise, states and memory of a tile fit the cache. Sums over paths are rounded tile by tile,
    /// and coefficients are called tile by tile: systems that distinguish the lanes of a tile
    /// should set it.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for 0 paths; when solving, the errors of the collector for such
    /// tiles: [`PairMoments`] refuses an odd number that is less than all paths, which would cut a
    /// pair.
    pub fn in_tiles_of(self, paths: usize) -> Result<Self, SdeError> {
        in_range(paths > 0, "the number of paths of a tile", 0.0, "at least 1")?;
        Ok(Self { lanes: Some(paths), ..self })
    }

    /// Ends the solve soon after the flag is set, with [`SdeError::Cancelled`]: after 2^14
    /// path-steps at most, or after a noise that is made a tile at a time has made one.
    pub fn cancelled_by(mut self, flag: &'a AtomicBool) -> Self {
        self.watch.cancelled = Some(flag);
        self
    }

    /// Counts finished paths in `finished`.
    pub fn counting(mut self, finished: &'a AtomicUsize) -> Self {
        self.watch.finished = Some(finished);
        self
    }

    /// Calls `watched` with the progress, every 2^14 path-steps at least, from the thread that took
    /// them: tens of thousands of times a second, and several threads at a time.
    pub fn watched_by(mut self, watched: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.watch.watched = Some(watched);
        self
    }

    /// Solves the paths over ranks, each of which calls [`solve`](Self::solve) or [`Run::advance`] with the same ensemble:
    /// on threads, or over MPI.
    ///
    /// Shards of paths are dealt to the ranks that are free, and merged in their order: all ranks
    /// have the same result, with the bits of one process, whatever the number of ranks and
    /// threads. There are 64 shards of few paths and up to 8192 of many, from 16 tiles each on; more
    /// threads in all gain nothing. Each rank sends what the collector has of its shards, once,
    /// those of a group merged.
    /// [`EnsembleGradient`](crate::EnsembleGradient) deals shards evenly, and sums gradients over
    /// ranks.
    ///
    /// ```
    /// use hpfracc_communicator::run_threads;
    /// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
    /// use hpfracc_sde::{Ensemble, Moments, SdeError};
    ///
    /// let (model, ensemble) = (OrnsteinUhlenbeck::default(), Ensemble::new(5_000, 20)?);
    /// let alone = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
    /// let on_ranks = run_threads(3, |ranks| -> Result<_, SdeError> {
    ///     model.simulate::<f64, _>(&ensemble.clone().over(ranks), (0.0, 1.0), 7, &Moments)
    /// })?;
    /// assert!(on_ranks.iter().all(|moments| *moments == alone));
    /// # Ok::<(), SdeError>(())
    /// ```
    pub fn over<'b>(self, ranks: impl Into<Ranks<'b>>) -> Ensemble<'b>
    where
        'a: 'b,
    {
        let mut over: Ensemble<'b> = self;
        over.watch.ranks = ranks.into();
        over
    }

    /// Solves all paths and returns the result of the collector.
    ///
    /// # Errors
    /// Those of [`Ensemble::run`] and of [`Run::advance`].
    pub fn solve<T: Gaussian, K: Collect<T>>(
        &self,
        problem: &StochasticProblem<T, impl StochasticSystem<T>>,
        scheme: &impl StochasticScheme<T>,
        noise: &dyn Noise<T>,
        collector: &K,
    ) -> Result<K::Output, SdeError> {
        self.ranks().all_ok(self.run(problem, scheme, noise, collector))?.finish()
    }

    /// Ranks that solve the paths.
    pub(crate) fn ranks(&self) -> Ranks<'a> {
        self.watch.ranks
    }

    /// Prepares the solve of all paths, which can be interrupted and resumed.
    ///
    /// # Errors
    /// [`SdeError::Length`] if the noise has another number of components than the system takes, or
    /// if the problem has [initial values](StochasticProblem::with_starts) for another number of
    /// paths; [`SdeError::OtherCalculus`] or [`SdeError::RoughNoise`] if the scheme's limit does
    /// not solve the problem with this noise; the errors of the scheme and of the collector;
    /// [`SdeError::NotANode`]; [`SdeError::TooLarge`] for results, weights or states that exceed the
    /// available memory; [`SdeError::OutOfRange`] if numbers of paths end before the last path.
    pub fn run<'r, T: Gaussian, K: Collect<T>>(
        &self,
        problem: &'r StochasticProblem<T, impl StochasticSystem<T>>,
        scheme: &(impl StochasticScheme<T> + 'r),
        noise: &'r dyn Noise<T>,
        collector: &'r K,
    ) -> Result<Run<'r, T, K>, SdeError>
    where
        'a: 'r,
    {
        let (system, data) = (problem.system(), problem.data());
        let tiles = PathTiles::new((system, data), scheme, noise, (self.first_path, self.steps))?;
        let (layout, saved) = self.layout(data, system.dim())?;
        collector.admit(&layout)?;
        self.lanes.map_or(Ok(()), |paths| collector.admit_tiles(paths.min(layout.paths)))?;
        let lanes = self.lanes.unwrap_or_else(|| tiles.lanes(layout.paths, GROUPS));
        tiles.admit(layout.paths, lanes)?;
        Ok(Run::new((tiles, lanes), collector, (layout, saved), scheme.name(), self.watch))
    }

    /// The sizes of an ensemble of this problem, and its saved nodes.
    pub(super) fn layout<T: Gaussian>(
        &self,
        data: &ProblemData<T>,
        dim: usize,
    ) -> Result<(Layout, Vec<usize>), SdeError> {
        let (paths, first_path) = (self.paths, self.first_path);
        if first_path.checked_add(paths as u64).is_none() {
            let first = first_path as f64;
            return Err(out_of_range("the first path", first, "2^64 less the paths, at most"));
        }
        data.admit_paths(paths)?;
        let (t0, t1) = (data.t0, data.t1);
        let saved = self.nodes((t0, t1))?;
        let h = (t1 - t0) / self.steps as f64;
        let times = saved.iter().map(|node| t0 + *node as f64 * h).collect();
        let events = data.stops.len();
        Ok((Layout { dim, first_path, paths, times, events }, saved))
    }

    /// The saved nodes.
    fn nodes(&self, (t0, t1): (f64, f64)) -> Result<Vec<usize>, SdeError> {
        let times = match &self.saved {
            SavedNodes::Every(every) => {
                // A node and its time.
                let sizes = [self.steps / every + 2, size_of::<usize>() + size_of::<f64>()];
                room_for("the list of saved times", &sizes)?;
                return Ok((0..self.steps).step_by(*every).chain([self.steps]).collect());
            }
            SavedNodes::Nodes(nodes) => return Ok(nodes.clone()),
            SavedNodes::Times(times) => times,
        };
        let h = (t1 - t0) / self.steps as f64;
        let rounding = 4.0 * f64::EPSILON * t0.abs().max(t1.abs());
        let node = |&t: &f64| {
            let node = ((t - t0) / h).round().clamp(0.0, self.steps as f64);
            let nearest = t0 + node * h;
            let found = (t - nearest).abs() <= rounding;
            if found { Ok(node as usize) } else { Err(SdeError::NotANode { t, nearest }) }
        };
        let nodes = times.iter().map(node).collect::<Result<Vec<usize>, _>>()?;
        match nodes.windows(2).zip(&times[1..]).find(|(pair, _)| pair[0] == pair[1]) {
            None => Ok(nodes),
            Some((_, t)) => Err(out_of_range("a saved time", *t, "a node of its own")),
        }
    }
}

/// Refuses a list that is empty or does not rise.
fn rising(what: &'static str, list: impl Iterator<Item = f64>) -> Result<(), SdeError> {
    let mut before = None;
    for x in list {
        let rises = before.is_none_or(|before| x > before) && !x.is_nan();
        in_range(rises, what, x, "above the one before it")?;
        before = Some(x);
    }
    in_range(before.is_some(), "the number of saved times", 0.0, "at least 1")
}
