use super::ModelError;
use super::checks::in_range;
use super::compiled::Vectorised;
use crate::Scalar;
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Gaussian, Noise, RowsMut};
use hpfracc_sde::{
    DifferentiableStochasticScheme, DifferentiableStochasticSystem, Drift, Ensemble,
    EnsembleGradient, EulerMaruyama, FractionalEulerMaruyama, GradientWorkspace, Layout, PathLoss,
    PathMemory, Paths, Saved, StochasticGradient, StochasticProblem, StochasticSystem,
};
use ndarray::{Array3, ArrayView2};
use std::sync::{Mutex, TryLockError};

/// Paths or samples of a tile. The number is fixed: stochastic layers draw for the lanes of a tile, and must
/// draw the same numbers wherever a path is recomputed.
pub(super) const LANES: usize = 64;

/// How the equation of a model is solved: from the time 0 on, by the scheme of Euler and Maruyama, or its
/// [fractional form](FractionalEulerMaruyama) where an order is not 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solving {
    /// The time at the last step.
    pub end: f64,
    /// Number of steps.
    pub steps: usize,
    /// What is kept for the way back, of equations without memory.
    pub checkpoints: Checkpoints,
    /// How a memory is summed.
    pub memory: PathMemory,
    /// How the drift of an equation with memory is integrated.
    pub drift: Drift,
}

/// Which states of an equation without memory are kept for the way back; others are computed again. All
/// give the same gradient, to the bit. An equation with memory keeps all its states.
///
/// They are kept for the 64 paths of a tile, on each thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Checkpoints {
    /// All: N of them.
    #[default]
    All,
    /// About 2 sqrt(N), for one more solve.
    Sqrt,
    /// So many at a time, at least 1, at the nodes from which the fewest steps are taken again: see
    /// [`with_checkpoints`](EnsembleGradient::with_checkpoints).
    Binomial {
        /// States that are kept at a time.
        states: usize,
    },
}

impl Solving {
    /// From 0 to `end` in so many steps; all else as usual.
    pub fn new(end: f64, steps: usize) -> Self {
        let (memory, drift) = (PathMemory::default(), Drift::default());
        Self { end, steps, checkpoints: Checkpoints::default(), memory, drift }
    }

    /// Refuses nodes behind the last step.
    pub(super) fn check(&self, nodes: &[usize]) -> Result<(), ModelError> {
        let last = nodes.last().copied().unwrap_or(0);
        let expected = "at most the number of steps";
        in_range(last <= self.steps, "an observed node", last as f64, expected)
    }

    /// The times of nodes.
    pub(super) fn times(&self, nodes: &[usize]) -> Vec<f64> {
        let h = self.end / self.steps as f64;
        nodes.iter().map(|node| *node as f64 * h).collect()
    }

    fn fractional(&self) -> FractionalEulerMaruyama {
        FractionalEulerMaruyama::new(self.memory).drift(self.drift)
    }
}

/// Paths to be solved.
pub struct Job<'a, T> {
    /// Where each path starts.
    pub(super) starts: ArrayView2<'a, T>,
    /// Of the components, unless all are 1.
    pub(super) orders: Option<&'a [f64]>,
    pub(super) noise: &'a dyn Noise<T>,
    /// Nodes that are seen.
    pub(super) nodes: &'a [usize],
}

impl<T: Scalar> Job<'_, T> {
    /// The values at the nodes, by path, node and component.
    pub(super) fn paths<S: DifferentiableStochasticSystem<T>>(
        &self,
        solving: &Solving,
        system: S,
    ) -> Result<Array3<T>, SdeError> {
        T::paths(self, solving, &Vectorised(system))
    }

    /// The gradient of a loss, and of each path's loss in its start where that is wanted.
    pub(super) fn gradient<S: DifferentiableStochasticSystem<T>>(
        &self,
        solving: &Solving,
        system: S,
        loss: &dyn PathLoss<T>,
        wanted: Wanted,
        kept: &Kept<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        T::gradient(self, solving, &Vectorised(system), loss, wanted, kept)
    }
}

impl<T: Gaussian> Job<'_, T> {
    fn problem<S: StochasticSystem<T>>(
        &self,
        solving: &Solving,
        system: S,
    ) -> Result<StochasticProblem<T, S>, SdeError> {
        let problem =
            StochasticProblem::with_starts(system, (0.0, solving.end), self.starts.view())?;
        if let Some(orders) = self.orders { problem.of_orders(orders) } else { Ok(problem) }
    }

    fn ensemble(&self, solving: &Solving) -> Result<Ensemble<'static>, SdeError> {
        let ensemble = Ensemble::new(self.starts.nrows(), solving.steps)?;
        ensemble.saving_nodes(self.nodes)?.in_tiles_of(LANES)
    }

    /// The values at the nodes, by path, node and component.
    pub(super) fn paths_of(
        &self,
        solving: &Solving,
        system: &dyn DifferentiableStochasticSystem<T>,
    ) -> Result<Array3<T>, SdeError> {
        let (problem, ensemble) = (self.problem(solving, system)?, self.ensemble(solving)?);
        if self.orders.is_some() {
            ensemble.solve(&problem, &solving.fractional(), &self.noise, &Paths)
        } else {
            ensemble.solve(&problem, &EulerMaruyama, &self.noise, &Paths)
        }
    }

    /// The gradient of a loss, and of each path's loss in its start where that is wanted.
    pub(super) fn gradient_of(
        &self,
        solving: &Solving,
        system: &dyn DifferentiableStochasticSystem<T>,
        loss: &dyn PathLoss<T>,
        wanted: Wanted,
        kept: &Kept<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        let (problem, ensemble) = (self.problem(solving, system)?, self.ensemble(solving)?);
        let mut gradient = EnsembleGradient::new(ensemble);
        if wanted.starts {
            gradient = gradient.with_each_path();
        }
        let loss = AnyLoss(loss);
        if self.orders.is_none() {
            let gradient = match solving.checkpoints {
                Checkpoints::All => gradient,
                Checkpoints::Sqrt => {
                    gradient.in_segments_of((solving.steps as f64).sqrt().ceil() as usize)
                }
                Checkpoints::Binomial { states } => gradient.with_checkpoints(states),
            };
            return kept.plain.with(|workspace| {
                gradient.solve_with(workspace, &problem, &EulerMaruyama, &self.noise, &loss)
            });
        }
        if wanted.orders {
            gradient = gradient.with_orders();
        }
        kept.fractional.with(|workspace| {
            gradient.solve_with(workspace, &problem, &solving.fractional(), &self.noise, &loss)
        })
    }
}

/// The memory of gradients, kept from one to the next.
#[derive(Debug, Default)]
pub struct Kept<T: Gaussian> {
    plain: Workspace<T, EulerMaruyama>,
    fractional: Workspace<T, FractionalEulerMaruyama>,
}

/// Of gradients by one scheme.
#[derive(Debug, Default)]
struct Workspace<T: Gaussian, C: DifferentiableStochasticScheme<T>>(Mutex<GradientWorkspace<T, C>>);

impl<T: Gaussian, C: DifferentiableStochasticScheme<T>> Workspace<T, C> {
    /// A gradient that is asked for while another one is computed has memory of its own: waiting, on a
    /// thread that the other one needs, might never end.
    fn with<R>(&self, use_of: impl FnOnce(&mut GradientWorkspace<T, C>) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut workspace) => use_of(&mut workspace),
            Err(TryLockError::Poisoned(workspace)) => use_of(&mut workspace.into_inner()),
            Err(TryLockError::WouldBlock) => use_of(&mut GradientWorkspace::new()),
        }
    }
}

/// What is wanted besides the gradient in the parameters.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub(super) orders: bool,
    pub(super) starts: bool,
}

/// Any loss: a solve is compiled once, not for each loss.
struct AnyLoss<'a, T>(&'a dyn PathLoss<T>);

impl<T: Gaussian> PathLoss<T> for AnyLoss<'_, T> {
    fn check(&self, layout: &Layout) -> Result<(), SdeError> {
        self.0.check(layout)
    }

    fn scale(&self, paths: usize) -> f64 {
        self.0.scale(paths)
    }

    fn evaluate(&self, saved: Saved<'_, T>, losses: &mut [T], xbar: RowsMut<'_, T>) {
        self.0.evaluate(saved, losses, xbar);
    }
}
