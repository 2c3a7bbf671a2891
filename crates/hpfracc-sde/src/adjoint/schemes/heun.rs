use crate::adjoint::scheme::{of_diffusion, without_orders};
use crate::adjoint::system::vjp;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery,
};
use crate::noise::Gaussian;
use crate::rows::{add_scaled, write_scaled, write_sum, zeros};
use crate::system::coefficients;
use crate::{Equation, Heun, OneStep, OneStepStepper, SdeError, StochasticScheme};
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// With `e = x + h f + g dZ` the end of Euler's step, where drift and diffusion are f_e and g_e:
///
/// ```text
/// ebar = f_x(e)^T (h/2 lambda) + g_x(e)^T (lambda/2 dZ)            lambda = xbar_{n+1}
/// mu   = lambda/2 + ebar
/// xbar_n = lambda + ebar + f_x^T (h mu) + g_x^T (mu dZ)
/// ```
///
/// Needs x at each node, stored or recomputed from checkpoints.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for Heun {
    type Adjoint = HeunAdjoint;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        _: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        without_orders(StochasticScheme::<T>::name(self), orders)?;
        Ok(HeunAdjoint { of: OneStep::new(equation) })
    }
}

/// Backward steps of [`Heun`].
#[derive(Debug, Clone, Copy)]
pub struct HeunAdjoint {
    of: OneStep,
}

impl<T: Gaussian> AdjointStepper<T, OneStepStepper<Heun>> for HeunAdjoint {
    /// The end of Euler's step, mu, drift and its cotangent; diffusion and its cotangent.
    type State = Vec<T>;
    const RECOVERY: StateRecovery = StateRecovery::Recomputed;

    fn start(&self, state: &mut Self::State, _: &Vec<T>, lanes: usize, _: Storage) {
        zeros(state, (4 * self.of.dim + 2 * self.of.noise_rows()) * lanes);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, mut to, .. } = node;
        let (of, lanes, x) = (&self.of, x.lanes(), x.as_rows());
        let (h, half) = (T::narrow(of.h), T::narrow(0.5));
        let size = of.dim * lanes;
        let (end, rest) = state.split_at_mut(size);
        let (mu, rest) = rest.split_at_mut(size);
        let (f, rest) = rest.split_at_mut(size);
        let (fbar, rest) = rest.split_at_mut(size);
        let (g, gbar) = rest.split_at_mut(of.noise_rows() * lanes);
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
        let both = (Rows::new(fbar, lanes), Rows::new(gbar, lanes));
        vjp(system, t + of.h, Rows::new(end, lanes), both, to.reborrow());
        // ebar is what was added.
        add_scaled(mu, T::one(), to.xbar.as_rows().as_slice());
        add_scaled(to.xbar.as_mut_slice(), T::one(), f);
        bars(mu, fbar, gbar);
        vjp(system, t, x, (Rows::new(fbar, lanes), Rows::new(gbar, lanes)), to);
    }
}
