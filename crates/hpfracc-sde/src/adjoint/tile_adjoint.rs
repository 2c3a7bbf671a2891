use super::{
    AdjointNode, AdjointStepper, DifferentiableStochasticSystem, StartCotangents, StateRecovery,
};
use crate::Stepper;
use crate::ensemble::tile_stepper::{SystemStepper, TileState, TileStepper, of_type, state_or};
use crate::noise::Gaussian;
use crate::rows::not_finite;
use hpfracc_lanes::RowsMut;
use pulp::{Simd, WithSimd};

/// The forward and backward steps of a scheme on a system, behind a pointer: the part of a gradient
/// that is compiled for each system, scheme and instruction set.
pub(super) trait TileAdjoint<T: Gaussian>: Sync {
    /// The steps of the forward pass.
    fn forward(&self) -> &dyn TileStepper<T>;

    /// Number of parameters of the system.
    fn parameters(&self) -> usize;

    /// How the backward pass has the states.
    fn recovery(&self) -> StateRecovery;

    /// Rows stored for each step besides the state.
    fn kept_rows(&self) -> usize;

    /// Writes these rows, after the step.
    fn keep(&self, state: &mut TileState, kept: RowsMut<'_, T>);

    /// Makes `back` the state of the backward pass, from that at the end of the forward pass.
    fn start_back<'s>(
        &self,
        back: &'s mut Option<TileState>,
        end: &mut TileState,
        lanes: usize,
    ) -> &'s mut TileState;

    /// One step back; returns the index of the first cotangent and of the first derivative with
    /// respect to a parameter that are not finite.
    fn step_back(
        &self,
        back: &mut TileState,
        node: AdjointNode<'_, T>,
        xbar: &mut [T],
        thetabar: &mut [T],
    ) -> [Option<usize>; 2];

    /// The end of the backward pass, at the initial values.
    fn finish(
        &self,
        back: &mut TileState,
        node: AdjointNode<'_, T>,
        ends: StartCotangents<'_, T>,
        thetabar: &mut [T],
    );
}

/// The steps of a scheme on one system with their adjoints.
pub(super) struct SystemAdjoint<'a, S, P, A> {
    pub(super) forward: SystemStepper<'a, S, P>,
    pub(super) adjoint: A,
}

impl<T, S, P, A> TileAdjoint<T> for SystemAdjoint<'_, S, P, A>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    P: Stepper<T>,
    A: AdjointStepper<T, P>,
{
    fn forward(&self) -> &dyn TileStepper<T> {
        &self.forward
    }

    fn parameters(&self) -> usize {
        self.forward.system.parameters()
    }

    fn recovery(&self) -> StateRecovery {
        self.adjoint.states()
    }

    fn kept_rows(&self) -> usize {
        self.adjoint.kept_rows()
    }

    fn keep(&self, state: &mut TileState, kept: RowsMut<'_, T>) {
        self.adjoint.keep(of_type::<P::State>(state), kept);
    }

    fn start_back<'s>(
        &self,
        back: &'s mut Option<TileState>,
        end: &mut TileState,
        lanes: usize,
    ) -> &'s mut TileState {
        let (adjoint, end) = (&self.adjoint, &*of_type::<P::State>(end));
        state_or(back, || adjoint.start(end, lanes), |back| adjoint.restart(back, end, lanes))
    }

    fn step_back(
        &self,
        back: &mut TileState,
        node: AdjointNode<'_, T>,
        xbar: &mut [T],
        thetabar: &mut [T],
    ) -> [Option<usize>; 2] {
        let Self { forward, adjoint } = self;
        let (system, state) = (forward.system, of_type::<A::State>(back));
        forward.arch.dispatch(StepBack { adjoint, system, state, node, xbar, thetabar })
    }

    fn finish(
        &self,
        back: &mut TileState,
        node: AdjointNode<'_, T>,
        ends: StartCotangents<'_, T>,
        thetabar: &mut [T],
    ) {
        let Self { forward, adjoint } = self;
        let (system, state) = (forward.system, of_type::<A::State>(back));
        forward.arch.dispatch(Finish { adjoint, system, state, node, ends, thetabar });
    }
}

/// One step back of a tile.
struct StepBack<'s, T: Gaussian, S, P: Stepper<T>, A: AdjointStepper<T, P>> {
    adjoint: &'s A,
    system: &'s S,
    state: &'s mut A::State,
    node: AdjointNode<'s, T>,
    xbar: &'s mut [T],
    thetabar: &'s mut [T],
}

impl<T, S, P, A> WithSimd for StepBack<'_, T, S, P, A>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    P: Stepper<T>,
    A: AdjointStepper<T, P>,
{
    type Output = [Option<usize>; 2];

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) -> Self::Output {
        let Self { adjoint, system, state, node, xbar, thetabar } = self;
        let rows = RowsMut::new(xbar, node.dz.lanes());
        adjoint.step(system, state, node, rows, thetabar);
        [not_finite(xbar), not_finite(thetabar)]
    }
}

/// The end of the backward pass of a tile.
struct Finish<'s, T: Gaussian, S, P: Stepper<T>, A: AdjointStepper<T, P>> {
    adjoint: &'s A,
    system: &'s S,
    state: &'s mut A::State,
    node: AdjointNode<'s, T>,
    ends: StartCotangents<'s, T>,
    thetabar: &'s mut [T],
}

impl<T, S, P, A> WithSimd for Finish<'_, T, S, P, A>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    P: Stepper<T>,
    A: AdjointStepper<T, P>,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) {
        let Self { adjoint, system, state, node, ends, thetabar } = self;
        adjoint.finish(system, state, node, ends, thetabar);
    }
}
