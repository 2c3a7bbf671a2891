use super::DifferentiableOneStepScheme;
use crate::adjoint::system::vjp;
use crate::adjoint::{AdjointNode, DifferentiableStochasticSystem};
use crate::noise::Gaussian;
use crate::rows::{add, add_scaled, parts, write_scaled};
use crate::schemes::one_step::sriw1::{tableau, weight, write_stage, write_stage_of_drift};
use crate::system::coefficients;
use crate::{OneStep, Sriw1};
use hpfracc_lanes::{Rows, RowsMut};

/// With the stages H_i and K of the step, the weights w_i of g(H_i) in X_{n+1}, and `lambda =
/// xbar_{n+1}`, from the last stage to the first:
///
/// ```text
/// Kbar  = f_x(K)^T (2/3 h lambda)
/// gbar_i = w_i lambda + sum_{j>i} b_ji sqrt(h) Hbar_j + [i = 1] 3/2 I_(1,0)/h Kbar
/// Hbar_i = g_x(H_i)^T gbar_i,   i = 4, 3, 2
/// xbar_n = lambda + Kbar + sum_i Hbar_i + f_x^T (h/3 lambda + 3/4 h Kbar + sum_i a_i h Hbar_i)
///        + g_x^T gbar_1
/// ```
impl DifferentiableOneStepScheme for Sriw1 {
    /// Drift and its cotangent, a stage, the cotangent of x; diffusion at three stages, and its
    /// cotangents at four.
    fn adjoint_rows(of: &OneStep) -> usize {
        11 * of.dim
    }

    #[inline(always)]
    fn step_back<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        of: &OneStep,
        system: &S,
        scratch: &mut [T],
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, mut to, .. } = node;
        let (lanes, h, x) = (x.lanes(), of.h, x.as_rows());
        let size = of.dim * lanes;
        let [f, fbar, stage, sum, g, gbar] =
            parts(scratch, [size, size, size, size, 3 * size, 4 * size]);
        let scaled = |factor: f64| T::narrow(factor * h);
        let (dw, i10) = dz.as_slice().split_at(of.noises() * lanes);
        let (dw, i10) = (Rows::new(dw, lanes), Rows::new(i10, lanes));
        let time = |part: f64| t + part * h;
        coefficients(system, t, x, (f, &mut g[..size]));
        for number in 1..3 {
            let (before, after) = g.split_at_mut(number * size);
            write_stage(number, h, stage, (x, f), before.chunks_exact(size));
            let g = RowsMut::new(&mut after[..size], lanes);
            system.diffusion(time(tableau::A_1[number]), Rows::new(&*stage, lanes), g);
        }
        let lambda = sum;
        lambda.copy_from_slice(to.xbar.as_rows().as_slice());
        let [first, second] = tableau::ALPHA.map(scaled);
        write_scaled(fbar, second, lambda);
        write_stage_of_drift(of, stage, (x, f), (&g[..size], i10));
        to.xbar.as_mut_slice().fill(T::zero());
        let (at, bar) = (Rows::new(&*stage, lanes), Rows::new(&*fbar, lanes));
        system.drift_vjp(time(tableau::A_0), at, bar, to.reborrow());
        write_scaled(fbar, first, lambda);
        add_scaled(fbar, scaled(tableau::A_0), to.xbar.as_rows().as_slice());
        for (number, gbar) in gbar.chunks_exact_mut(size).enumerate() {
            let weight = weight(number, h);
            for i in 0..of.dim {
                for (noise, row) in of.noise_kind.acting(i) {
                    let row = row * lanes..(row + 1) * lanes;
                    let noises = dw[noise].iter().zip(&i10[noise]);
                    let each = gbar[row.clone()].iter_mut().zip(&lambda[row]).zip(noises);
                    each.for_each(|((gbar, lambda), (dw, i10))| {
                        *gbar = weight(*dw, *i10) * *lambda;
                    });
                }
            }
        }
        let b = T::narrow(tableau::B_0 / h);
        for i in 0..of.dim {
            for (noise, row) in of.noise_kind.acting(i) {
                let gbar = gbar[row * lanes..][..lanes].iter_mut();
                let each = gbar.zip(&to.xbar[i]).zip(&i10[noise]);
                each.for_each(|((gbar, stagebar), i10)| *gbar += b * (*stagebar * *i10));
            }
        }
        let sum = lambda;
        add(sum, to.xbar.as_rows().as_slice());
        for number in (1..4).rev() {
            let (gbar_before, gbar) = gbar.split_at_mut(number * size);
            write_stage(number, h, stage, (x, f), g[..number * size].chunks_exact(size));
            to.xbar.as_mut_slice().fill(T::zero());
            let (at, bar) = (Rows::new(&*stage, lanes), Rows::new(&gbar[..size], lanes));
            system.diffusion_vjp(time(tableau::A_1[number]), at, bar, to.reborrow());
            let stagebar = to.xbar.as_rows().as_slice();
            add(sum, stagebar);
            add_scaled(fbar, scaled(tableau::A_1[number]), stagebar);
            let before = tableau::B_1[number].iter().zip(gbar_before.chunks_exact_mut(size));
            before.for_each(|(b, gbar)| add_scaled(gbar, T::narrow(b * h.sqrt()), stagebar));
        }
        to.xbar.as_mut_slice().copy_from_slice(sum);
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(&gbar[..size], lanes)), to);
    }
}
