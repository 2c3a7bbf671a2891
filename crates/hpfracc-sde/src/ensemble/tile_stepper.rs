use crate::noise::{CellIntegral, Gaussian, Tile};
use crate::rows::not_finite;
use crate::{Step, StepFailure, Stepper, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut, vectorised};
use pulp::Arch;
use std::any::Any;

/// What a tile carries from step to step, of the type that its scheme has.
pub(crate) type TileState = Box<dyn Any + Send>;

/// A scheme's steps of a system behind a pointer: the one part of a solve that is compiled for each
/// system, scheme and instruction set.
pub(crate) trait TileStepper<T: Gaussian>: Send + Sync {
    /// Number of components.
    fn dim(&self) -> usize;

    /// Number of noises.
    fn noises(&self) -> usize;

    /// Integrals of the noise that a step takes after the increments.
    fn integrals(&self) -> &[CellIntegral];

    /// Memory of the scheme for each path.
    fn bytes_per_path(&self) -> usize;

    /// Makes `state` that of a tile before its first step; reuses the memory of another tile's.
    fn start<'s>(&self, state: &'s mut Option<TileState>, tile: Tile) -> &'s mut TileState;

    /// Takes `x` from t to t + h; returns the index of the first value that is not finite.
    fn step(
        &self,
        state: &mut TileState,
        t: f64,
        x: &mut [T],
        dz: Rows<'_, T>,
    ) -> Result<Option<usize>, StepFailure>;
}

/// A scheme's steps of one system.
pub(crate) struct SystemStepper<'a, S, P> {
    pub(crate) system: &'a S,
    pub(crate) stepper: P,
    pub(crate) arch: Arch,
}

impl<'a, S, P> SystemStepper<'a, S, P> {
    pub(crate) fn new(system: &'a S, stepper: P) -> Self {
        Self { system, stepper, arch: Arch::new() }
    }
}

/// Starts a state of type S, in the memory of an earlier one of the same type.
pub(crate) fn started<S: Any + Default + Send>(
    state: &mut Option<TileState>,
    start: impl FnOnce(&mut S),
) -> &mut TileState {
    state.take_if(|state| !state.is::<S>());
    let state = state.get_or_insert_with(|| Box::new(S::default()));
    start(of_type(state));
    state
}

/// The state as the type of the scheme that has started it.
pub(crate) fn of_type<S: Any>(state: &mut TileState) -> &mut S {
    state.downcast_mut().expect("a state goes back to the scheme that has started it")
}

impl<T, S, P> TileStepper<T> for SystemStepper<'_, S, P>
where
    T: Gaussian,
    S: StochasticSystem<T>,
    P: Stepper<T>,
{
    fn dim(&self) -> usize {
        self.system.dim()
    }

    fn noises(&self) -> usize {
        self.system.noise_kind().noises(self.system.dim())
    }

    fn integrals(&self) -> &[CellIntegral] {
        self.stepper.integrals()
    }

    fn bytes_per_path(&self) -> usize {
        self.stepper.bytes_per_path()
    }

    fn start<'s>(&self, state: &'s mut Option<TileState>, tile: Tile) -> &'s mut TileState {
        let stepper = &self.stepper;
        started(state, |state| stepper.start(state, tile))
    }

    fn step(
        &self,
        state: &mut TileState,
        t: f64,
        x: &mut [T],
        dz: Rows<'_, T>,
    ) -> Result<Option<usize>, StepFailure> {
        let Self { system, stepper, arch } = self;
        let state = of_type::<P::State>(state);
        let broken = vectorised(
            *arch,
            #[inline(always)]
            || {
                let step = Step { t, x: RowsMut::new(x, dz.lanes()), dz };
                stepper.step(*system, state, step);
                not_finite(x)
            },
        );
        stepper.failure(state).map_or(Ok(broken), Err)
    }
}
