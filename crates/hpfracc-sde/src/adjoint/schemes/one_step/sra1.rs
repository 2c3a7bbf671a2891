use super::DifferentiableOneStepScheme;
use crate::adjoint::scheme::{add_of_diffusion, of_diffusion};
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{add, parts, write_scaled};
use crate::schemes::one_step::sra1::{tableau, write_stage};
use crate::system::diffusion;
use crate::{OneStep, Sra1};
use hpfracc_lanes::{Rows, RowsMut};

/// With the stage H of the step:
///
/// ```text
/// Hbar = f_x(H)^T (2/3 h lambda)                               lambda = xbar_{n+1}
/// xbar_n = lambda + Hbar + f_x^T (h/3 lambda + 3/4 h Hbar)
/// ```
///
/// and for the parameters the cotangents of g at both ends,
/// `lambda dW + (3/2 Hbar - lambda) I_(1,0)/h` at t + h and `lambda I_(1,0)/h` at t.
impl DifferentiableOneStepScheme for Sra1 {
    /// Drift and its cotangent, the stage, lambda; diffusion at the end, a cotangent of diffusion.
    fn adjoint_rows(of: &OneStep) -> usize {
        4 * of.dim + 2 * of.noise_rows()
    }

    #[inline(always)]
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, mut to, .. } = node;
        let (lanes, x) = (x.lanes(), x.as_rows());
        let (size, noise) = (of.dim * lanes, of.noise_rows() * lanes);
        let [f, fbar, stage, lambda, g_end, gbar] =
            parts(scratch, [size, size, size, size, noise, noise]);
        let (dw, i10) = dz.as_slice().split_at(of.noises() * lanes);
        let (dw, i10) = (Rows::new(dw, lanes), Rows::new(i10, lanes));
        let scaled = |factor: f64| T::narrow(factor * of.h);
        let per_h = |factor: f64| T::narrow(factor / of.h);
        system.drift(t, x, RowsMut::new(f, lanes));
        diffusion(system, t + of.h, x, RowsMut::new(g_end, lanes));
        write_stage(of, stage, (x, f), (Rows::new(g_end, lanes), i10));
        lambda.copy_from_slice(to.xbar.as_rows().as_slice());
        to.xbar.as_mut_slice().fill(T::zero());
        let [first, second] = tableau::ALPHA.map(scaled);
        write_scaled(fbar, second, lambda);
        let (time, fbar_stage) = (t + tableau::A * of.h, Rows::new(&*fbar, lanes));
        system.drift_vjp(time, Rows::new(&*stage, lanes), fbar_stage, to.reborrow());
        // The stage is not needed any more, and takes the cotangent of g I_(1,0).
        let ([end, start], b) = (tableau::BETA_2.map(per_h), per_h(tableau::B));
        let stagebar = to.xbar.as_rows().as_slice();
        let each = fbar.iter_mut().zip(&mut *stage).zip(&*lambda).zip(stagebar);
        for (((fbar, noisebar), lambda), stagebar) in each {
            *fbar = first * *lambda + scaled(tableau::A) * *stagebar;
            *noisebar = end * *lambda + b * *stagebar;
        }
        let noisebar = Rows::new(&*stage, lanes);
        of_diffusion(of.noise_kind, Rows::new(lambda, lanes), dw, RowsMut::new(gbar, lanes));
        add_of_diffusion(of.noise_kind, noisebar, i10, RowsMut::new(gbar, lanes));
        add(to.xbar.as_mut_slice(), lambda);
        if !gbar.is_empty() {
            system.diffusion_vjp(t + of.h, x, Rows::new(&*gbar, lanes), to.reborrow());
        }
        write_scaled(stage, start, lambda);
        of_diffusion(of.noise_kind, Rows::new(stage, lanes), i10, RowsMut::new(gbar, lanes));
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
