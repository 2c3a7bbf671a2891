use crate::noise::{Gaussian, Tile};
use crate::rows::not_finite;
use crate::{MemoryRecurrence, SdeError, Step, Stepper, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut, vectorised};
use pulp::Arch;
use std::any::Any;

/// What a tile carries from step to step, of the type that its scheme has.
pub(crate) type TileState = Box<dyn Any + Send>;

/// A scheme's steps of a system behind a pointer: the one part of a solve that is compiled for each
/// system, scheme and instruction set.
pub(crate) trait TileStepper<T: Gaussian>: Send + Sync {
    /// Makes `state` that of a tile before its first step; reuses the memory of another tile's.
    fn start<'s>(&self, state: &'s mut Option<TileState>, tile: Tile) -> &'s mut TileState;

    /// See [`Stepper::recurrences`].
    fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>>;

    /// See [`Stepper::stop`].
    fn stop(&self, state: &mut TileState, lane: usize);

    /// Takes `x` over step `n` of a solve that starts at `t0`. Values of `stopped` paths may be
    /// anything; the list is empty where none can stop.
    ///
    /// # Errors
    /// [`SdeError::PathNotFinite`], and those of [`Stepper::failure`].
    fn step(
        &self,
        state: &mut TileState,
        at: (Tile, usize, f64),
        x: &mut [T],
        dz: &[T],
        stopped: &[bool],
    ) -> Result<(), SdeError>;
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
    fn start<'s>(&self, state: &'s mut Option<TileState>, tile: Tile) -> &'s mut TileState {
        let stepper = &self.stepper;
        started(state, |state| stepper.start(state, tile))
    }

    fn recurrences(&self) -> Option<Vec<Option<MemoryRecurrence<T>>>> {
        self.stepper.recurrences()
    }

    fn stop(&self, state: &mut TileState, lane: usize) {
        self.stepper.stop(of_type::<P::State>(state), lane);
    }

    fn step(
        &self,
        state: &mut TileState,
        (tile, n, t0): (Tile, usize, f64),
        x: &mut [T],
        dz: &[T],
        stopped: &[bool],
    ) -> Result<(), SdeError> {
        let Self { system, stepper, arch } = self;
        let state = of_type::<P::State>(state);
        let (t, lanes) = (t0 + n as f64 * tile.h, tile.lanes);
        let broken = vectorised(
            *arch,
            #[inline(always)]
            || {
                let step = Step { t, x: RowsMut::new(x, lanes), dz: Rows::new(dz, lanes) };
                stepper.step(*system, state, step);
                not_finite(x)
            },
        );
        match stepper.failure(state) {
            Some(failure) => Err(failure.error(tile, n, t)),
            None => finite(broken.and_then(|first| live(first, x, stopped)), n, t0, tile),
        }
    }
}

/// The first value that is not finite of a path that is not stopped, from this one on.
fn live<T: Gaussian>(first: usize, x: &[T], stopped: &[bool]) -> Option<usize> {
    if stopped.is_empty() {
        return Some(first);
    }
    let is_live = |position: usize| !stopped[position % stopped.len()];
    (first..x.len()).find(|position| is_live(*position) && !x[*position].widen().is_finite())
}

/// A value that is not finite ends the solve where it appears.
fn finite(broken: Option<usize>, step: usize, t0: f64, tile: Tile) -> Result<(), SdeError> {
    match broken {
        None => Ok(()),
        Some(position) => Err(SdeError::PathNotFinite {
            path: tile.first_path + (position % tile.lanes) as u64,
            component: position / tile.lanes,
            step,
            t: t0 + (step + 1) as f64 * tile.h,
        }),
    }
}
