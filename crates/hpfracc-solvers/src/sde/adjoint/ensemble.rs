use super::estimate::TileMeans;
use super::tile::{Buffers, Plan, ThereAndBack};
use super::{
    AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem, Estimates,
    PathLoss, States,
};
use crate::SolveError;
use crate::error::out_of_range;
use crate::noise::{Gaussian, Noise, Tile};
use crate::sde::ensemble::run::SHARDS;
use crate::sde::ensemble::tile::{admitted, equation, lanes};
use crate::sde::{Ensemble, Progress, Stepper, StochasticProblem};
use ndarray::Array2;
use pulp::Arch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Gradients of a loss over an ensemble: what is wanted of them, and how much memory they take.
///
/// The noise is fixed: the paths are functions of the parameters, the start and the orders, and the
/// gradient is the derivative of what the scheme computes, exact to rounding. Each tile is solved, its
/// loss taken, and taken back with the same noise, which is made again and not kept: one parallel region
/// for everything, the same bits on any number of threads.
///
/// A tile keeps a state for each step, `dim` numbers for each path, or what
/// [`in_segments_of`](Self::in_segments_of) says; nothing for schemes that can be reversed.
#[derive(Debug, Clone)]
pub struct EnsembleGradient<'a> {
    ensemble: Ensemble<'a>,
    orders: bool,
    each_path: bool,
    segment: Option<usize>,
}

/// The gradient of a loss over an ensemble.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StochasticGradient<T> {
    /// The loss, one number.
    pub loss: Estimates,
    /// In each parameter.
    pub parameters: Estimates,
    /// In each component of the start.
    pub start: Estimates,
    /// In the order of each component; empty unless asked for.
    pub orders: Estimates,
    /// The largest distance of the start from what a scheme that computes its states back has found
    /// there; 0 for schemes that keep them. Rounding grows where paths diverge backwards.
    pub reconstruction: f64,
    /// Of each path's own loss in its start, by path and component, if asked for.
    pub starts: Option<Array2<T>>,
}

impl<'a> EnsembleGradient<'a> {
    /// Over this ensemble: gradients in parameters and start.
    pub fn new(ensemble: Ensemble<'a>) -> Self {
        Self { ensemble, orders: false, each_path: false, segment: None }
    }

    /// And in the orders, for schemes that have any.
    pub fn with_orders(self) -> Self {
        Self { orders: true, ..self }
    }

    /// And in the start of each path.
    pub fn with_each_path(self) -> Self {
        Self { each_path: true, ..self }
    }

    /// Keeps only the states from which segments of so many steps start; those within are computed again,
    /// segment by segment, at the price of one more solve. With N steps, segments of about `sqrt(N)` take
    /// the least memory, `2 sqrt(N)` states; N may be anything. For schemes without memory only.
    ///
    /// Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008,
    /// DOI 10.1137/1.9780898717761, chapter 12.
    pub fn in_segments_of(self, steps: usize) -> Self {
        Self { segment: Some(steps), ..self }
    }

    /// Solves, takes the loss, and goes back.
    ///
    /// # Errors
    /// Those of [`Ensemble::solve`]; [`SolveError::Length`] if the loss does not fit;
    /// [`SolveError::LossNotFinite`], [`SolveError::CotangentNotFinite`] and
    /// [`SolveError::ParameterGradientNotFinite`], which name paths, step and time;
    /// [`SolveError::OutOfRange`] for segments of no steps, or of a scheme that needs all its states.
    pub fn solve<T, S, C, N, L>(
        &self,
        problem: &StochasticProblem<T, S>,
        scheme: &C,
        noise: &N,
        loss: &L,
    ) -> Result<StochasticGradient<T>, SolveError>
    where
        T: Gaussian,
        S: DifferentiableStochasticSystem<T>,
        C: DifferentiableStochasticScheme<T>,
        N: Noise<T>,
        L: PathLoss<T>,
    {
        let Ensemble { paths, first_path, steps, watch, .. } = self.ensemble;
        let laws = admitted(problem, scheme, noise)?;
        let (system, equation) = (problem.system(), equation(problem, &laws, steps));
        let (layout, saved) = self.ensemble.layout(problem)?;
        loss.check(&layout)?;
        let stepper = scheme.prepare(&equation)?;
        let adjoint = scheme.adjoint(&equation, &stepper, self.orders)?;
        let last = saved.last().copied().unwrap_or(0);
        let segment = self.segment(adjoint.states(), last)?;
        let plan = Plan {
            problem,
            stepper: &stepper,
            adjoint: &adjoint,
            noise,
            loss,
            layout: &layout,
            saved: &saved,
            last,
            segment,
            orders: self.orders,
        };
        let states = segment + last.div_ceil(segment);
        let kept = if adjoint.states() == States::Reversed { 0 } else { states };
        let bytes = noise.bytes_per_path(steps)
            + stepper.bytes_per_path()
            + kept * system.dim() * size_of::<T>();
        let (h, lanes) = (equation.h, lanes(paths, SHARDS, bytes));
        let done = AtomicUsize::new(0);
        let sums = 1 + system.parameters() + system.dim() * if self.orders { 2 } else { 1 };
        let arch = Arch::new();
        let shards = (0..SHARDS).into_par_iter().map(|number| {
            let (mut means, mut starts) = (TileMeans::none(sums), Vec::new());
            let mut buffers = Buffers::new();
            for path in (number * lanes..paths).step_by(SHARDS * lanes) {
                if watch.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    return Err(SolveError::Cancelled);
                }
                let lanes = lanes.min(paths - path);
                let tile = Tile { first_path: first_path + path as u64, lanes, steps, h };
                let buffers = &mut buffers;
                arch.dispatch(ThereAndBack { plan: &plan, tile, path, buffers })?;
                means.add_tile(lanes, &buffers.sums);
                if self.each_path {
                    starts.push((path, lanes, buffers.start.clone()));
                }
                if let Some(finished) = watch.finished {
                    finished.fetch_add(lanes, Ordering::Relaxed);
                }
                if let Some(watched) = watch.watched {
                    let done = done.fetch_add(lanes, Ordering::Relaxed) + lanes;
                    watched(Progress { paths, share: done as f64 / paths as f64 });
                }
            }
            Ok(((means, buffers.apart), starts))
        });
        let (means, starts): (Vec<_>, Vec<_>) =
            shards.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let mut all = TileMeans::none(sums);
        let mut reconstruction = 0.0f64;
        for (means, apart) in &means {
            all.add(means);
            reconstruction = reconstruction.max(*apart);
        }
        let (scale, first) = (loss.scale(paths), 1 + system.parameters());
        Ok(StochasticGradient {
            loss: all.scaled(scale, 0..1),
            parameters: all.scaled(scale, 1..first),
            start: all.scaled(scale, first..first + system.dim()),
            orders: all.scaled(scale, first + system.dim()..sums),
            reconstruction,
            starts: self.each_path.then(|| by_path((paths, system.dim()), starts)),
        })
    }

    /// Steps between states that are kept.
    fn segment(&self, states: States, last: usize) -> Result<usize, SolveError> {
        let what = "the length of a segment";
        match self.segment {
            None => Ok(last.max(1)),
            Some(0) => Err(out_of_range(what, 0.0, "at least 1")),
            Some(steps) if states == States::Recomputed => Ok(steps.min(last.max(1))),
            Some(steps) => {
                let expected = "none: this scheme needs all its states, or none of them";
                Err(out_of_range(what, steps as f64, expected))
            }
        }
    }
}

/// The tiles of all shards side by side.
fn by_path<T: Gaussian>(
    shape: (usize, usize),
    tiles: Vec<Vec<(usize, usize, Vec<T>)>>,
) -> Array2<T> {
    let mut all = Array2::zeros(shape);
    for (path, lanes, rows) in tiles.into_iter().flatten() {
        for (component, row) in rows.chunks_exact(lanes).enumerate() {
            for (path, value) in (path..).zip(row) {
                all[[path, component]] = *value;
            }
        }
    }
    all
}
