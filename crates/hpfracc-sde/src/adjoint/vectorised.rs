//! What of a tile's way back is compiled for each instruction set: the steps and what goes over rows, and
//! not the walk around them. Each has types of its own, because a closure within the walk would be compiled
//! for every system and scheme.

use super::{
    AdjointNode, AdjointStepper, DifferentiableStochasticSystem, PathLoss, SavedStates,
    StartCotangents,
};
use crate::Stepper;
use crate::ensemble::tile::not_finite;
use crate::noise::Gaussian;
use hpfracc_lanes::RowsMut;
use pulp::{Arch, Simd, WithSimd};

/// One step back, compiled for each instruction set, as a step there is. Gives where the first cotangent
/// and the first derivative in a parameter are that are not finite.
pub(super) struct StepBack<'s, T: Gaussian, S, F: Stepper<T>, A: AdjointStepper<T, F>> {
    pub(super) adjoint: &'s A,
    pub(super) system: &'s S,
    pub(super) state: &'s mut A::State,
    pub(super) node: AdjointNode<'s, T>,
    pub(super) xbar: &'s mut [T],
    pub(super) thetabar: &'s mut [T],
}

impl<T, S, F, A> WithSimd for StepBack<'_, T, S, F, A>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
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

/// The end of the way back, at the start.
pub(super) struct Finish<'s, T: Gaussian, S, F: Stepper<T>, A: AdjointStepper<T, F>> {
    pub(super) adjoint: &'s A,
    pub(super) system: &'s S,
    pub(super) state: &'s mut A::State,
    pub(super) node: AdjointNode<'s, T>,
    pub(super) ends: StartCotangents<'s, T>,
    pub(super) thetabar: &'s mut [T],
}

impl<T, S, F, A> WithSimd for Finish<'_, T, S, F, A>
where
    T: Gaussian,
    S: DifferentiableStochasticSystem<T>,
    F: Stepper<T>,
    A: AdjointStepper<T, F>,
{
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) {
        let Self { adjoint, system, state, node, ends, thetabar } = self;
        adjoint.finish(system, state, node, ends, thetabar);
    }
}

/// The losses of a tile.
pub(super) fn evaluate<T: Gaussian, L: PathLoss<T>>(
    arch: Arch,
    loss: &L,
    saved: SavedStates<'_, T>,
    (losses, xbar): (&mut [T], RowsMut<'_, T>),
) {
    arch.dispatch(
        #[inline(always)]
        || loss.evaluate(saved, losses, xbar),
    );
}

/// Adds row by row.
pub(super) fn add<T: Gaussian>(arch: Arch, to: &mut [T], what: &[T]) {
    arch.dispatch(
        #[inline(always)]
        || to.iter_mut().zip(what).for_each(|(to, what)| *to += *what),
    );
}

/// What some steps have added for the parameters goes on in double precision.
pub(super) fn gather<T: Gaussian>(arch: Arch, sums: &mut [f64], thetabar: &mut [T]) {
    arch.dispatch(
        #[inline(always)]
        || {
            for (sum, thetabar) in sums.iter_mut().zip(thetabar) {
                *sum += thetabar.widen();
                *thetabar = T::zero();
            }
        },
    );
}
