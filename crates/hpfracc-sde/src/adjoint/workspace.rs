use super::estimate::TileMeans;
use super::tile::Work;
use super::{AdjointStepper, DifferentiableStochasticScheme};
use crate::noise::Gaussian;
use crate::{Stepper, StochasticScheme};
use std::sync::{Mutex, PoisonError};

/// The memory that gradients by a scheme are taken in, kept from call to call: for
/// [`EnsembleGradient::solve_with`](super::EnsembleGradient::solve_with).
///
/// It holds for each thread what one tile of paths needs, states, memories and sums, and for each of the
/// shards of an ensemble, 64 at most, sums over parameters, starts and orders; it grows to the largest
/// that was asked for. What it held before has no influence on a result.
pub struct GradientWorkspace<T: Gaussian, C: DifferentiableStochasticScheme<T>> {
    idle: Mutex<Vec<WorkOf<T, C>>>,
    pub(super) shards: Vec<ShardSums<T>>,
    pub(super) all: TileMeans,
}

type StepperOf<T, C> = <C as StochasticScheme<T>>::Stepper;
type AdjointOf<T, C> = <C as DifferentiableStochasticScheme<T>>::Adjoint;

/// What a tile works in.
pub(super) type WorkOf<T, C> = Work<
    T,
    <StepperOf<T, C> as Stepper<T>>::State,
    <AdjointOf<T, C> as AdjointStepper<T, StepperOf<T, C>>>::State,
>;

/// What is kept of the tiles of a shard.
#[derive(Debug, Default)]
pub(super) struct ShardSums<T> {
    pub(super) means: TileMeans,
    /// The largest distance of a start from where a reversed walk has ended.
    pub(super) apart: f64,
    /// Of each path, tile after tile, by component; empty unless asked for.
    pub(super) starts: Vec<T>,
}

impl<T: Gaussian, C: DifferentiableStochasticScheme<T>> GradientWorkspace<T, C> {
    /// Without any memory yet.
    pub fn new() -> Self {
        Self { idle: Mutex::default(), shards: Vec::new(), all: TileMeans::default() }
    }

    /// Lends what one thread works in, for as long as `with` runs.
    pub(super) fn lend<R>(idle: &Idle<T, C>, with: impl FnOnce(&mut WorkOf<T, C>) -> R) -> R {
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let work = lock().pop();
        let mut work = work.unwrap_or_else(Work::new);
        let result = with(&mut work);
        lock().push(work);
        result
    }

    /// What is lent, and what is summed into.
    pub(super) fn parts(&mut self) -> (&Idle<T, C>, &mut Vec<ShardSums<T>>, &mut TileMeans) {
        (&self.idle, &mut self.shards, &mut self.all)
    }
}

/// What no thread works in at present.
pub(super) type Idle<T, C> = Mutex<Vec<WorkOf<T, C>>>;

impl<T: Gaussian, C: DifferentiableStochasticScheme<T>> Default for GradientWorkspace<T, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Gaussian, C: DifferentiableStochasticScheme<T>> std::fmt::Debug
    for GradientWorkspace<T, C>
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GradientWorkspace")
            .field("shards", &self.shards.len())
            .finish_non_exhaustive()
    }
}
