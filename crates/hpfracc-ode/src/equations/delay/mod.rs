//! Delay equations.

mod delayed_system;
mod gradient;
mod lag_derivatives;
mod node_history;

pub use delayed_system::{Delays, LaggedRhs, StateDependent};
pub(super) use lag_derivatives::LagDerivatives;

use crate::{
    DenseOutput, Failure, Interpolation, Observer, ObserverAction, OdeError, Options, Problem,
    Scheme, Solution, Steps, System, Trajectory, solve,
};
use delayed_system::DelayedSystem;

/// Delay equation, solved by the schemes for equations without delays.
///
#[doc = formula!("delay", r"D^\alpha y = f(t, y(t), y(t - \tau_1), \ldots, y(t - \tau_k)) \text{ on } [t_0, t_1], \quad y = \phi \text{ for } t < t_0
    y^{(j)}(t_0) \text{ given for } j < \lceil \alpha \rceil, \quad \tau_i \ge 0 \text{ constant, or } \tau_i(t, y(t))")]
///
/// Values before t0 are those of phi, values at t0 are the initial values, values after it come
/// from the nodes by [`Interpolation`]. phi(t0) may differ from them; then f jumps at t0 + tau_i,
/// and the order falls to 1. A lag shorter than the step is read from the interpolant through the
/// value that the step solves for, so that the scheme's own iteration, by corrector passes or
/// Newton's, includes it; the cost of a step does not change.
///
/// The solution is less smooth at the [break points](Self::break_points): t0 plus sums of delays.
/// The orders of schemes hold if these are nodes, as after [`uniform_steps`](Self::uniform_steps).
/// Order: that of the scheme, but not above the order of the interpolation, 2 or 3; off the nodes
/// near t0, where y behaves as t^alpha, lagged values are right to h^alpha only unless they come
/// from
/// [`Interpolation::Dense`]. With that, which it takes by itself, the
/// [break points](Self::break_points) as those of
/// [`Collocation`](crate::Collocation) and no step longer than a delay, lagged values are as
/// accurate as the solution: to rounding.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, DelayProblem, Options};
///
/// // The logistic equation with a lag of 1, from a history of 1/2.
/// let problem = DelayProblem::new(
///     &[0.9],
///     (0.0, 10.0),
///     &[&[0.5]],
///     vec![1.0],
///     |_t, y| y[0] = 0.5,
///     |_t, y, lagged, dydt| dydt[0] = y[0] * (1.0 - lagged[0]),
/// )?;
/// let steps = problem.uniform_steps(1000).expect("a lag of 1 divides an interval of 10");
/// let solution = problem.solve(&AdamsBashforthMoulton::default(), &steps, Options::default())?;
/// assert!((solution.last()[0] - 1.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: Bhalekar and Daftardar-Gejji, J. Fract. Calc. Appl. 1 (2011) no. 5, for constant delays
/// and the predictor-corrector method.
#[derive(Debug)]
pub struct DelayProblem<S, D, P> {
    problem: Problem<DelayedSystem<S, D, P>>,
    /// None: that of the scheme.
    interpolation: Option<Interpolation>,
}

impl<F, D, P> DelayProblem<LaggedRhs<F>, D, P>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]),
    D: Delays,
    P: Fn(f64, &mut [f64]),
{
    /// The problem. `orders` and `initial` as for [`Problem::new`]; `delays` is a `Vec` of
    /// constants, or [`StateDependent`](crate::StateDependent); `phi(t, y)` writes y before t0;
    /// `f(t, y, lagged, dydt)` has the lagged states in `lagged`, one after the other.
    ///
    /// # Errors
    /// As [`DelayProblem::of`].
    pub fn new(
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        delays: D,
        phi: P,
        f: F,
    ) -> Result<Self, OdeError> {
        Self::of(LaggedRhs(f), orders, interval, initial, (delays, phi))
    }
}

impl<S: System, D: Delays, P: Fn(f64, &mut [f64])> DelayProblem<S, D, P> {
    /// The same with f as a [`System`] whose argument is the state followed by the lagged states, and
    /// whose value has as many components as the state. One that is
    /// [`Differentiable`](crate::Differentiable), such as [`Parametric`](crate::Parametric), has
    /// [gradients](Self::gradient).
    ///
    /// # Errors
    /// [`OdeError::Delay`] for a constant delay that is negative or not finite, and those of
    /// [`Problem::of`].
    pub fn of(
        system: S,
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        (delays, phi): (D, P),
    ) -> Result<Self, OdeError> {
        let (t, dim) = (interval.0, initial.first().map_or(0, |row| row.len()));
        for (index, &value) in delays.constant().unwrap_or_default().iter().enumerate() {
            if !(value.is_finite() && value >= 0.0) {
                return Err(OdeError::Delay { index, t, value });
            }
        }
        let lagged = DelayedSystem::new(system, delays, phi, (t, dim));
        let problem = Problem::of(lagged, orders, interval, initial)?;
        Ok(Self { problem, interpolation: None })
    }

    /// The same problem with this interpolation of lagged values, whatever the
    /// [scheme wants](Scheme::interpolation).
    #[must_use]
    pub fn with_interpolation(mut self, interpolation: Interpolation) -> Self {
        self.interpolation = Some(interpolation);
        self
    }

    /// Solves it by a scheme for equations without delays.
    ///
    /// # Errors
    /// Those of [`solve`]; [`OdeError::Delay`] as their cause where a delay is negative, which
    /// would ask for a value yet to come, or not finite.
    pub fn solve(
        &self,
        scheme: &dyn Scheme,
        steps: &Steps,
        options: Options<'_>,
    ) -> Result<Solution, Failure> {
        let system = self.problem.system();
        let interpolation = self.interpolation.unwrap_or_else(|| scheme.interpolation());
        let nodes = steps.count().unwrap_or(0).saturating_add(1);
        system.past.borrow_mut().clear(interpolation, nodes, self.problem.dim());
        system.refused.set(None);
        let mut recorder = system;
        let Options { history, autotuner, save_nodes, max_steps, progress, cancel, observers } =
            options;
        // First, so that it records the node whatever the others do.
        let mut all: Vec<&mut dyn Observer> = vec![&mut recorder];
        all.extend(observers.into_iter().map(|observer| observer as &mut dyn Observer));
        let progress = progress.map(|progress| progress as &mut dyn FnMut(_));
        let observers = all;
        let options =
            Options { history, autotuner, save_nodes, max_steps, progress, cancel, observers };
        solve(&self.problem, scheme, steps, options).map_err(|failure| {
            let caused =
                matches!(failure.error, OdeError::NotFinite { .. } | OdeError::NewtonFailed { .. });
            match system.refused.get() {
                Some((index, t, value)) if caused => {
                    Failure { error: OdeError::Delay { index, t, value }, ..failure }
                }
                _ => failure,
            }
        })
    }

    /// Where the solution is less smooth: the t0 + sums of one to `levels` delays that lie inside
    /// the interval, increasing. At a sum of k delays, y behaves as the power (k+1) alpha of the
    /// distance. None if the delays depend on the state.
    pub fn break_points(&self, levels: usize) -> Option<Vec<f64>> {
        let delays = self.problem.system().delays.constant()?;
        let (t0, t1) = self.problem.interval();
        let close = 1e-12 * (t1 - t0);
        let (mut points, mut last) = (Vec::new(), vec![t0]);
        for _ in 0..levels {
            let sums = last.iter().flat_map(|t| delays.iter().map(move |tau| t + tau));
            let mut next: Vec<f64> = sums.filter(|t| t0 < *t && *t < t1).collect();
            next.sort_by(f64::total_cmp);
            next.dedup_by(|b, a| *b - *a <= close);
            points.extend_from_slice(&next);
            last = next;
        }
        points.sort_by(f64::total_cmp);
        points.dedup_by(|b, a| *b - *a <= close);
        Some(points)
    }

    /// Equal steps of which every delay is a multiple, so that all break points are nodes: the
    /// smallest such number from `at_least` on, up to eight times as many. None if there is no such
    /// number, or if the delays depend on the state.
    pub fn uniform_steps(&self, at_least: usize) -> Option<Steps> {
        let delays = self.problem.system().delays.constant()?;
        let length = self.problem.t1() - self.problem.t0();
        let divides = |n: usize, tau: f64| {
            let multiple = tau / length * n as f64;
            (multiple - multiple.round()).abs() <= 1e-9 * multiple.max(1.0)
                && (tau == 0.0 || multiple >= 0.5)
        };
        let first = at_least.max(1);
        (first..=first.saturating_mul(8))
            .find(|&n| delays.iter().all(|&tau| tau >= length || divides(n, tau)))
            .map(Steps::Uniform)
    }
}

/// Records the nodes for the right-hand side.
impl<S, D, P> Observer for &DelayedSystem<S, D, P> {
    fn node(
        &mut self,
        trajectory: &Trajectory,
        dense: &dyn DenseOutput,
    ) -> Result<ObserverAction, OdeError> {
        self.past.borrow_mut().push(trajectory, dense);
        // A refused delay of an earlier attempt did not end the solve.
        self.refused.set(None);
        Ok(ObserverAction::Continue)
    }

    fn jumped(&mut self, trajectory: &Trajectory) -> Result<(), OdeError> {
        let t = trajectory.times()[trajectory.times().len() - 1];
        Err(OdeError::NoJumps { scheme: "a delay equation", steps: "any", t })
    }
}
