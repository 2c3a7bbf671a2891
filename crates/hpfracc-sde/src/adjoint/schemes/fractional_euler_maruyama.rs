use super::order_weights::{by_order, by_other_order, near_by_order};
use crate::adjoint::scheme::of_diffusion;
use crate::adjoint::system::vjp;
use crate::adjoint::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    StateRecovery,
};
use crate::noise::{Gaussian, NoiseProcess};
use crate::rows::{add, add_products, write_scaled, zeros};
use crate::schemes::fractional::near_cells::Near;
use crate::schemes::fractional::stepper::{Past, WithMemory};
use crate::system::coefficients;
use crate::{
    Equation, ForcedEulerMaruyama, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper,
    FractionalState, NoiseKind, SdeError, Stepper, StochasticScheme,
};
use hpfracc_lanes::causal::add_weighted;
use hpfracc_lanes::{Rows, RowsMut, Storage};

/// With l_n the cotangent of the loss at node n, and lambda_n the cotangent of x_n without the
/// initial value:
///
/// ```text
/// fbar_n   = sum_{m>=0} b_m lambda_{n+1+m}
/// gbar_n   = sum_{m>=0} s_m lambda_{n+1+m} dZ_n
/// lambda_n = l_n + f_x^T fbar_n + g_x^T gbar_n
/// x0bar    = sum_n lambda_n
/// abar     = sum_n f_n . sum_m b'_m lambda_{n+1+m} + g_n dZ_n . sum_m s'_m lambda_{n+1+m}
/// ```
///
/// Where the drift is [corrected](FractionalEulerMaruyama::drift), with P_n what was predicted and
/// c_m the trapezoid's weights, lambda splits in two, as the value does in prediction and
/// correction:
///
/// ```text
/// mu_n     = lambda_n + f_x(t_n, P_n)^T c_0 lambda_n                     the cotangent of P_n
/// fbar_n   = sum_{m>=0} b_m mu_{n+1+m} + (c_{m+1} - b_m) lambda_{n+1+m}
/// fbar_0  += sum_{n>=1} (a_{0,n} - c_n) lambda_n
/// gbar_n   = sum_{m>=0} s_m mu_{n+1+m} dZ_n
/// x0bar    = l_0 + f_x^T fbar_0 + g_x^T gbar_0 + sum_n mu_n
/// ```
///
/// and theta takes its share of `f(t_n, P_n)` by `c_0 lambda_n`. P_n are stored with x_n: they are
/// sums over the whole past, which only another solve could recompute.
///
/// The sums run over later nodes: on reversed data they are the memory of the solve, and the same
/// weights take them, exponentials as exponentials, so that the gradient is that of the computed
/// solution. All x_n are stored.
///
/// Derivatives in the orders are those of the exact weights, with near cells as many as the scheme
/// has; with exponentials they are within the tolerance of the memory. The normals of the noise are
/// fixed, not the integrals over [near cells](FractionalEulerMaruyama::near_cells) that are made of
/// them, whose distribution depends on the order. Where two components share a noise and an order,
/// and with it these integrals, the derivatives are those of a change of both, divided between
/// them. Near alpha = 1/2 they grow
/// like 1/(2 alpha - 1), as the weight of the nearest cell does: learn the logarithm of alpha -
/// 1/2, or another function that keeps its distance. At alpha = 1 they are those from below.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for FractionalEulerMaruyama {
    type Adjoint = FractionalEulerMaruyamaAdjoint<T>;

    /// # Errors
    /// [`SdeError::NoDerivative`] in the orders if integrals over [near cells](Self::near_cells) of
    /// several orders are drawn of noises that are correlated: they are sums of other integrals.
    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        let integrals = Stepper::<T>::integrals(stepper);
        let mixed = integrals.windows(2).any(|pair| pair[0].exponent != pair[1].exponent);
        let correlated = |process: &NoiseProcess| *process != NoiseProcess::Brownian;
        let brownian = equation.processes.iter().filter(|process| process.is_brownian());
        if orders && mixed && brownian.clone().any(correlated) {
            let scheme = StochasticScheme::<T>::name(self);
            let reason = "correlated noises mix integrals over near cells of several orders";
            return Err(SdeError::NoDerivative { scheme, reason });
        }
        let components = stepper.components.clone();
        let mut changes: Vec<WithMemory<T>> = Vec::new();
        let mut crossed = Vec::new();
        if orders {
            for (i, (&alpha, component)) in equation.orders.iter().zip(&components).enumerate() {
                let alike = equation.orders[..i].iter().position(|order| *order == alpha);
                let known = alike.map(|known| &changes[known]);
                let near = near_by_order(equation, self, i, integrals);
                let of = (alpha, component.as_ref());
                changes.push(by_order(equation, self.memory, of, near, known)?);
                for k in (0..components.len()).filter(|_| !integrals.is_empty()) {
                    let near = by_other_order(equation, self, (i, k), integrals);
                    crossed.extend(near.into_iter().map(|near| Crossed { order: i, of: k, near }));
                }
            }
        }
        let (noise_kind, h, corrected) = (equation.noise_kind, equation.h, stepper.corrected);
        Ok(FractionalEulerMaruyamaAdjoint {
            noise_kind,
            h,
            corrected,
            forced: false,
            components,
            changes,
            crossed,
        })
    }
}

/// The same without noise in the memory: `gbar_n = sum_{m>n} lambda_m dZ_n`, and the orders are
/// those of the drift.
impl<T: Gaussian> DifferentiableStochasticScheme<T> for ForcedEulerMaruyama {
    type Adjoint = FractionalEulerMaruyamaAdjoint<T>;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        let components = stepper.components.clone();
        let mut changes: Vec<WithMemory<T>> = Vec::new();
        for (i, &alpha) in equation.orders.iter().enumerate().filter(|_| orders) {
            let known = equation.orders[..i].iter().position(|order| *order == alpha);
            let (known, of) = (known.map(|known| &changes[known]), components[i].as_ref());
            changes.push(by_order(equation, self.memory, (alpha, of), Vec::new(), known)?);
        }
        Ok(FractionalEulerMaruyamaAdjoint {
            noise_kind: equation.noise_kind,
            h: equation.h,
            corrected: false,
            forced: true,
            components,
            changes,
            crossed: Vec::new(),
        })
    }
}

/// Takes the steps of [`FractionalEulerMaruyama`] and [`ForcedEulerMaruyama`] back.
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaAdjoint<T> {
    noise_kind: NoiseKind,
    h: f64,
    corrected: bool,
    /// Whether the noise stands outside the memory.
    forced: bool,
    components: Vec<Option<WithMemory<T>>>,
    /// The derivatives with respect to the order of each component, if requested.
    changes: Vec<WithMemory<T>>,
    crossed: Vec<Crossed<T>>,
}

/// What an order is to the near cells of another component, over a noise that both have.
#[derive(Debug, Clone)]
struct Crossed<T> {
    order: usize,
    of: usize,
    near: Near<T>,
}

/// State of a tile in the backward pass.
#[derive(Debug, Clone, Default)]
pub struct FractionalEulerMaruyamaBack<T> {
    /// Cotangents of drift, noise and diffusion, and a sum.
    scratch: Vec<T>,
    /// Drift, a sum and diffusion, for the orders.
    values: Vec<T>,
    /// Of a corrected drift the lambdas at one node.
    lambda: Vec<T>,
    /// `sum lambda` so far, of a corrected drift `sum mu`.
    start: Vec<T>,
    orders: Vec<T>,
    futures: Vec<Future<T>>,
    steps: usize,
    /// Steps that are left.
    left: usize,
}

/// The later lambdas of a component.
#[derive(Debug, Clone, Default)]
struct Future<T> {
    past: Past<T>,
    by_order: Past<T>,
    /// The nearest of them in a ring.
    nearest: Vec<T>,
}

impl<T: Gaussian> FractionalEulerMaruyamaAdjoint<T> {
    fn corrected_rows(&self) -> usize {
        if self.corrected { self.components.len() } else { 0 }
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

    /// Writes the weighted later lambdas of near cells.
    #[inline(always)]
    fn weigh(&self, near: &Near<T>, step: usize, sum: &mut [T]) {
        let lanes = sum.len();
        let cells = self.nearest.len() / lanes;
        sum.fill(T::zero());
        let at =
            |lag: usize| &self.nearest[(step % cells + cells - lag) % cells * lanes..][..lanes];
        add_weighted(near.weights.iter().enumerate().map(|(lag, w)| (*w, at(lag))), sum);
    }

    /// Adds what near cells say of an order; `sum` is scratch.
    #[inline(always)]
    fn add_order(
        &self,
        near: &Near<T>,
        step: usize,
        (g, dz): (Rows<'_, T>, Rows<'_, T>),
        sum: &mut [T],
        order: &mut [T],
    ) {
        self.weigh(near, step, sum);
        for source in &near.sources {
            let noise = g[source.g].iter().zip(&dz[source.dz]);
            let pairs = order.iter_mut().zip(noise).zip(&*sum);
            pairs.for_each(|((order, (g, dz)), sum)| *order += *sum * (*g * *dz));
        }
    }
}

impl<T: Gaussian> AdjointStepper<T, FractionalEulerMaruyamaStepper<T>>
    for FractionalEulerMaruyamaAdjoint<T>
{
    type State = FractionalEulerMaruyamaBack<T>;
    const RECOVERY: StateRecovery = StateRecovery::Stored;

    fn kept_rows(&self) -> usize {
        self.corrected_rows()
    }

    fn keep(&self, state: &FractionalState<T>, mut kept: RowsMut<'_, T>) {
        kept.as_mut_slice().copy_from_slice(&state.predicted);
    }

    fn bytes_per_path(&self, storage: Storage) -> usize {
        let all = self.components.iter().flatten().chain(&self.changes);
        all.map(|weights| weights.bytes_per_lane_in(storage)).sum()
    }

    fn start(
        &self,
        state: &mut Self::State,
        end: &FractionalState<T>,
        lanes: usize,
        storage: Storage,
    ) {
        let (dim, orders) = (self.components.len(), self.changes.len());
        let g = self.noise_kind.rows(dim);
        zeros(&mut state.scratch, (2 * dim + g + 1) * lanes);
        zeros(&mut state.values, if orders > 0 { (dim + g + 1) * lanes } else { 0 });
        zeros(&mut state.lambda, self.corrected_rows() * lanes);
        zeros(&mut state.start, dim * lanes);
        zeros(&mut state.orders, orders * lanes);
        state.futures.resize_with(dim, Future::default);
        for (i, future) in state.futures.iter_mut().enumerate() {
            let component = self.components[i].as_ref();
            let near = component.into_iter().flat_map(|component| &component.near);
            zeros(&mut future.nearest, near.map(Near::steps).max().unwrap_or(0) * lanes);
            component.iter().for_each(|weights| weights.start(&mut future.past, lanes, storage));
            let changes = self.changes.get(i);
            changes.iter().for_each(|weights| weights.start(&mut future.by_order, lanes, storage));
        }
        (state.steps, state.left) = (0, end.steps);
    }

    #[inline(always)]
    fn step<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        node: AdjointNode<'_, T>,
    ) {
        let AdjointNode { t, x, dz, kept, mut to } = node;
        let (dim, lanes, x) = (self.components.len(), x.lanes(), x.as_rows());
        state.left -= 1;
        let (fbar, rest) = state.scratch.split_at_mut(dim * lanes);
        let (noisebar, rest) = rest.split_at_mut(dim * lanes);
        let (sum, gbar) = rest.split_at_mut(lanes);
        let mut fbar = RowsMut::new(fbar, lanes);
        let mut noisebar = RowsMut::new(noisebar, lanes);
        let mut gbar = RowsMut::new(gbar, lanes);
        let (h, per_h) = (T::narrow(self.h), T::narrow(1.0 / self.h));
        if self.corrected {
            // lambda to mu, by the drift that was corrected with.
            state.lambda.copy_from_slice(to.xbar.as_rows().as_slice());
            for (i, component) in self.components.iter().enumerate() {
                let Some(WithMemory { corrector: Some(corrector), .. }) = component else {
                    continue;
                };
                write_scaled(&mut fbar[i], corrector.newest, &to.xbar[i]);
            }
            system.drift_vjp(t + self.h, kept, fbar.as_rows(), to.reborrow());
        }
        for i in 0..dim {
            // lambda: nothing of it comes through the memory.
            let lambda = &mut to.xbar[i];
            let start = &mut state.start[i * lanes..][..lanes];
            add(start, lambda);
            let future = &mut state.futures[i];
            future.keep(state.steps, lambda);
            match &self.components[i] {
                Some(component) => {
                    component.weights.step(&mut future.past.memory, lambda, sum);
                    for ((fbar, lambda), sum) in fbar[i].iter_mut().zip(&*lambda).zip(&*sum) {
                        *fbar = component.nearest * *lambda + *sum;
                    }
                    if self.forced {
                        noisebar[i].copy_from_slice(start);
                    } else {
                        write_scaled(&mut noisebar[i], per_h, &fbar[i]);
                    }
                    if let Some(corrector) = &component.corrector {
                        let of = &mut future.past.corrections;
                        corrector.take_back(of, state.left, &state.lambda[i * lanes..][..lanes]);
                        add(&mut fbar[i], &of.known);
                    }
                }
                // Without memory all later ones weigh the same.
                None => {
                    write_scaled(&mut fbar[i], h, start);
                    noisebar[i].copy_from_slice(start);
                }
            }
        }
        of_diffusion(self.noise_kind, noisebar.as_rows(), dz, gbar.reborrow());
        for (component, future) in self.components.iter().zip(&state.futures) {
            for near in component.iter().flat_map(|component| &component.near) {
                future.weigh(near, state.steps, sum);
                for source in &near.sources {
                    let factors = gbar[source.g].iter_mut().zip(&*sum).zip(&dz[source.dz]);
                    factors.for_each(|((gbar, sum), dz)| *gbar += *sum * *dz);
                }
            }
        }
        if !self.changes.is_empty() {
            self.add_orders(
                system,
                (t, x, dz, kept),
                (state.steps, state.left),
                (to.xbar.as_rows(), Rows::new(&state.lambda, lanes)),
                (&mut state.values, &mut state.orders, &mut state.futures),
            );
        }
        to.xbar.as_mut_slice().fill(T::zero());
        vjp(system, t, x, (fbar.as_rows(), gbar.as_rows()), to);
        state.steps += 1;
    }

    #[inline(always)]
    fn finish<S: DifferentiableStochasticSystem<T>>(
        &self,
        _: &S,
        state: &mut Self::State,
        mut node: AdjointNode<'_, T>,
        mut orders: RowsMut<'_, T>,
    ) {
        add(node.to.xbar.as_mut_slice(), &state.start);
        orders.as_mut_slice().copy_from_slice(&state.orders);
    }
}

impl<T: Gaussian> FractionalEulerMaruyamaAdjoint<T> {
    /// Adds what the weights of one node say of the orders.
    #[inline(always)]
    fn add_orders<S: DifferentiableStochasticSystem<T>>(
        &self,
        system: &S,
        (t, x, dz, predicted): (f64, Rows<'_, T>, Rows<'_, T>, Rows<'_, T>),
        (step, left): (usize, usize),
        (mu, lambda): (Rows<'_, T>, Rows<'_, T>),
        (values, orders, futures): (&mut [T], &mut [T], &mut [Future<T>]),
    ) {
        let (dim, lanes, per_h) = (self.components.len(), x.lanes(), T::narrow(1.0 / self.h));
        let (u, rest) = values.split_at_mut(dim * lanes);
        let (sum, g) = rest.split_at_mut(lanes);
        if self.corrected {
            system.drift(t + self.h, predicted, RowsMut::new(u, lanes));
            for (i, changes) in self.changes.iter().enumerate() {
                let Some(corrector) = &changes.corrector else { continue };
                let order = orders[i * lanes..][..lanes].iter_mut();
                for ((order, f), lambda) in order.zip(&u[i * lanes..]).zip(&lambda[i]) {
                    *order += *f * (corrector.newest * *lambda);
                }
            }
        }
        coefficients(system, t, x, (u, g));
        let (mut u, g) = (RowsMut::new(u, lanes), Rows::new(g, lanes));
        for (i, changes) in self.changes.iter().enumerate() {
            if let Some(corrector) = &changes.corrector {
                let of = &mut futures[i].by_order.corrections;
                corrector.take_back(of, left, &lambda[i]);
                add_products(&mut orders[i * lanes..][..lanes], &u[i], &of.known);
            }
        }
        if !self.forced {
            // u = f + noise / h
            self.noise_kind.each((dim, g, dz), |i, g, dz| {
                let factors = u[i].iter_mut().zip(g).zip(dz);
                factors.for_each(|((u, g), dz)| *u += per_h * (*g * *dz));
            });
        }
        for (i, changes) in self.changes.iter().enumerate() {
            let order = &mut orders[i * lanes..][..lanes];
            changes.weights.step(&mut futures[i].by_order.memory, &mu[i], sum);
            let pairs = order.iter_mut().zip(&u[i]).zip(&mu[i]).zip(&*sum);
            pairs.for_each(|(((order, u), mu), sum)| {
                *order += *u * (changes.nearest * *mu + *sum);
            });
            for near in &changes.near {
                futures[i].add_order(near, step, (g, dz), sum, order);
            }
        }
        for Crossed { order, of, near } in &self.crossed {
            let order = &mut orders[order * lanes..][..lanes];
            futures[*of].add_order(near, step, (g, dz), sum, order);
        }
    }
}
