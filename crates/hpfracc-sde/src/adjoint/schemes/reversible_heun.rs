use crate::adjoint::scheme::{of_diffusion, without_orders};
use crate::adjoint::system::vjp;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery, Vjp,
};
use crate::noise::Gaussian;
use crate::rows::{add, zeros};
use crate::schemes::ReversibleHeunState;
use crate::{
    Equation, OneStep, ReversibleHeun, ReversibleHeunStepper, SdeError, Step, StochasticScheme,
};
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// With `F = f h + g dZ_n` at (t, Y) and its transposed derivative F', both ends of a step:
///
/// ```text
/// ybar_{n+1} += F'(t_{n+1}, Y_{n+1}) xbar_{n+1} / 2
/// xbar_n      = xbar_{n+1} + 2 ybar_{n+1}
/// ybar_n      = -ybar_{n+1} + F'(t_n, Y_n) (xbar_{n+1} / 2 + ybar_{n+1})
/// ```
///
/// The terms of one node, the end of a step and the start of the next, are one product. States are
/// reconstructed backwards from the last, exactly up to rounding:
/// [`StochasticGradient::reconstruction`](crate::StochasticGradient::reconstruction) has the error.
///
/// Source: Kidger, Foster, Li and Lyons, Efficient and accurate gradients for neural SDEs, NeurIPS
/// 2021, algorithm 2, arXiv:2105.13493.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for ReversibleHeun {
    type Adjoint = ReversibleHeunAdjoint;

    fn adjoint(
        &self,
        _: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        without_orders(StochasticScheme::<T>::name(self), orders)?;
        Ok(ReversibleHeunAdjoint { stepper: *stepper })
    }
}

/// Backward steps of [`ReversibleHeun`].
#[derive(Debug, Clone, Copy)]
pub struct ReversibleHeunAdjoint {
    stepper: ReversibleHeunStepper,
}

/// State of a tile in the backward pass.
#[derive(Debug, Clone, Default)]
pub struct ReversibleHeunBack<T> {
    /// Y and the coefficients there.
    values: ReversibleHeunState<T>,
    ybar: Vec<T>,
    /// Contributions of the step that starts at the node to the cotangents of f and g there.
    fbar: Vec<T>,
    gbar: Vec<T>,
    /// Cotangents of `sum_j g_ij dZ_j`, and of g by them.
    noisebar: Vec<T>,
    by_noise: Vec<T>,
}

impl<T: Gaussian> AdjointStepper<T, ReversibleHeunStepper> for ReversibleHeunAdjoint {
    type State = ReversibleHeunBack<T>;
    const RECOVERY: StateRecovery = StateRecovery::Reversed;

    fn start(
        &self,
        state: &mut Self::State,
        end: &ReversibleHeunState<T>,
        lanes: usize,
        _: Storage,
    ) {
        let ReversibleHeunBack { values, ybar, fbar, gbar, noisebar, by_noise } = state;
        values.begun = end.begun;
        values.y.clone_from(&end.y);
        values.f.clone_from(&end.f);
        values.g.clone_from(&end.g);
        for rows in [ybar, fbar, noisebar] {
            zeros(rows, self.stepper.of.dim * lanes);
        }
        for rows in [gbar, by_noise] {
            zeros(rows, self.stepper.of.noise_rows() * lanes);
        }
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, to: Vjp { mut xbar, thetabar }, .. } = node;
        let OneStep { noise_kind, h, .. } = self.stepper.of;
        let (lanes, end, h) = (x.lanes(), t + h, T::narrow(h));
        let (half, two) = (T::narrow(0.5), T::narrow(2.0));
        let ReversibleHeunBack { values, ybar, fbar, gbar, noisebar, by_noise } = state;
        let each = fbar.iter_mut().zip(&mut *noisebar).zip(xbar.as_rows().as_slice());
        each.for_each(|((fbar, noisebar), xbar)| {
            *noisebar = half * *xbar;
            *fbar += h * *noisebar;
        });
        let by_noise = &mut by_noise[..];
        let noise = Rows::new(noisebar, lanes);
        of_diffusion(noise_kind, noise, dz, RowsMut::new(by_noise, lanes));
        add(gbar, by_noise);
        let y = Rows::new(&values.y, lanes);
        let to = Vjp { xbar: RowsMut::new(ybar, lanes), thetabar };
        vjp(system, end, y, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
        let each = xbar.as_mut_slice().iter_mut().zip(&mut *ybar);
        for ((xbar, ybar), (fbar, noisebar)) in each.zip(fbar.iter_mut().zip(&mut *noisebar)) {
            *noisebar += *ybar;
            *fbar = h * *noisebar;
            *xbar += two * *ybar;
            *ybar = -*ybar;
        }
        let noise = Rows::new(noisebar, lanes);
        of_diffusion(noise_kind, noise, dz, RowsMut::new(gbar, lanes));
        self.stepper.step_back(system, values, Step { t, x, dz });
    }

    #[inline(always)]
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
        _: RowsMut<'_, T>,
    ) {
        if !state.values.begun {
            // No step was taken: there is no Y.
            return;
        }
        let AdjointNode { t, to: Vjp { mut xbar, thetabar }, .. } = node;
        let lanes = xbar.lanes();
        let ReversibleHeunBack { values, ybar, fbar, gbar, .. } = state;
        let y = Rows::new(&values.y, lanes);
        let to = Vjp { xbar: RowsMut::new(ybar, lanes), thetabar };
        vjp(system, t, y, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
        add(xbar.as_mut_slice(), ybar);
    }
}
