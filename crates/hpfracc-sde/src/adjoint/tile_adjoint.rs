use super::{AdjointNode, AdjointStepper, DifferentiableStochasticSystem};
use crate::Stepper;
use crate::ensemble::tile_stepper::{SystemStepper, TileState, TileStepper, of_type, started};
use crate::noise::Gaussian;
use crate::rows::not_finite;
use hpfracc_lanes::{RowsMut, Storage};

/// The forward and backward steps of a scheme on a system, behind a pointer: the part of a gradient
/// that is compiled for each system, scheme and instruction set.
pub(super) trait TileAdjoint<T: Gaussian>: Sync {
    /// The steps of the forward pass.
    fn forward(&self) -> &dyn TileStepper<T>;

    /// Writes the rows stored for each step besides the state, after the step.
    fn keep(&self, state: &mut TileState, kept: RowsMut<'_, T>);

    /// Makes `back` the state of the backward pass, from that at the end of the forward pass.
    fn start_back<'s>(
        &self,
        back: &'s mut Option<TileState>,
        end: &mut TileState,
        lanes: usize,
        storage: Storage,
    ) -> &'s mut TileState;

    /// One step back; returns the index of the first cotangent and of the first derivative with
    /// respect to a parameter that are not finite.
    fn step_back(&self, back: &mut TileState, node: AdjointNode<'_, T>) -> [Option<usize>; 2];

    /// The end of the backward pass, at the initial values.
    fn finish(&self, back: &mut TileState, node: AdjointNode<'_, T>, orders: RowsMut<'_, T>);
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

    fn keep(&self, state: &mut TileState, kept: RowsMut<'_, T>) {
        self.adjoint.keep(of_type::<P::State>(state), kept);
    }

    fn start_back<'s>(
        &self,
        back: &'s mut Option<TileState>,
        end: &mut TileState,
        lanes: usize,
        storage: Storage,
    ) -> &'s mut TileState {
        let (adjoint, end) = (&self.adjoint, &*of_type::<P::State>(end));
        started(back, |back| adjoint.start(back, end, lanes, storage))
    }

    fn step_back(&self, back: &mut TileState, node: AdjointNode<'_, T>) -> [Option<usize>; 2] {
        let Self { forward, adjoint } = self;
        let (system, state) = (forward.system, of_type::<A::State>(back));
        let AdjointNode { t, x, dz, kept, mut to } = node;
        forward.arch.dispatch(
            #[inline(always)]
            || {
                let node = AdjointNode { t, x, dz, kept, to: to.reborrow() };
                adjoint.step(system, state, node);
                [not_finite(to.xbar.as_rows().as_slice()), not_finite(to.thetabar)]
            },
        )
    }

    fn finish(&self, back: &mut TileState, node: AdjointNode<'_, T>, orders: RowsMut<'_, T>) {
        let Self { forward, adjoint } = self;
        let (system, state) = (forward.system, of_type::<A::State>(back));
        forward.arch.dispatch(
            #[inline(always)]
            || adjoint.finish(system, state, node, orders),
        );
    }
}
