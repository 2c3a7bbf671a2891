use crate::SdeError;
use crate::adjoint::scheme::{of_diffusion, without_orders};
use crate::adjoint::system::diffusion_vjp;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StartCotangents, StateRecovery,
};
use crate::noise::Gaussian;
use crate::rows::zeros;
use crate::{Equation, EulerMaruyama, NoiseKind, OneStepStepper, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut};

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
        let Equation { dim, noise_kind, h, .. } = *equation;
        Ok(EulerMaruyamaAdjoint { dim, noise_kind, h })
    }
}

/// Backward steps of [`EulerMaruyama`].
#[derive(Debug, Clone, Copy)]
pub struct EulerMaruyamaAdjoint {
    dim: usize,
    noise_kind: NoiseKind,
    h: f64,
}

impl<T: Gaussian> AdjointStepper<T, OneStepStepper<EulerMaruyama>> for EulerMaruyamaAdjoint {
    /// Cotangents of drift and diffusion.
    type State = Vec<T>;

    fn states(&self) -> StateRecovery {
        StateRecovery::Recomputed
    }

    fn start(&self, _: &Vec<T>, lanes: usize) -> Self::State {
        vec![T::zero(); (self.dim + self.noise_kind.rows(self.dim)) * lanes]
    }

    fn restart(&self, state: &mut Self::State, _: &Vec<T>, lanes: usize) {
        zeros(state, (self.dim + self.noise_kind.rows(self.dim)) * lanes);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
        mut xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        let lanes = xbar.lanes();
        let (fbar, gbar) = state.split_at_mut(self.dim * lanes);
        let h = T::narrow(self.h);
        for (fbar, xbar) in fbar.iter_mut().zip(xbar.as_rows().as_slice()) {
            *fbar = h * *xbar;
        }
        of_diffusion(self.noise_kind, xbar.as_rows(), node.dz, RowsMut::new(gbar, lanes));
        let (fbar, gbar) = (Rows::new(fbar, lanes), Rows::new(gbar, lanes));
        system.drift_vjp(node.t, node.x.as_rows(), fbar, xbar.reborrow(), thetabar);
        diffusion_vjp(system, node.t, node.x.as_rows(), gbar, xbar, thetabar);
    }

    #[inline(always)]
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        _: &S,
        _: &mut Self::State,
        _: AdjointNode<'_, T>,
        _: StartCotangents<'_, T>,
        _: &mut [T],
    ) {
    }
}
