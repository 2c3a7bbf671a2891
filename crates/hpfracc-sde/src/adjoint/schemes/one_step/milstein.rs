use super::DifferentiableOneStepScheme;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{parts, write_sum};
use crate::{EulerMaruyama, Milstein, OneStep};
use hpfracc_lanes::{Rows, RowsMut};

/// With `b = x + h g` and `q = (dW^2 - h) / (2 h)` of the noise of each component:
///
/// ```text
/// bbar = g_x(b)^T (q lambda)                                   lambda = xbar_{n+1}
/// xbar_n = lambda + bbar + f_x^T (h lambda) + g_x^T ((dW - q) lambda + h bbar)
/// ```
///
/// The step has a difference in place of the derivative of g, so that its adjoint needs products
/// with first derivatives only. For additive noise it is that of [`EulerMaruyama`].
impl DifferentiableOneStepScheme for Milstein {
    /// Cotangents of drift and diffusion; unless noise is additive, g and b.
    fn adjoint_rows(of: &OneStep) -> usize {
        EulerMaruyama::adjoint_rows(of) + if of.additive { 0 } else { 2 * of.dim }
    }

    #[inline(always)]
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    ) {
        if of.additive {
            return EulerMaruyama::step_back(of, system, scratch, node);
        }
        let AdjointNode { t, x, dz, mut to, .. } = node;
        let (lanes, h, x) = (x.lanes(), T::narrow(of.h), x.as_rows());
        let size = of.dim * lanes;
        let [fbar, gbar, g, beside] = parts(scratch, [size; 4]);
        system.diffusion(t, x, RowsMut::new(g, lanes));
        write_sum(beside, x.as_slice(), h, g);
        // fbar takes lambda, and gbar the cotangent of g(b).
        let lambda = &mut *fbar;
        lambda.copy_from_slice(to.xbar.as_rows().as_slice());
        to.xbar.as_mut_slice().fill(T::zero());
        let scale = T::narrow(0.5 / of.h);
        for i in 0..of.dim {
            for (noise, row) in of.noise_kind.acting(i) {
                let row = row * lanes..(row + 1) * lanes;
                let each = gbar[row.clone()].iter_mut().zip(&lambda[row]).zip(&dz[noise]);
                for ((gbar, lambda), dz) in each {
                    *gbar = *lambda * (scale * (*dz * *dz - h));
                }
            }
        }
        let beside = Rows::new(&*beside, lanes);
        system.diffusion_vjp(t, beside, Rows::new(&*gbar, lanes), to.reborrow());
        for i in 0..of.dim {
            for (noise, row) in of.noise_kind.acting(i) {
                let row = row * lanes..(row + 1) * lanes;
                let bars = fbar[row.clone()].iter_mut().zip(&mut gbar[row]);
                let each = to.xbar[i].iter_mut().zip(bars).zip(&dz[noise]);
                for ((xbar, (fbar, gbar)), dz) in each {
                    *gbar = *fbar * *dz - *gbar + h * *xbar;
                    *xbar += *fbar;
                    *fbar *= h;
                }
            }
        }
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
