use super::order_weights::{Changes, by_order};
use super::scheme::of_diffusion;
use super::system::diffusion_vjp;
use super::{
    AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem, Ends, Node,
    States,
};
use crate::SolveError;
use crate::noise::{Gaussian, Rows, RowsMut};
use crate::sde::schemes::fractional_stepper::WithMemory;
use crate::sde::schemes::fractional_weights::Near;
use crate::sde::schemes::memory::{Past, add_weighted};
use crate::sde::system::diffusion;
use crate::sde::{
    Coupling, Equation, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState,
    Stepper, StochasticScheme,
};

/// With l_n what the loss adds at the node n, and lambda_n the cotangent of x_n but for its start:
///
/// ```text
/// fbar_n   = sum_{m>=0} b_m lambda_{n+1+m}
/// gbar_n   = sum_{m>=0} s_m lambda_{n+1+m} dZ_n
/// lambda_n = l_n + f_x^T fbar_n + g_x^T gbar_n
/// x0bar    = sum_n lambda_n
/// abar     = sum_n f_n . sum_m b'_m lambda_{n+1+m} + g_n dZ_n . sum_m s'_m lambda_{n+1+m}
/// ```
///
/// The sums run over later nodes: on reversed data they are the memory of the solve, and the same
/// weights take them, exponentials as exponentials, so that the gradient is that of what was computed.
/// All x_n are kept.
///
/// Derivatives in the orders are those of the exact weights, with near cells as many as the scheme has;
/// with exponentials they are within the tolerance of the memory. Near alpha = 1/2 they grow like
/// 1/(2 alpha - 1), as the weight of the nearest cell does: what is learned should be the logarithm of
/// alpha - 1/2, or another function that keeps its distance. At alpha = 1 they are those from below.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for FractionalEulerMaruyama {
    type Adjoint = FractionalEulerMaruyamaAdjoint<T>;

    /// # Errors
    /// [`SolveError::NoDerivative`] if the [drift](Self::drift) is corrected; in the orders also if integrals
    /// over [near cells](Self::near_cells) are drawn: their law depends on the order.
    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SolveError> {
        let scheme = StochasticScheme::<T>::name(self);
        if stepper.corrected {
            let reason = "its drift is corrected";
            return Err(SolveError::NoDerivative { scheme, reason });
        }
        if orders && !Stepper::<T>::integrals(stepper).is_empty() {
            let reason = "the law of what is drawn for near cells depends on the orders";
            return Err(SolveError::NoDerivative { scheme, reason });
        }
        let components = stepper.components.clone();
        let mut changes = Vec::new();
        if orders {
            for (alpha, component) in equation.orders.iter().zip(&components) {
                let near = component.as_ref().map_or(&[][..], |component| &component.near);
                changes.push(by_order(equation, self.memory, (*alpha, near))?);
            }
        }
        let (coupling, h) = (equation.coupling, equation.h);
        Ok(FractionalEulerMaruyamaAdjoint { coupling, h, components, changes })
    }
}

/// Takes the steps of [`FractionalEulerMaruyama`] back.
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaAdjoint<T> {
    coupling: Coupling,
    h: f64,
    components: Vec<Option<WithMemory<T>>>,
    /// The derivatives in the order of each component, if they are asked for.
    changes: Vec<Changes<T>>,
}

/// What a tile carries on its way back.
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaBack<T> {
    /// Cotangents of drift, noise and diffusion, and a sum.
    scratch: Vec<T>,
    /// Drift and diffusion, for the orders.
    values: Vec<T>,
    /// `sum lambda` so far.
    start: Vec<T>,
    orders: Vec<T>,
    futures: Vec<Future<T>>,
    steps: usize,
}

/// The later lambdas of a component.
#[derive(Debug, Clone)]
struct Future<T> {
    memory: Option<Past<T>>,
    by_order: Option<Past<T>>,
    /// The nearest of them in a ring.
    nearest: Vec<T>,
}

impl<T: Gaussian> FractionalEulerMaruyamaAdjoint<T> {
    /// Of component i, before the last step.
    fn future(&self, i: usize, lanes: usize) -> Future<T> {
        let component = &self.components[i];
        let near = component.iter().flat_map(|component| &component.near);
        let nearest = near.map(|near| near.first + near.weights.len()).max().unwrap_or(0);
        Future {
            memory: component.as_ref().map(|component| component.weights.start(lanes)),
            by_order: self.changes.get(i).map(|changes| changes.weights.start(lanes)),
            nearest: vec![T::zero(); nearest * lanes],
        }
    }
}

impl<T: Gaussian> Future<T> {
    /// Keeps lambda in the place of the farthest of the nearest.
    #[inline(always)]
    fn keep(&mut self, step: usize, lambda: &[T]) {
        if !self.nearest.is_empty() {
            let cells = self.nearest.len() / lambda.len();
            self.nearest[step % cells * lambda.len()..][..lambda.len()].copy_from_slice(lambda);
        }
    }

    /// Writes what near cells weigh of the later lambdas.
    #[inline(always)]
    fn weigh(&self, near: &Near<T>, step: usize, sum: &mut [T]) {
        let lanes = sum.len();
        let cells = self.nearest.len() / lanes;
        sum.fill(T::zero());
        let at =
            |lag: usize| &self.nearest[(step % cells + cells - lag) % cells * lanes..][..lanes];
        add_weighted((near.first..).zip(&near.weights).map(|(lag, w)| (*w, at(lag))), sum);
    }
}

impl<T: Gaussian> AdjointStepper<T, FractionalEulerMaruyamaStepper<T>>
    for FractionalEulerMaruyamaAdjoint<T>
{
    type State = FractionalEulerMaruyamaBack<T>;

    fn states(&self) -> States {
        States::Kept
    }

    fn start(&self, _: &FractionalState<T>, lanes: usize) -> Self::State {
        let dim = self.components.len();
        let rows = |count: usize| vec![T::zero(); count * lanes];
        let g = self.coupling.rows(dim);
        FractionalEulerMaruyamaBack {
            scratch: rows(2 * dim + g + 1),
            values: if self.changes.is_empty() { Vec::new() } else { rows(dim + g) },
            start: rows(dim),
            orders: rows(self.changes.len()),
            futures: (0..dim).map(|i| self.future(i, lanes)).collect(),
            steps: 0,
        }
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: Node<'_, T>,
        mut xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        let (dim, lanes) = (self.components.len(), xbar.lanes());
        let Node { t, x, dz } = node;
        let x = x.as_rows();
        let (fbar, rest) = state.scratch.split_at_mut(dim * lanes);
        let (noisebar, rest) = rest.split_at_mut(dim * lanes);
        let (sum, gbar) = rest.split_at_mut(lanes);
        let mut fbar = RowsMut::new(fbar, lanes);
        let mut noisebar = RowsMut::new(noisebar, lanes);
        let mut gbar = RowsMut::new(gbar, lanes);
        let (h, per_h) = (T::narrow(self.h), T::narrow(1.0 / self.h));
        for i in 0..dim {
            // lambda: nothing of it comes through the memory.
            let lambda = &mut xbar[i];
            let start = &mut state.start[i * lanes..][..lanes];
            start.iter_mut().zip(&*lambda).for_each(|(start, lambda)| *start += *lambda);
            let future = &mut state.futures[i];
            future.keep(state.steps, lambda);
            match (&self.components[i], &mut future.memory) {
                (Some(component), Some(memory)) => {
                    component.weights.step(memory, lambda, sum);
                    for ((fbar, lambda), sum) in fbar[i].iter_mut().zip(&*lambda).zip(&*sum) {
                        *fbar = component.nearest * *lambda + *sum;
                    }
                    let pairs = noisebar[i].iter_mut().zip(&fbar[i]);
                    pairs.for_each(|(noisebar, fbar)| *noisebar = per_h * *fbar);
                }
                // Without memory all later ones weigh the same.
                _ => {
                    let pairs = fbar[i].iter_mut().zip(&mut noisebar[i]).zip(&*start);
                    pairs.for_each(|((fbar, noisebar), start)| {
                        (*fbar, *noisebar) = (h * *start, *start);
                    });
                }
            }
        }
        of_diffusion(self.coupling, noisebar.as_rows(), dz, gbar.reborrow());
        for (component, future) in self.components.iter().zip(&state.futures) {
            for near in component.iter().flat_map(|component| &component.near) {
                future.weigh(near, state.steps, sum);
                for source in &near.sources {
                    let factors = gbar[source.g].iter_mut().zip(&*sum).zip(&dz[source.dz]);
                    factors.for_each(|((gbar, sum), dz)| *gbar += *sum * (source.factor * *dz));
                }
            }
        }
        if !self.changes.is_empty() {
            self.add_orders(
                system,
                (t, x, dz),
                state.steps,
                &xbar,
                OrderRows {
                    values: &mut state.values,
                    orders: &mut state.orders,
                    futures: &mut state.futures,
                    sum,
                },
            );
        }
        xbar.as_mut_slice().fill(T::zero());
        system.drift_vjp(t, x, fbar.as_rows(), xbar.reborrow(), thetabar);
        diffusion_vjp(system, t, x, gbar.as_rows(), xbar, thetabar);
        state.steps += 1;
    }

    #[inline(always)]
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        _: &S,
        state: &mut Self::State,
        _: Node<'_, T>,
        mut ends: Ends<'_, T>,
        _: &mut [T],
    ) {
        let pairs = ends.xbar.as_mut_slice().iter_mut().zip(&state.start);
        pairs.for_each(|(xbar, start)| *xbar += *start);
        ends.orders.as_mut_slice().copy_from_slice(&state.orders);
    }
}

/// What the derivatives in the orders are taken with.
struct OrderRows<'a, T> {
    values: &'a mut [T],
    orders: &'a mut [T],
    futures: &'a mut [Future<T>],
    sum: &'a mut [T],
}

impl<T: Gaussian> FractionalEulerMaruyamaAdjoint<T> {
    /// Adds what the weights of one node say of the orders.
    #[inline(always)]
    fn add_orders<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        (t, x, dz): (f64, Rows<'_, T>, Rows<'_, T>),
        step: usize,
        lambda: &RowsMut<'_, T>,
        rows: OrderRows<'_, T>,
    ) {
        let OrderRows { values, orders, futures, sum } = rows;
        let (dim, lanes, per_h) = (self.components.len(), x.lanes(), T::narrow(1.0 / self.h));
        let (u, g) = values.split_at_mut(dim * lanes);
        system.drift(t, x, RowsMut::new(u, lanes));
        diffusion(system, t, x, RowsMut::new(g, lanes));
        let (mut u, g) = (RowsMut::new(u, lanes), Rows::new(g, lanes));
        // u = f + noise / h
        self.coupling.each((dim, g, dz), |i, g, dz| {
            let factors = u[i].iter_mut().zip(g).zip(dz);
            factors.for_each(|((u, g), dz)| *u += per_h * (*g * *dz));
        });
        for (i, changes) in self.changes.iter().enumerate() {
            let order = &mut orders[i * lanes..][..lanes];
            let Some(by_order) = &mut futures[i].by_order else { continue };
            changes.weights.step(by_order, &lambda[i], sum);
            let pairs = order.iter_mut().zip(&u[i]).zip(&lambda[i]).zip(&*sum);
            pairs.for_each(|(((order, u), lambda), sum)| {
                *order += *u * (changes.nearest * *lambda + *sum);
            });
            for near in &changes.near {
                futures[i].weigh(near, step, sum);
                for source in &near.sources {
                    let noise = g[source.g].iter().zip(&dz[source.dz]);
                    let pairs = order.iter_mut().zip(noise).zip(&*sum);
                    pairs.for_each(|((order, (g, dz)), sum)| {
                        *order += *sum * (*g * (source.factor * *dz));
                    });
                }
            }
        }
    }
}
