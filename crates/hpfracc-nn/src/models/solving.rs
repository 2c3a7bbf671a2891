use super::field::LANES;
use crate::checks::in_range;
use crate::{OutOfRange, Scalar};
use hpfracc_communicator::Ranks;
use hpfracc_lanes::Storage;
use hpfracc_sde::noise::Noise;
use hpfracc_sde::{
    DifferentiableStochasticSystem, Drift, Ensemble, EnsembleGradient, FractionalEulerMaruyama,
    GradientWorkspace, PathLoss, PathMemory, PrecompiledScheme, SdeError, StochasticGradient,
    StochasticProblem,
};
use ndarray::{Array3, ArrayView2};

/// Discretisation of a model's equation: the Euler-Maruyama scheme from time 0, or its
/// [fractional form](FractionalEulerMaruyama) if an order differs from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solving {
    /// Final time.
    pub end: f64,
    /// Number of steps.
    pub steps: usize,
    /// Checkpoints of the backward pass, for equations without memory.
    pub checkpoints: Checkpoints,
    /// Format of what the forward pass stores for the backward pass (mixed precision): states,
    /// activations of an encoder, and of equations with [direct](PathMemory::Direct) memory the
    /// cotangents of all later nodes. Losses are the same to the bit; gradients have a relative
    /// error of the order of the format's rounding. With [`checkpoints`](Self::checkpoints), which
    /// have full precision, there is nothing to save.
    ///
    /// In [`Storage::Float16`] cotangents below 3e-8 become 0, and
    /// [`Training::loss_scale`](crate::trainer::Training::loss_scale) avoids it. A state or an
    /// activation that is too large for the format is an error; a cotangent is one, too, which a
    /// smaller scale avoids: a trainer skips the step.
    pub storage: Storage,
    /// Evaluation of the memory of a fractional equation.
    pub memory: PathMemory,
    /// Quadrature of the drift of a fractional equation.
    pub drift: Drift,
}

/// States of an equation without memory that are stored for the backward pass; the others are
/// recomputed. The gradient is the same to the bit for all choices. An equation with memory stores
/// all its states.
///
/// States are stored for the 64 paths of a tile, on each thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Checkpoints {
    /// All N states.
    #[default]
    All,
    /// About 2 sqrt(N) states, for one further solve.
    Sqrt,
    /// A given number of states at a time, at least 1, at the nodes that minimise recomputation:
    /// see
    /// [`with_checkpoints`](EnsembleGradient::with_checkpoints).
    Binomial {
        /// States stored at a time.
        states: usize,
    },
}

impl Solving {
    /// From time 0 to `end` in `steps` steps, with default settings.
    pub fn new(end: f64, steps: usize) -> Self {
        let (memory, drift) = (PathMemory::default(), Drift::default());
        let (checkpoints, storage) = (Checkpoints::default(), Storage::default());
        Self { end, steps, checkpoints, storage, memory, drift }
    }

    /// Error for nodes after the last step.
    pub(super) fn check(&self, nodes: &[usize]) -> Result<(), OutOfRange> {
        let last = nodes.last().copied().unwrap_or(0);
        let expected = "at most the number of steps";
        in_range(last <= self.steps, "an observed node", last, expected)
    }

    /// Times of nodes.
    pub(super) fn times(&self, nodes: &[usize]) -> Vec<f64> {
        let h = self.end / self.steps as f64;
        nodes.iter().map(|node| *node as f64 * h).collect()
    }
}

/// The solve of an ensemble: initial values, orders, noise and saved nodes.
pub(super) struct PathSolve<'a, T> {
    pub(super) solving: &'a Solving,
    /// Initial values by path and component.
    pub(super) starts: ArrayView2<'a, T>,
    /// Orders of the components; none if all are 1.
    pub(super) orders: Option<&'a [f64]>,
    pub(super) noise: &'a dyn Noise<T>,
    /// Nodes that are saved.
    pub(super) nodes: &'a [usize],
    /// Ranks that share the paths.
    pub(super) ranks: Ranks<'a>,
}

/// Gradients besides that with respect to the parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct FurtherGradients {
    pub(super) orders: bool,
    pub(super) starts: bool,
}

impl<T: Scalar> PathSolve<'_, T> {
    fn problem<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: S,
    ) -> Result<StochasticProblem<T, S>, SdeError> {
        let interval = (0.0, self.solving.end);
        let problem = StochasticProblem::with_starts(system, interval, self.starts.view())?;
        if let Some(orders) = self.orders { problem.of_orders(orders) } else { Ok(problem) }
    }

    fn scheme(&self) -> PrecompiledScheme {
        let Solving { memory, drift, .. } = *self.solving;
        if self.orders.is_none() {
            return PrecompiledScheme::EulerMaruyama;
        }
        let scheme = FractionalEulerMaruyama::new(memory).drift(drift);
        PrecompiledScheme::FractionalEulerMaruyama(scheme)
    }

    fn ensemble(&self) -> Result<Ensemble<'_>, SdeError> {
        let ensemble = Ensemble::new(self.starts.nrows(), self.solving.steps)?;
        let ensemble = ensemble.saving_nodes(self.nodes)?.in_tiles_of(LANES)?;
        Ok(ensemble.over(self.ranks))
    }

    /// Values at the nodes, by path, node and component, on all ranks. Collective.
    pub(super) fn paths<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: S,
    ) -> Result<Array3<T>, SdeError> {
        let problem = self.problem(system)?;
        self.ensemble()?.paths_precompiled(&problem, self.scheme(), self.noise)
    }

    /// The gradient of a loss by the discrete adjoint method. Collective.
    pub(super) fn gradient<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: S,
        loss: &dyn PathLoss<T>,
        further: FurtherGradients,
        workspace: &GradientWorkspace<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        let gradient = EnsembleGradient::new(self.ensemble()?).without_errors();
        let mut gradient = gradient.stored_in(self.solving.storage);
        if further.starts {
            gradient = gradient.with_each_path();
        }
        if self.orders.is_none() {
            gradient = match self.solving.checkpoints {
                Checkpoints::All => gradient,
                Checkpoints::Sqrt => {
                    let steps = self.solving.steps as f64;
                    gradient.in_segments_of(steps.sqrt().ceil() as usize)
                }
                Checkpoints::Binomial { states } => gradient.with_checkpoints(states),
            };
        } else if further.orders {
            gradient = gradient.with_orders();
        }
        let problem = self.problem(system)?;
        gradient.solve_precompiled(workspace, &problem, self.scheme(), self.noise, loss)
    }
}
