//! Many paths of one problem, and what is kept of them.

mod collect;
mod moments;
mod paths;

pub use collect::{Collect, Layout, Place};
pub use moments::{MeanAndCovariance, Moments, Sums};
pub use paths::Paths;

use super::{Equation, Stepper, StochasticProblem, StochasticScheme, StochasticSystem};
use crate::SolveError;
use crate::error::{out_of_range, same_length};
use crate::noise::{Gaussian, Law, Noise, Rows, RowsMut, Tile};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Many paths of one problem: how many, on which steps, and at which of them something is kept.
///
/// Tiles of paths that stay in the cache are solved from start to end, in one parallel region for the
/// whole solve, on the threads of the [`rayon`] pool that it is called in.
#[derive(Debug, Clone)]
pub struct Ensemble<'a> {
    paths: usize,
    first_path: u64,
    steps: usize,
    saved: Vec<usize>,
    cancelled: Option<&'a AtomicBool>,
    finished: Option<&'a AtomicUsize>,
}

/// Parts that the paths are divided into, whatever the number of threads.
const SHARDS: usize = 64;

/// Paths of a tile: enough for the widest registers to be kept busy, few enough for a cache.
const LANES: usize = 256;

/// Bytes of noise that a tile may hold.
const CACHE: usize = 1 << 22;

impl<'a> Ensemble<'a> {
    /// So many paths on so many equal steps; the end of the interval is saved.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`] for no path, or no step, or more than 2^32 - 1 steps.
    pub fn new(paths: usize, steps: usize) -> Result<Self, SolveError> {
        if paths == 0 {
            return Err(out_of_range("the number of paths", 0.0, "at least 1"));
        }
        if steps == 0 || steps > u32::MAX as usize {
            return Err(out_of_range("the number of steps", steps as f64, "1 to 2^32 - 1"));
        }
        let saved = vec![steps];
        Ok(Self { paths, first_path: 0, steps, saved, cancelled: None, finished: None })
    }

    /// Saves the nodes 0, `every`, 2 `every`, ..., and the last one.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`] if `every` is 0.
    pub fn saving_every(mut self, every: usize) -> Result<Self, SolveError> {
        if every == 0 {
            return Err(out_of_range("the distance of saved nodes", 0.0, "at least 1"));
        }
        self.saved = (0..self.steps).step_by(every).chain([self.steps]).collect();
        Ok(self)
    }

    /// The number of the first path: the noise of an ensemble is that of its paths' numbers.
    pub fn starting_at(self, first_path: u64) -> Self {
        Self { first_path, ..self }
    }

    /// Ends the solve soon after the flag is set, with [`SolveError::Cancelled`].
    pub fn cancelled_by(self, flag: &'a AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Counts the paths that are finished, for a progress bar.
    pub fn counting(self, finished: &'a AtomicUsize) -> Self {
        Self { finished: Some(finished), ..self }
    }

    /// Solves all paths and collects.
    ///
    /// # Errors
    /// [`SolveError::Length`] if the noise has another number of components than the system takes;
    /// [`SolveError::OtherCalculus`] or [`SolveError::RoughNoise`] if the scheme's limit does not solve the
    /// problem with this noise, and what the scheme itself does not take;
    /// [`SolveError::PathNotFinite`], which names path, step and time; [`SolveError::Cancelled`].
    pub fn solve<T, S, C, N, K>(
        &self,
        problem: &StochasticProblem<T, S>,
        scheme: &C,
        noise: &N,
        collector: &K,
    ) -> Result<K::Output, SolveError>
    where
        T: Gaussian,
        S: StochasticSystem<T>,
        C: StochasticScheme<T>,
        N: Noise<T>,
        K: Collect<T>,
    {
        let system = problem.system();
        let noises = system.coupling().noises(system.dim());
        same_length("the noise", noise.components(), noises)?;
        let (t0, h) = (problem.t0(), (problem.t1() - problem.t0()) / self.steps as f64);
        let layout = Layout {
            dim: system.dim(),
            first_path: self.first_path,
            paths: self.paths,
            times: self.saved.iter().map(|n| t0 + *n as f64 * h).collect(),
        };
        let laws: Vec<Law> = (0..noises).map(|component| noise.law(component)).collect();
        problem.admit(scheme.name(), scheme.calculus(), &laws)?;
        let stepper = scheme.prepare(&Equation {
            dim: system.dim(),
            coupling: system.coupling(),
            orders: problem.orders(),
            laws: &laws,
            additive: system.additive(),
            commutative: system.commutative(),
            steps: self.steps,
            h,
        })?;
        let room = CACHE / noise.bytes_per_path(self.steps).max(1);
        let most = LANES.min(room.next_multiple_of(16));
        let lanes = self.paths.div_ceil(SHARDS).next_multiple_of(16).min(most);
        let arch = Arch::new();
        let shards = (0..SHARDS).into_par_iter().map(|number| {
            let mut shard = collector.shard(&layout);
            for path in (number * lanes..self.paths).step_by(SHARDS * lanes) {
                if self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    return Err(SolveError::Cancelled);
                }
                let lanes = lanes.min(self.paths - path);
                let first_path = self.first_path + path as u64;
                let tile = Tile { first_path, lanes, steps: self.steps, h };
                let record = |time, x: Rows<'_, T>| {
                    collector.record(&mut shard, Place { path, time }, x);
                };
                let ensemble = self;
                let stepper = &stepper;
                arch.dispatch(Solve { ensemble, problem, stepper, noise, tile, record })?;
                if let Some(finished) = self.finished {
                    finished.fetch_add(lanes, Ordering::Relaxed);
                }
            }
            Ok(shard)
        });
        let shards = shards.collect::<Result<Vec<_>, _>>()?;
        Ok(collector.join(&layout, shards))
    }
}

/// One tile, from start to end.
struct Solve<'a, T, S, C, N, R> {
    ensemble: &'a Ensemble<'a>,
    problem: &'a StochasticProblem<T, S>,
    stepper: &'a C,
    noise: &'a N,
    tile: Tile,
    record: R,
}

impl<T, S, C, N, R> WithSimd for Solve<'_, T, S, C, N, R>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    C: Stepper<T>,
    N: Noise<T>,
    R: FnMut(usize, Rows<'_, T>),
{
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn with_simd<A: Simd>(self, _: A) -> Self::Output {
        let Self { ensemble, problem, stepper, noise, tile, mut record } = self;
        let Tile { lanes, h, .. } = tile;
        let system = problem.system();
        let (dim, coupling) = (system.dim(), system.coupling());
        let mut increments = noise.increments(tile, stepper.integrals())?;
        let start = problem.start().iter();
        let mut x: Vec<T> = start.flat_map(|x| std::iter::repeat_n(*x, lanes)).collect();
        let rows = coupling.noises(dim) + stepper.integrals().len();
        let mut dz = vec![T::zero(); rows * lanes];
        let mut state = stepper.start_tile(tile);
        let mut saved = ensemble.saved.iter().enumerate().peekable();
        for n in 0..=tile.steps {
            if let Some((time, _)) = saved.next_if(|(_, node)| **node == n) {
                record(time, Rows::new(&x, lanes));
            }
            if n == tile.steps {
                break;
            }
            increments.write(n, RowsMut::new(&mut dz, lanes));
            let t = problem.t0() + n as f64 * h;
            let (rows, dz) = (RowsMut::new(&mut x, lanes), Rows::new(&dz, lanes));
            stepper.step(system, &mut state, t, rows, dz);
            if let Some(failure) = stepper.failure(&state) {
                return Err(failure.error(tile, n, t));
            }
            check(&x, n, problem.t0(), tile)?;
        }
        Ok(())
    }
}

/// A value that is not finite ends the solve where it appears.
#[inline(always)]
fn check<T: Gaussian>(x: &[T], step: usize, t0: f64, tile: Tile) -> Result<(), SolveError> {
    // 0 x is 0 for numbers and NaN for all else. Sums side by side, as in a register.
    let mut sums = [T::zero(); 16];
    let parts = x.chunks_exact(sums.len());
    let mut sum = parts.remainder().iter().fold(T::zero(), |sum, &x| sum + x * T::zero());
    for part in parts {
        for (sum, &x) in sums.iter_mut().zip(part) {
            *sum += x * T::zero();
        }
    }
    sum = sums.iter().fold(sum, |sum, &lane| sum + lane);
    if sum == T::zero() {
        return Ok(());
    }
    let position = x.iter().position(|x| !x.widen().is_finite()).unwrap_or(0);
    Err(SolveError::PathNotFinite {
        path: tile.first_path + (position % tile.lanes) as u64,
        component: position / tile.lanes,
        step,
        t: t0 + (step + 1) as f64 * tile.h,
    })
}
