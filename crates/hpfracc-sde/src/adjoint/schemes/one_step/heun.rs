use super::DifferentiableOneStepScheme;
use crate::adjoint::scheme::of_diffusion;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{add_scaled, parts, write_scaled, write_sum};
use crate::system::coefficients;
use crate::{Heun, OneStep};
use hpfracc_lanes::{Rows, RowsMut};

/// With `e = x + h f + g dZ` the end of Euler's step, where drift and diffusion are f_e and g_e:
///
/// ```text
/// ebar = f_x(e)^T (h/2 lambda) + g_x(e)^T (lambda/2 dZ)            lambda = xbar_{n+1}
/// mu   = lambda/2 + ebar
/// xbar_n = lambda + ebar + f_x^T (h mu) + g_x^T (mu dZ)
/// ```
impl DifferentiableOneStepScheme for Heun {
    /// The end of Euler's step, mu, drift and its cotangent; diffusion and its cotangent.
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
        let (h, half) = (T::narrow(of.h), T::narrow(0.5));
        let (size, noise) = (of.dim * lanes, of.noise_rows() * lanes);
        let [end, mu, f, fbar, g, gbar] = parts(scratch, [size, size, size, size, noise, noise]);
        coefficients(system, t, x, (f, g));
        write_sum(end, x.as_slice(), h, f);
        of.add_noise(g, dz, &mut RowsMut::new(end, lanes));
        // mu = lambda / 2; f is not needed any more, and takes lambda.
        f.copy_from_slice(to.xbar.as_rows().as_slice());
        write_scaled(mu, half, f);
        to.xbar.as_mut_slice().fill(T::zero());
        let bars = |mu: &[T], fbar: &mut [T], gbar: &mut [T]| {
            write_scaled(fbar, h, mu);
            of_diffusion(of.noise_kind, Rows::new(mu, lanes), dz, RowsMut::new(gbar, lanes));
        };
        bars(mu, fbar, gbar);
        let both = (Rows::new(&*fbar, lanes), Rows::new(&*gbar, lanes));
        vjp(system, t + of.h, Rows::new(end, lanes), both, to.reborrow());
        // ebar is what was added.
        add_scaled(mu, T::one(), to.xbar.as_rows().as_slice());
        add_scaled(to.xbar.as_mut_slice(), T::one(), f);
        bars(mu, fbar, gbar);
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
