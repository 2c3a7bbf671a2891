use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery, Vjp,
};
use crate::noise::{Cell, Gaussian, TreeWalk};
use crate::rows::zeros;
use crate::schemes::adaptive::{AdaptiveState, AdaptiveStepper, Scratch, equation_of_level};
use crate::{Adaptive, Equation, PathwiseScheme, SdeError, Stepper, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// The adjoint of the accepted steps, which are held fixed: each is two steps of the scheme, whose
/// adjoints take the halves of the cell in the reverse order.
///
/// The steps are a piecewise constant function of parameters and initial values. Where they do not
/// change this is the exact derivative of the numerical solution; the jumps of the solution, where
/// they do, are within the tolerance and not part of it.
///
/// Needs x at each node of the ensemble, stored, and the level that each path tried first there:
/// from these the accepted steps are found again as in the forward pass, at its cost.
///
/// [`SdeError::NoDerivative`] for a scheme whose adjoint itself stores rows or reverses its steps. The
/// adjoint must take each step back from x at its start alone: its state is scratch memory, which
/// cells of any path use.
impl<'a, T, C> DifferentiableStochasticScheme<T> for Adaptive<'a, C>
where
    T: Gaussian,
    C: PathwiseScheme<T> + DifferentiableStochasticScheme<T>,
{
    type Adjoint = AdaptiveAdjoint<'a, C::Stepper, C::Adjoint>;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        _: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        let stepper = self.prepare(equation)?;
        let at_level = |(deeper, stepper): (u32, &C::Stepper)| {
            let equation = equation_of_level(equation, deeper);
            self.scheme.adjoint(&equation, stepper, orders)
        };
        let adjoints = (0..).zip(&stepper.steppers).map(at_level).collect::<Result<Vec<_>, _>>()?;
        let reversed = <C::Adjoint>::RECOVERY == StateRecovery::Reversed;
        if reversed || adjoints.iter().any(|adjoint| adjoint.kept_rows() > 0) {
            let reason = "adaptive steps take the adjoint of a scheme that needs the states alone";
            return Err(SdeError::NoDerivative { scheme: self.name(), reason });
        }
        Ok(AdaptiveAdjoint { stepper, adjoints })
    }
}

/// Backward steps of [`Adaptive`].
#[derive(Debug)]
pub struct AdaptiveAdjoint<'a, P, A> {
    stepper: AdaptiveStepper<'a, P>,
    /// By level, as the steppers.
    adjoints: Vec<A>,
}

/// State of a tile in the backward pass.
#[derive(Debug, Default)]
pub struct AdaptiveBack<T, Q, B> {
    walks: Vec<TreeWalk<T>>,
    /// The ensemble's steps that are not taken back yet.
    steps: u32,
    scratch: Scratch<T, Q>,
    /// States of the adjoints, by level.
    states: Vec<B>,
    /// The accepted cells of one path over one step of the ensemble, and x at their starts.
    accepted: Vec<[Cell; 2]>,
    starts: Vec<T>,
    /// The cotangent of one path.
    xbar: Vec<T>,
}

impl<T, P, A> AdjointStepper<T, AdaptiveStepper<'_, P>> for AdaptiveAdjoint<'_, P, A>
where
    T: Gaussian,
    P: Stepper<T>,
    A: AdjointStepper<T, P>,
{
    type State = AdaptiveBack<T, P::State, A::State>;
    const RECOVERY: StateRecovery = StateRecovery::Stored;

    /// From rounded states the steps that are found again would be others.
    fn storage(&self, _: Storage) -> Storage {
        Storage::Full
    }

    fn start(
        &self,
        state: &mut Self::State,
        end: &AdaptiveState<T, P::State>,
        _: usize,
        storage: Storage,
    ) {
        state.walks.clone_from(&end.walks);
        state.steps = end.steps;
        if let Some(tile) = end.tile {
            self.stepper.start_scratch(&mut state.scratch, tile);
        }
        state.states.resize_with(self.adjoints.len(), Default::default);
        let ends = &end.scratch.states;
        for ((adjoint, state), end) in self.adjoints.iter().zip(&mut state.states).zip(ends) {
            adjoint.start(state, end, 1, storage);
        }
        zeros(&mut state.xbar, self.stepper.dim);
    }

    /// The level that each path tried first in the step.
    fn kept_rows(&self) -> usize {
        1
    }

    fn keep(&self, state: &AdaptiveState<T, P::State>, mut kept: RowsMut<'_, T>) {
        for (kept, level) in kept[0].iter_mut().zip(&state.first) {
            *kept = T::narrow(f64::from(*level));
        }
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, kept, to, .. } = node;
        let Vjp { mut xbar, thetabar } = to;
        state.steps -= 1;
        let Ok(cell) = Cell::new(self.stepper.level, state.steps) else { return };
        let t0 = t - cell.start() * self.stepper.length;
        for lane in 0..x.lanes() {
            (0..self.stepper.dim).for_each(|i| state.scratch.x[i] = x[i][lane]);
            let first = kept[0][lane].widen() as u32;
            self.find_accepted(system, state, (lane, first), (cell, t0));
            (0..self.stepper.dim).for_each(|i| state.xbar[i] = xbar[i][lane]);
            self.take_back(system, state, (lane, t0), thetabar);
            (0..self.stepper.dim).for_each(|i| xbar[i][lane] = state.xbar[i]);
        }
    }
}

impl<P, A> AdaptiveAdjoint<'_, P, A> {
    /// The accepted cells of a path over a step of the ensemble, as in the forward pass.
    fn find_accepted<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut AdaptiveBack<T, P::State, A::State>,
        (lane, mut first): (usize, u32),
        (cell, t0): (Cell, f64),
    ) where
        P: Stepper<T>,
        A: AdjointStepper<T, P>,
    {
        let AdaptiveBack { walks, scratch, accepted, starts, .. } = state;
        accepted.clear();
        starts.clear();
        let note = |halves: [Cell; 2], x: &[T]| {
            accepted.push(halves);
            starts.extend_from_slice(x);
        };
        let walk = (&mut walks[lane], &mut first);
        let (again, _) = self.stepper.cross(system, walk, scratch, (cell, t0), note);
        debug_assert!(again.is_ok());
    }

    /// Transforms the cotangent of a path by its accepted cells, the last one first.
    fn take_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut AdaptiveBack<T, P::State, A::State>,
        (lane, t0): (usize, f64),
        thetabar: &mut [T],
    ) where
        P: Stepper<T>,
        A: AdjointStepper<T, P>,
    {
        let stepper = &self.stepper;
        let AdaptiveBack { walks, scratch, states, accepted, starts, xbar, .. } = state;
        let walk = &mut walks[lane];
        let cells = accepted.iter().zip(starts.chunks_exact(stepper.dim));
        for ([left, right], start) in cells.rev() {
            let time = |cell: &Cell| t0 + cell.start() * stepper.length;
            scratch.two.copy_from_slice(start);
            stepper.take(system, walk, scratch, (*left, time(left), true));
            // At the middle, and at the start.
            scratch.one.copy_from_slice(start);
            for cell in [right, left] {
                stepper.write_noise(walk, *cell, (&mut scratch.dz, &mut scratch.integrals));
                let level = (cell.level() - stepper.level) as usize;
                let node = AdjointNode {
                    t: time(cell),
                    x: RowsMut::new(&mut scratch.two, 1),
                    dz: Rows::new(&scratch.dz, 1),
                    kept: Rows::new(&[], 1),
                    to: Vjp { xbar: RowsMut::new(xbar, 1), thetabar },
                };
                self.adjoints[level].step(system, &mut states[level], node);
                scratch.two.copy_from_slice(&scratch.one);
            }
        }
    }
}
