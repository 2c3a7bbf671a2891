use crate::adjoint::scheme::{of_diffusion, without_orders};
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery, Vjp,
};
use crate::noise::Gaussian;
use crate::rows::{write_scaled, zeros};
use crate::schemes::DriftImplicitState;
use crate::{DriftImplicit, DriftImplicitStepper, Equation, SdeError, StochasticScheme};
use hpfracc_lanes::{Lu, Rows, RowsMut, Storage};

/// With the Jacobian J of f at (t + h, x_{n+1}), by the implicit function theorem:
///
/// ```text
/// (I - theta h J)^T mu = lambda                                lambda = xbar_{n+1}
/// xbar_n = mu + f_x^T ((1 - theta) h mu) + sum_j g_{j,x}^T (mu dZ_j)
/// ```
///
/// and for the parameters the cotangents `theta h mu` of f at t + h, `(1 - theta) h mu` of f at t
/// and `mu dZ` of g. The rows of J are products with unit vectors, d a step for d components, exact
/// where the iteration of the step has differences; a dense matrix is factored for each path. Needs
/// x at each node, stored or recomputed from checkpoints. Where the matrix is singular the cotangent
/// is NaN, and the gradient ends with [`SdeError::CotangentNotFinite`].
impl<T: Gaussian> DifferentiableStochasticScheme<T> for DriftImplicit {
    type Adjoint = DriftImplicitAdjoint;

    fn adjoint(
        &self,
        _: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        without_orders(StochasticScheme::<T>::name(self), orders)?;
        Ok(DriftImplicitAdjoint { stepper: *stepper })
    }
}

/// Backward steps of [`DriftImplicit`].
#[derive(Debug, Clone, Copy)]
pub struct DriftImplicitAdjoint {
    stepper: DriftImplicitStepper,
}

/// State of a tile in the backward pass.
#[derive(Debug, Clone, Default)]
pub struct DriftImplicitBack<T> {
    /// x at the end of the step.
    end: Vec<T>,
    fbar: Vec<T>,
    gbar: Vec<T>,
    /// The Jacobian of f there, by rows.
    jacobian: Vec<T>,
    /// Products that are not needed.
    unused: Vec<T>,
    matrix: Lu,
    solution: Vec<f64>,
}

impl<T: Gaussian> AdjointStepper<T, DriftImplicitStepper> for DriftImplicitAdjoint {
    type State = DriftImplicitBack<T>;
    const RECOVERY: StateRecovery = StateRecovery::Recomputed;

    fn start(
        &self,
        state: &mut Self::State,
        end: &DriftImplicitState<T>,
        lanes: usize,
        _: Storage,
    ) {
        let dim = self.stepper.of.dim;
        // The last iterate is x at the last node.
        state.end.clone_from(&end.y);
        zeros(&mut state.fbar, dim * lanes);
        zeros(&mut state.gbar, self.stepper.of.noise_rows() * lanes);
        zeros(&mut state.jacobian, dim * dim * lanes);
        if state.matrix.entries().len() != dim * dim {
            state.matrix = Lu::new(dim);
        }
        zeros(&mut state.solution, dim);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, mut to, .. } = node;
        let DriftImplicitStepper { of, theta } = self.stepper;
        let (lanes, x, end) = (x.lanes(), x.as_rows(), t + of.h);
        zeros(&mut state.unused, to.thetabar.len());
        self.write_jacobian(system, state, end, lanes);
        (0..lanes).for_each(|lane| self.solve(state, lane, to.xbar.reborrow()));
        let DriftImplicitBack { fbar, gbar, jacobian, .. } = state;
        let mu = to.xbar.as_rows();
        write_scaled(fbar, T::narrow(theta * of.h), mu.as_slice());
        of_diffusion(of.noise_kind, mu, dz, RowsMut::new(gbar, lanes));
        // The solution has the product with J^T already: only that for the parameters is missing.
        let unused = RowsMut::new(&mut jacobian[..of.dim * lanes], lanes);
        let parameters = Vjp { xbar: unused, thetabar: to.thetabar };
        system.drift_vjp(end, Rows::new(&state.end, lanes), Rows::new(fbar, lanes), parameters);
        if theta < 1.0 {
            write_scaled(fbar, T::narrow((1.0 - theta) * of.h), to.xbar.as_rows().as_slice());
            system.drift_vjp(t, x, Rows::new(fbar, lanes), to.reborrow());
        }
        if !gbar.is_empty() {
            system.diffusion_vjp(t, x, Rows::new(gbar, lanes), to);
        }
        state.end.copy_from_slice(x.as_slice());
    }
}

impl DriftImplicitAdjoint {
    /// Row by row of the Jacobian, a product with a unit vector for all paths.
    #[inline(always)]
    fn write_jacobian<T: Gaussian, S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut DriftImplicitBack<T>,
        t: f64,
        lanes: usize,
    ) {
        let DriftImplicitBack { end, fbar, jacobian, unused, .. } = state;
        jacobian.fill(T::zero());
        for (i, row) in jacobian.chunks_exact_mut(self.stepper.of.dim * lanes).enumerate() {
            fbar.fill(T::zero());
            fbar[i * lanes..][..lanes].fill(T::one());
            let to = Vjp { xbar: RowsMut::new(row, lanes), thetabar: unused };
            system.drift_vjp(t, Rows::new(end, lanes), Rows::new(fbar, lanes), to);
        }
    }

    /// `(I - theta h J)^T mu = lambda` of one path, in the place of lambda.
    fn solve<T: Gaussian>(
        &self,
        state: &mut DriftImplicitBack<T>,
        lane: usize,
        mut xbar: RowsMut<'_, T>,
    ) {
        let (dim, weight, lanes) =
            (self.stepper.of.dim, self.stepper.theta * self.stepper.of.h, xbar.lanes());
        for i in 0..dim {
            state.solution[i] = xbar[i][lane].widen();
            for j in 0..dim {
                let identity = if i == j { 1.0 } else { 0.0 };
                let slope = state.jacobian[(i * dim + j) * lanes + lane].widen();
                // Transposed.
                state.matrix.entries()[j * dim + i] = identity - weight * slope;
            }
        }
        if state.matrix.factor() {
            state.matrix.solve(&mut state.solution);
        } else {
            state.solution.fill(f64::NAN);
        }
        for (i, value) in state.solution.iter().enumerate() {
            xbar[i][lane] = T::narrow(*value);
        }
    }
}
