//! Adjoint and tangent of delay equations: a lagged state is a linear function of earlier nodes, and may
//! depend on parameters by its delay and by phi.

use super::DelayProblem;
use super::delayed_system::{DelayedSystem, Delays, Lag};
use super::lag_derivatives::{LagDerivatives, Shifts};
use crate::gradient::{LaggedNodes, gradient_with_lags, tangent_with_lags};
use crate::problem::{add_product, add_transposed, product};
use crate::{
    Cotangents, Differentiable, DifferentiableScheme, Interpolation, OdeError, Options, Problem,
    Solution, System, Variation,
};
use ndarray::Array2;
use std::cell::RefCell;

impl<S: Differentiable, D: Delays, P: Fn(f64, &mut [f64])> DelayProblem<S, D, P> {
    /// Adjoint sensitivity, as [`gradient`](crate::gradient()), for constant delays. Delays and phi are
    /// fixed; an [`EquationProblem`](crate::EquationProblem) has gradients with respect to their
    /// parameters too.
    ///
    /// ```
    /// use hpfracc_ode::{
    ///     AdamsBashforthMoulton, Cotangents, DelayProblem, Options, Parametric, Steps,
    /// };
    /// // D^0.9 y = -theta y(t - 1/2), y = 1 before 0.
    /// let f = Parametric::new(
    ///     &[1.5],
    ///     |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| dydt[0] = -p[0] * y[1],
    ///     |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
    ///         (f_y[1], f_p[0]) = (-p[0], -y[1]);
    ///     },
    /// );
    /// let before = |_: f64, y: &mut [f64]| y[0] = 1.0;
    /// let problem = DelayProblem::of(f, &[0.9], (0.0, 2.0), &[&[1.0]], (vec![0.5], before))?;
    /// let scheme = AdamsBashforthMoulton::default();
    /// let solution = problem.solve(&scheme, &Steps::Uniform(200), Options::default())?;
    /// let loss = Cotangents::At(&[(200, &[1.0])]);
    /// let bar = problem.gradient(&scheme, &solution, loss, &Options::default())?;
    /// assert_eq!(bar.parameters.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`gradient`](crate::gradient()); [`OdeError::NotDifferentiable`] for delays that depend
    /// on the state, lagged values from a dense output (those of
    /// [`Collocation`](crate::Collocation)), and a linear multistep method with a delay shorter than
    /// its coupled first steps.
    pub fn gradient(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &Solution,
        loss: Cotangents<'_>,
        options: &Options<'_>,
    ) -> Result<Variation, OdeError> {
        self.gradient_of_parameters(scheme, solution, loss, options, LagDerivatives::NONE)
    }

    /// Forward sensitivity, as [`tangent`](crate::tangent).
    ///
    /// # Errors
    /// Those of [`gradient`](Self::gradient), and of [`tangent`](crate::tangent).
    pub fn tangent(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &Solution,
        direction: &Variation,
        options: &Options<'_>,
    ) -> Result<Array2<f64>, OdeError> {
        self.tangent_of_parameters(scheme, solution, direction, options, LagDerivatives::NONE)
    }

    /// The gradient where delays, phi and the interval depend on the parameters.
    pub(in crate::equations) fn gradient_of_parameters(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &Solution,
        loss: Cotangents<'_>,
        options: &Options<'_>,
        derivatives: LagDerivatives<'_>,
    ) -> Result<Variation, OdeError> {
        let problem = self.linearised(scheme, solution, derivatives)?;
        if !problem.system().shifts.are_all_zero(|_| true) {
            self.check_history()?;
        }
        let lags = (problem.system() as &dyn LaggedNodes, problem.system().shortest);
        gradient_with_lags(&problem, scheme, solution, loss, options, lags)
    }

    /// The tangent where delays, phi and the interval depend on the parameters.
    pub(in crate::equations) fn tangent_of_parameters(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &Solution,
        direction: &Variation,
        options: &Options<'_>,
        derivatives: LagDerivatives<'_>,
    ) -> Result<Array2<f64>, OdeError> {
        let problem = self.linearised(scheme, solution, derivatives)?;
        let changes = |k| direction.parameters.get(k).is_some_and(|change: &f64| *change != 0.0);
        if !problem.system().shifts.are_all_zero(changes) {
            self.check_history()?;
        }
        let lags = (problem.system() as &dyn LaggedNodes, problem.system().shortest);
        tangent_with_lags(&problem, scheme, solution, direction, options, lags)
    }

    /// Refuses a phi that does not end at the initial values: the solution jumps where a lagged time that
    /// is a node of the solution falls before t0.
    fn check_history(&self) -> Result<(), OdeError> {
        let mut before = vec![0.0; self.problem.dim()];
        self.problem.system().write_before(self.problem.t0(), &mut before);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        let first = self.problem.initial().next().unwrap_or_default();
        if before.iter().zip(first).all(close) {
            return Ok(());
        }
        let what = "a delay equation whose values before t0 do not end at the initial values, with \
                    respect to a delay";
        Err(OdeError::NotDifferentiable { what })
    }

    /// The problem linearised at the nodes of a solution.
    fn linearised<'a>(
        &'a self,
        scheme: &dyn DifferentiableScheme,
        solution: &Solution,
        derivatives: LagDerivatives<'a>,
    ) -> Result<Problem<Linearised<'a, S, D, P>>, OdeError> {
        let system = self.problem.system();
        let Some(delays) = system.delays.constant() else {
            let what = "a delay equation whose delays depend on the state";
            return Err(OdeError::NotDifferentiable { what });
        };
        let interpolation = self.interpolation.unwrap_or_else(|| scheme.interpolation());
        if matches!(interpolation, Interpolation::Dense { .. }) {
            let what = "a delay equation with lagged values from a dense output";
            return Err(OdeError::NotDifferentiable { what });
        }
        let (trajectory, dim) = (solution.trajectory(), self.problem.dim());
        let mut past = system.past.borrow_mut();
        past.clear(interpolation, trajectory.times().len(), dim);
        past.set_nodes(trajectory);
        let shortest =
            delays.iter().copied().filter(|tau| *tau > 0.0).fold(f64::INFINITY, f64::min);
        let parameters = system.system.parameters().len();
        let linearised = Linearised {
            delays: delays.to_vec(),
            shortest,
            shifts: derivatives.shifts(delays),
            derivatives,
            of: system,
            work: RefCell::new(Work::new(dim, delays.len(), parameters)),
            nodes: RefCell::new(vec![0.0; trajectory.times().len() * dim]),
        };
        let rows: Vec<&[f64]> = self.problem.initial().collect();
        let (orders, interval) = (self.problem.orders(), self.problem.interval());
        Problem::of(linearised, orders, interval, &rows)
    }
}

/// The right-hand side with the cotangents, or the changes, of all nodes.
struct Linearised<'a, S, D, P> {
    of: &'a DelayedSystem<S, D, P>,
    delays: Vec<f64>,
    /// The shortest delay above 0.
    shortest: f64,
    derivatives: LagDerivatives<'a>,
    shifts: Shifts,
    work: RefCell<Work>,
    /// Cotangents from lagged states, or changes, node by node.
    nodes: RefCell<Vec<f64>>,
}

/// Scratch of a product.
struct Work {
    delays: Vec<f64>,
    /// The state with the lagged states.
    arguments: Vec<f64>,
    /// Their cotangents or changes.
    changes: Vec<f64>,
    /// Derivatives of f with respect to all arguments, a row for each component.
    jacobian: Vec<f64>,
    unit: Vec<f64>,
    unused: Vec<f64>,
    lag: LagWork,
}

/// Scratch of the derivatives of a lagged value.
struct LagWork {
    /// With respect to the parameters, a row for each component.
    by_parameters: Vec<f64>,
    /// Derivatives of phi with respect to the parameters, then time.
    before: Vec<f64>,
    /// With respect to the lagged time.
    slope: Vec<f64>,
}

impl Work {
    fn new(dim: usize, delays: usize, parameters: usize) -> Self {
        let arguments = (delays + 1) * dim;
        Self {
            delays: vec![0.0; delays],
            arguments: vec![0.0; arguments],
            changes: vec![0.0; arguments],
            jacobian: vec![0.0; dim * arguments],
            unit: vec![0.0; dim],
            unused: vec![0.0; parameters],
            lag: LagWork {
                by_parameters: vec![0.0; dim * parameters],
                before: vec![0.0; dim * (parameters + 1)],
                slope: vec![0.0; dim],
            },
        }
    }
}

impl<S, D, P> Linearised<'_, S, D, P> {
    /// Calls `with` for each lagged state, as a linear function of nodes: its number, the node (None
    /// is the present state), and a factor.
    fn each_lag(&self, t: f64, mut with: impl FnMut(usize, Option<usize>, f64)) {
        for (lag, &tau) in (1..).zip(&self.delays) {
            match self.of.lag(tau, t) {
                Lag::Present => with(lag, None, 1.0),
                Lag::Before(_) => {}
                Lag::Start => with(lag, Some(0), 1.0),
                Lag::Between(s) => {
                    self.of.past.borrow().weights(s, t, |node, factor| with(lag, node, factor));
                }
            }
        }
    }

    /// Writes the derivatives of a lagged state with respect to the parameters at fixed nodes; false if
    /// all are zero.
    fn write_by_parameters(&self, lag: usize, t: f64, y: &[f64], work: &mut LagWork) -> bool {
        let Some(shifts) = self.shifts.of(lag - 1) else { return false };
        let (tau, t0, count) = (self.delays[lag - 1], self.of.t0, shifts.len());
        let LagWork { by_parameters, before, slope } = work;
        let rows = by_parameters.chunks_exact_mut(count);
        let place = self.of.lag(tau, t);
        if let Lag::Before(s) = place {
            (self.derivatives.before)(s, before);
            for (row, before) in rows.zip(before.chunks_exact(count + 1)) {
                for (k, entry) in row.iter_mut().enumerate() {
                    let time = self.derivatives.of_place(k, s - t0) + shifts[k];
                    *entry = before[k] + product(before[count], time);
                }
            }
            return true;
        }
        if shifts.iter().all(|shift| *shift == 0.0) {
            return false;
        }
        let (past, rounding) = (self.of.past.borrow(), self.of.rounding(tau, t));
        match place {
            Lag::Between(s) => past.slope(s, (t, y), rounding, slope),
            Lag::Present if t > t0 => past.slope(t, (t, y), rounding, slope),
            _ => {
                // One of the two derivatives at t0 is that of phi.
                (self.derivatives.before)(t0, before);
                let of_phi = before.iter().skip(count).step_by(count + 1);
                if matches!(place, Lag::Start) {
                    past.slope(t0, (t, y), rounding, slope);
                    slope.iter_mut().zip(of_phi).for_each(|(s, phi)| *s = 0.5 * (*s + phi));
                } else {
                    slope.iter_mut().zip(of_phi).for_each(|(s, phi)| *s = *phi);
                }
            }
        }
        for (row, slope) in rows.zip(slope) {
            row.iter_mut().zip(shifts).for_each(|(entry, shift)| *entry = product(*slope, *shift));
        }
        true
    }
}

impl<S: System, D: Delays, P: Fn(f64, &mut [f64])> System for Linearised<'_, S, D, P>
where
    S: Differentiable,
{
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.of.rhs(t, y, dydt);
    }

    /// With respect to the present state, also as far as lagged states depend on it.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        let (dim, width) = (y.len(), y.len() * (self.delays.len() + 1));
        let work = &mut *self.work.borrow_mut();
        self.of.arguments(t, y, &mut work.delays, &mut work.arguments);
        let wide = &mut work.jacobian;
        if !self.of.system.jacobian(t, &work.arguments, wide) {
            wide.fill(0.0);
            for (component, row) in wide.chunks_exact_mut(width).enumerate() {
                work.unit[component] = 1.0;
                self.of.system.vjp(t, &work.arguments, &work.unit, row, &mut work.unused);
                work.unit[component] = 0.0;
            }
        }
        for (row, wide) in jacobian.chunks_exact_mut(dim).zip(wide.chunks_exact(width)) {
            row.copy_from_slice(&wide[..dim]);
            self.each_lag(t, |lag, node, factor| {
                if node.is_none() {
                    let lagged = &wide[lag * dim..][..dim];
                    row.iter_mut().zip(lagged).for_each(|(row, entry)| *row += factor * entry);
                }
            });
        }
        true
    }
}

impl<S: Differentiable, D: Delays, P: Fn(f64, &mut [f64])> Differentiable
    for Linearised<'_, S, D, P>
{
    fn parameters(&self) -> &[f64] {
        self.of.system.parameters()
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        let dim = y.len();
        let Work { delays, arguments, changes: bars, lag: work, .. } = &mut *self.work.borrow_mut();
        self.of.arguments(t, y, delays, arguments);
        bars.fill(0.0);
        self.of.system.vjp(t, arguments, fbar, bars, thetabar);
        ybar.iter_mut().zip(&*bars).for_each(|(ybar, bar)| *ybar += bar);
        let nodes = &mut *self.nodes.borrow_mut();
        self.each_lag(t, |lag, node, factor| {
            let to = match node {
                Some(node) => &mut nodes[node * dim..][..dim],
                None => &mut *ybar,
            };
            to.iter_mut().zip(&bars[lag * dim..]).for_each(|(to, bar)| *to += factor * bar);
        });
        for (lag, bars) in bars.chunks_exact(dim).enumerate().skip(1) {
            if self.write_by_parameters(lag, t, y, work) {
                add_transposed(&work.by_parameters, bars, thetabar);
            }
        }
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let dim = y.len();
        let Work { delays, arguments, changes, lag: work, .. } = &mut *self.work.borrow_mut();
        self.of.arguments(t, y, delays, arguments);
        changes.fill(0.0);
        changes[..dim].copy_from_slice(dy);
        let nodes = self.nodes.borrow();
        self.each_lag(t, |lag, node, factor| {
            let from = node.map_or(dy, |node| &nodes[node * dim..][..dim]);
            let to = &mut changes[lag * dim..][..dim];
            to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
        });
        for (lag, changes) in changes.chunks_exact_mut(dim).enumerate().skip(1) {
            if self.write_by_parameters(lag, t, y, work) {
                add_product(&work.by_parameters, dtheta, changes);
            }
        }
        self.of.system.jvp(t, arguments, changes, dtheta, df);
    }
}

impl<S, D, P> LaggedNodes for Linearised<'_, S, D, P> {
    fn add_cotangent(&self, node: usize, ybar: &mut [f64]) {
        let nodes = self.nodes.borrow();
        let from = &nodes[node * ybar.len()..];
        ybar.iter_mut().zip(from).for_each(|(ybar, bar)| *ybar += bar);
    }

    fn set_change(&self, node: usize, dy: &[f64]) {
        self.nodes.borrow_mut()[node * dy.len()..][..dy.len()].copy_from_slice(dy);
    }
}
