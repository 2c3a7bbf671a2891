use crate::adjoint::scheme::{of_diffusion, without_orders};
use crate::adjoint::system::vjp;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery,
};
use crate::noise::Gaussian;
use crate::rows::{write_scaled, zeros};
use crate::{Equation, EulerMaruyama, OneStep, OneStepStepper, SdeError, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// `xbar_n = xbar_{n+1} + f_x^T (h xbar_{n+1}) + sum_j g_{j,x}^T (xbar_{n+1} dZ_j)`
///
/// Needs x at each node, stored or recomputed from checkpoints.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for EulerMaruyama {
    type Adjoint = EulerMaruyamaAdjoint;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        _: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        without_orders(StochasticScheme::<T>::name(self), orders)?;
        Ok(EulerMaruyamaAdjoint { of: OneStep::new(equation) })
    }
}

/// Backward steps of [`EulerMaruyama`].
#[derive(Debug, Clone, Copy)]
pub struct EulerMaruyamaAdjoint {
    of: OneStep,
}

impl<T: Gaussian> AdjointStepper<T, OneStepStepper<EulerMaruyama>> for EulerMaruyamaAdjoint {
    /// Cotangents of drift and diffusion.
    type State = Vec<T>;
    const RECOVERY: StateRecovery = StateRecovery::Recomputed;

    fn start(&self, state: &mut Self::State, _: &Vec<T>, lanes: usize, _: Storage) {
        zeros(state, (self.of.dim + self.of.noise_rows()) * lanes);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, to, .. } = node;
        let lanes = x.lanes();
        let (fbar, gbar) = state.split_at_mut(self.of.dim * lanes);
        write_scaled(fbar, T::narrow(self.of.h), to.xbar.as_rows().as_slice());
        of_diffusion(self.of.noise_kind, to.xbar.as_rows(), dz, RowsMut::new(gbar, lanes));
        vjp(system, t, x.as_rows(), (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
