use super::DifferentiableOneStepScheme;
use crate::adjoint::scheme::of_diffusion;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{add_products, parts};
use crate::schemes::one_step::tamed_euler::write_largest;
use crate::{OneStep, TamedEuler};
use hpfracc_lanes::{Rows, RowsMut};

/// With `c = h / (1 + h |f|)`, whose derivative in |f| is -c^2, and the component m where |f| is
/// taken:
///
/// ```text
/// fbar_i = c lambda_i - [i = m] sign(f_m) c^2 sum_j lambda_j f_j        lambda = xbar_{n+1}
/// xbar_n = lambda + f_x^T fbar + g_x^T (lambda dZ)
/// ```
///
/// Where two components have the same size, the derivative is that of the first.
impl DifferentiableOneStepScheme for TamedEuler {
    /// Drift and its cotangent, that of the diffusion; |f| and its cotangent, and c.
    fn adjoint_rows(of: &OneStep) -> usize {
        2 * of.dim + of.noise_rows() + 3
    }

    #[inline(always)]
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, to, .. } = node;
        let (lanes, h, x) = (x.lanes(), T::narrow(of.h), x.as_rows());
        let (size, noise) = (of.dim * lanes, of.noise_rows() * lanes);
        let [f, fbar, gbar, largest, largest_bar, factor] =
            parts(scratch, [size, size, noise, lanes, lanes, lanes]);
        let lambda = to.xbar.as_rows();
        system.drift(t, x, RowsMut::new(f, lanes));
        write_largest(largest, f);
        largest_bar.fill(T::zero());
        for (i, f) in f.chunks_exact(lanes).enumerate() {
            add_products(largest_bar, f, &lambda[i]);
        }
        for ((factor, bar), largest) in factor.iter_mut().zip(&mut *largest_bar).zip(&*largest) {
            *factor = h / (T::one() + h * *largest);
            *bar = -(*factor * *factor * *bar);
        }
        let rows = f.chunks_exact(lanes).zip(fbar.chunks_exact_mut(lanes)).enumerate();
        for (i, (f, fbar)) in rows {
            let largest = largest.iter_mut().zip(&*largest_bar);
            let each = fbar.iter_mut().zip(f).zip(&lambda[i]).zip(&*factor).zip(largest);
            for ((((fbar, f), lambda), factor), (largest, bar)) in each {
                let here = f.abs() == *largest;
                *fbar = *factor * *lambda + if here { *bar * f.signum() } else { T::zero() };
                // The first one takes it all: no size is negative.
                *largest = if here { -T::one() } else { *largest };
            }
        }
        of_diffusion(of.noise_kind, lambda, dz, RowsMut::new(gbar, lanes));
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
