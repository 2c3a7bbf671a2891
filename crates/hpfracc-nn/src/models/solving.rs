use super::error::in_range;
use super::{LANES, ModelError};
use crate::Scalar;
use hpfracc_sde::noise::Noise;
use hpfracc_sde::{
    DifferentiableStochasticSystem, Drift, Ensemble, EnsembleGradient, FractionalEulerMaruyama,
    GradientWorkspace, PathLoss, PathMemory, PrecompiledScheme, SdeError, StochasticGradient,
    StochasticProblem,
};
use ndarray::{Array3, ArrayView2};

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

    /// The scheme for components with memory, or without.
    fn scheme(&self, memory: bool) -> PrecompiledScheme {
        if memory {
            let scheme = FractionalEulerMaruyama::new(self.memory).drift(self.drift);
            PrecompiledScheme::FractionalEulerMaruyama(scheme)
        } else {
            PrecompiledScheme::EulerMaruyama
        }
    }
}

/// Paths to be solved.
pub(super) struct Job<'a, T> {
    /// Where each path starts.
    pub(super) starts: ArrayView2<'a, T>,
    /// Of the components, unless all are 1.
    pub(super) orders: Option<&'a [f64]>,
    pub(super) noise: &'a dyn Noise<T>,
    /// Nodes that are seen.
    pub(super) nodes: &'a [usize],
}

impl<T: Scalar> Job<'_, T> {
    fn problem<S: DifferentiableStochasticSystem<T>>(
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
    pub(super) fn paths<S: DifferentiableStochasticSystem<T>>(
        &self,
        solving: &Solving,
        system: S,
    ) -> Result<Array3<T>, SdeError> {
        let scheme = solving.scheme(self.orders.is_some());
        let problem = self.problem(solving, system)?;
        self.ensemble(solving)?.paths_precompiled(&problem, scheme, self.noise)
    }

    /// The gradient of a loss, and of each path's loss in its start where that is wanted.
    pub(super) fn gradient<S: DifferentiableStochasticSystem<T>>(
        &self,
        solving: &Solving,
        system: S,
        loss: &dyn PathLoss<T>,
        wanted: Wanted,
        workspace: &GradientWorkspace<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        let mut gradient = EnsembleGradient::new(self.ensemble(solving)?);
        if wanted.starts {
            gradient = gradient.with_each_path();
        }
        if self.orders.is_none() {
            gradient = match solving.checkpoints {
                Checkpoints::All => gradient,
                Checkpoints::Sqrt => {
                    gradient.in_segments_of((solving.steps as f64).sqrt().ceil() as usize)
                }
                Checkpoints::Binomial { states } => gradient.with_checkpoints(states),
            };
        } else if wanted.orders {
            gradient = gradient.with_orders();
        }
        let (problem, scheme) =
            (self.problem(solving, system)?, solving.scheme(self.orders.is_some()));
        gradient.solve_precompiled(workspace, &problem, scheme, self.noise, loss)
    }
}

/// What is wanted besides the gradient in the parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) orders: bool,
    pub(super) starts: bool,
}
