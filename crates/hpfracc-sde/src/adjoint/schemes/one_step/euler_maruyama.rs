use super::DifferentiableOneStepScheme;
use crate::adjoint::scheme::of_diffusion;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::write_scaled;
use crate::{EulerMaruyama, OneStep};
use hpfracc_lanes::{Rows, RowsMut};

/// `xbar_n = xbar_{n+1} + f_x^T (h xbar_{n+1}) + sum_j g_{j,x}^T (xbar_{n+1} dZ_j)`
impl DifferentiableOneStepScheme for EulerMaruyama {
    /// Cotangents of drift and diffusion.
    fn adjoint_rows(of: &OneStep) -> usize {
        of.dim + of.noise_rows()
    }

    #[inline(always)]
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, to, .. } = node;
        let lanes = x.lanes();
        let (fbar, gbar) = scratch.split_at_mut(of.dim * lanes);
        write_scaled(fbar, T::narrow(of.h), to.xbar.as_rows().as_slice());
        of_diffusion(of.noise_kind, to.xbar.as_rows(), dz, RowsMut::new(gbar, lanes));
        vjp(system, t, x.as_rows(), (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
