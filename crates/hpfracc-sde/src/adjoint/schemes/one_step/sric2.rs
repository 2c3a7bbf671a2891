use super::DifferentiableOneStepScheme;
use crate::adjoint::scheme::of_diffusion;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{add, add_scaled, parts, write_scaled, write_sum};
use crate::schemes::one_step::sric2::{columns, integral, moving, write_apart};
use crate::system::coefficients;
use crate::{OneStep, Sric2};
use hpfracc_lanes::{Rows, RowsMut};

/// With the stages `H_k^+- = P +- a_k` of the step, and `e_k` of a matrix its column k:
///
/// ```text
/// s_k^+- = +- g_x(t+h, H_k^+-)^T (sqrt(h)/2 lambda e_k^T)      lambda = xbar_{n+1}
/// Pbar   = f_x(P)^T (h/2 lambda) + sum_k (s_k^+ + s_k^-),   abar_k = s_k^+ - s_k^-
/// xbar_n = lambda + Pbar + f_x^T (h/2 lambda + h Pbar)
///        + sum_l g_{l,x}^T (lambda dW_l + sum_k abar_k I_lk / sqrt(h))
/// ```
///
/// Without the stages where noise is additive.
impl DifferentiableOneStepScheme for Sric2 {
    /// Drift, the point P and its cotangent, lambda, a stage and its cotangent, its distance from P
    /// and the cotangent of that; diffusion, its cotangent and that at a stage.
    fn adjoint_rows(of: &OneStep) -> usize {
        8 * of.dim + 3 * of.noise_rows()
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
        let (h, half_h, end) = (T::narrow(of.h), T::narrow(0.5 * of.h), t + of.h);
        let (size, noise) = (of.dim * lanes, of.noise_rows() * lanes);
        let (points, scratch) = scratch.split_at_mut(8 * size);
        let [f, p, pbar, lambda, stage, stagebar, apart, apartbar] = parts(points, [size; 8]);
        let [g, gbar, gbar_stage] = parts(scratch, [noise; 3]);
        coefficients(system, t, x, (f, g));
        write_sum(p, x.as_slice(), h, f);
        let p = Rows::new(&*p, lanes);
        lambda.copy_from_slice(to.xbar.as_rows().as_slice());
        // f is not needed any more, and takes cotangents of the drift.
        let fbar = f;
        write_scaled(fbar, half_h, lambda);
        to.xbar.as_mut_slice().fill(T::zero());
        system.drift_vjp(end, p, Rows::new(&*fbar, lanes), to.reborrow());
        pbar.copy_from_slice(to.xbar.as_rows().as_slice());
        of_diffusion(of.noise_kind, Rows::new(lambda, lanes), dz, RowsMut::new(gbar, lanes));
        let columns = if of.additive || gbar.is_empty() { 0 } else { columns(of) };
        for k in 0..columns {
            write_apart(of, k, (Rows::new(&*g, lanes), dz), apart);
            apartbar.fill(T::zero());
            for sign in [1.0, -1.0] {
                let sign_and_weight = T::narrow(sign * 0.5 * of.h.sqrt());
                write_sum(stage, p.as_slice(), T::narrow(sign), apart);
                gbar_stage.fill(T::zero());
                let rows = gbar_stage.chunks_exact_mut(lanes).skip(k).step_by(columns);
                for (gbar, lambda) in rows.zip(lambda.chunks_exact(lanes)) {
                    write_scaled(gbar, sign_and_weight, lambda);
                }
                to.xbar.as_mut_slice().fill(T::zero());
                let (stage, bar) = (Rows::new(&*stage, lanes), Rows::new(&*gbar_stage, lanes));
                system.diffusion_vjp(end, stage, bar, to.reborrow());
                stagebar.copy_from_slice(to.xbar.as_rows().as_slice());
                add(pbar, stagebar);
                add_scaled(apartbar, T::narrow(sign), stagebar);
            }
            let apartbar = Rows::new(&*apartbar, lanes);
            for (i, row, [first, second]) in moving(of, k) {
                let integral = integral(of.h, [first, second]);
                let gbar = gbar[row * lanes..][..lanes].iter_mut();
                let each = gbar.zip(&apartbar[i]).zip(dz[first].iter().zip(&dz[second]));
                each.for_each(|((gbar, apartbar), (first, second))| {
                    *gbar += integral(*first, *second) * *apartbar;
                });
            }
        }
        add_scaled(fbar, h, pbar);
        write_sum(to.xbar.as_mut_slice(), lambda, T::one(), pbar);
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
