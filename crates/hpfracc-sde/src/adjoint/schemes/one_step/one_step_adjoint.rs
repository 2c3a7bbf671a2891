use crate::adjoint::scheme::without_orders;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery,
};
use crate::noise::Gaussian;
use crate::rows::zeros;
use crate::{Equation, OneStep, OneStepScheme, OneStepStepper, SdeError};
use hpfracc_lanes::{AlignedVec, Storage};
use std::marker::PhantomData;

/// A [`OneStepScheme`] with an adjoint: the transposed derivative of its step, for given noise.
///
/// A scheme that implements this trait is a [`DifferentiableStochasticScheme`]. Its adjoint
/// evaluates the stages of the step again, and needs x at each node, stored or recomputed from
/// checkpoints.
///
/// ```
/// use hpfracc_sde::noise::Gaussian;
/// use hpfracc_sde::{
///     AdjointNode, Calculus, DifferentiableOneStepScheme, DifferentiableStochasticSystem, OneStep,
///     OneStepScheme, Rows, StepStart, StochasticSystem,
/// };
///
/// /// Euler's scheme of equations without noise.
/// struct Euler;
///
/// impl OneStepScheme for Euler {
///     const NAME: &'static str = "euler";
///     const CALCULUS: Calculus = Calculus::Ito;
///
///     fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, _: &S, at: StepStart<'_, T>) {
///         let StepStart { mut x, f, .. } = at;
///         x.as_mut_slice().iter_mut().zip(f).for_each(|(x, f)| *x += T::narrow(of.h) * *f);
///     }
/// }
///
/// /// `xbar_n = xbar_{n+1} + f_x^T (h xbar_{n+1})`
/// impl DifferentiableOneStepScheme for Euler {
///     fn adjoint_rows(of: &OneStep) -> usize { of.dim }
///
///     fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
///         of: &OneStep,
///         system: &S,
///         scratch: &mut [T],
///         node: AdjointNode<'_, T>,
///     ) {
///         let AdjointNode { t, x, to, .. } = node;
///         let xbar = to.xbar.as_rows();
///         let pairs = scratch.iter_mut().zip(xbar.as_slice());
///         pairs.for_each(|(fbar, xbar)| *fbar = T::narrow(of.h) * *xbar);
///         system.drift_vjp(t, x.as_rows(), Rows::new(scratch, xbar.lanes()), to);
///     }
/// }
/// ```
pub trait DifferentiableOneStepScheme: OneStepScheme {
    /// Rows of scratch memory of a backward step.
    fn adjoint_rows(of: &OneStep) -> usize;

    /// Transforms `node.to.xbar`, the cotangent of x at t + h, to that at t, and adds to the
    /// cotangents of the parameters; `scratch` has [`adjoint_rows`](Self::adjoint_rows) rows with
    /// any contents.
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    );
}

impl<T: Gaussian, C: DifferentiableOneStepScheme> DifferentiableStochasticScheme<T> for C {
    type Adjoint = OneStepAdjoint<C>;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        _: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        without_orders(C::NAME, orders)?;
        Ok(OneStepAdjoint { of: OneStep::new(equation), scheme: PhantomData })
    }
}

/// Backward steps of a [`DifferentiableOneStepScheme`].
#[derive(Debug, Clone)]
pub struct OneStepAdjoint<C> {
    of: OneStep,
    scheme: PhantomData<fn() -> C>,
}

impl<T, C> AdjointStepper<T, OneStepStepper<C>> for OneStepAdjoint<C>
where
    T: Gaussian,
    C: DifferentiableOneStepScheme,
{
    /// Scratch memory of a step.
    type State = Vec<T>;
    const RECOVERY: StateRecovery = StateRecovery::Recomputed;

    fn start(&self, state: &mut Self::State, _: &AlignedVec<T>, lanes: usize, _: Storage) {
        zeros(state, C::adjoint_rows(&self.of) * lanes);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        C::step_back(&self.of, system, state, node);
    }
}
