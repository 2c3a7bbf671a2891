use super::{Form, Named};
use crate::Error;
use hpfracc::ode::OdeError;
use hpfracc::ode::{
    DelayProblem, Interpolation, MultiTerm, Options, Problem, Scheme, Solution, Steps, solve,
};

/// Named equation with values of its parameters.
#[derive(Debug, Clone)]
pub struct Case {
    system: &'static Named,
    values: Vec<f64>,
    /// One order for all components, or one per component.
    pub orders: Vec<f64>,
    /// End of the interval, which starts at 0.
    pub t1: f64,
}

impl Case {
    pub(super) fn with_defaults(system: &'static Named) -> Self {
        let values = system.parameters.iter().map(|(_, value)| *value).collect();
        Self { system, values, orders: vec![system.defaults.alpha], t1: system.defaults.t1 }
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn with(mut self, name: &str, value: f64) -> Result<Self, Error> {
        let system = self.system;
        let known = system.parameters.iter().position(|(known, _)| *known == name);
        let index = known.ok_or_else(|| {
            let known = system.parameters.iter().map(|(name, _)| *name);
            Error::unknown(format!("{} has ", system.name), "parameter", name, known)
        })?;
        self.values[index] = value;
        Ok(self)
    }

    /// Equation.
    pub fn system(&self) -> &'static Named {
        self.system
    }

    /// Values of the parameters, in the order of the equation.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Solves the equation.
    ///
    /// # Errors
    /// [`Error::SystemOrder`] for an order outside the range of the equation, [`Error::Solve`] for a
    /// failure of the solver.
    pub fn solve(
        &self,
        scheme: &dyn Scheme,
        steps: &Steps,
        options: Options<'_>,
    ) -> Result<Solution, Error> {
        let Named { name, orders: (above, up_to), .. } = *self.system;
        for &alpha in &self.orders {
            if !(above < alpha && alpha <= up_to) {
                return Err(Error::SystemOrder { system: name, alpha, above, up_to });
            }
        }
        let rows = (self.system.initial)(&self.values);
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let interval = (0.0, self.t1);
        let solution = match self.system.form {
            Form::Autonomous { rhs, jacobian } => {
                let f = |_t: f64, y: &[f64], out: &mut [f64]| rhs(&self.values, y, out);
                let problem = Problem::new(&self.orders, interval, &rows, f);
                let problem = problem.map_err(Error::of_solve)?.with_jacobian(|_t, y, out| {
                    jacobian(&self.values, y, out);
                });
                solve(&problem, scheme, steps, options)
            }
            Form::SecondOrder { rhs } => {
                // Further orders would mean further derivatives.
                if self.orders.len() != 1 {
                    let (what, found) = ("the list of orders", self.orders.len());
                    return Err(Error::of_solve(OdeError::Length { what, found, expected: 1 }));
                }
                let f =
                    |_t: f64, y: &[f64], out: &mut [f64]| out[0] = rhs(&self.values, y[0], y[1]);
                let orders = [&self.orders[..], &[2.0]].concat();
                let problem = MultiTerm::explicit(&orders, interval, &rows, f);
                solve(&problem.map_err(Error::of_solve)?, scheme, steps, options)
            }
            Form::Delay { rhs, tau } => {
                let f = |_t: f64, y: &[f64], lagged: &[f64], out: &mut [f64]| {
                    out[0] = rhs(&self.values, y[0], lagged[0]);
                };
                let before = |_t: f64, y: &mut [f64]| y.copy_from_slice(rows[0]);
                let tau = vec![tau(&self.values)];
                let problem = DelayProblem::new(&self.orders, interval, &rows, tau, before, f);
                let mut problem = problem.map_err(Error::of_solve)?;
                // Long steps have polynomials inside, which lines between the nodes do not show.
                if matches!(steps, Steps::Adaptive { .. }) {
                    problem = problem.with_interpolation(Interpolation::Dense { points: 28 });
                }
                problem.solve(scheme, steps, options)
            }
        };
        solution.map_err(Error::of_solve)
    }

    /// Break points, where the solution is less smooth: multiples of a delay, at most a thousand.
    pub fn break_points(&self) -> Vec<f64> {
        let Form::Delay { tau, .. } = self.system.form else { return Vec::new() };
        let tau = tau(&self.values);
        if !(tau.is_finite() && tau > 0.0) {
            return Vec::new();
        }
        let multiples = (1..=1000).map(|k| f64::from(k) * tau);
        multiples.take_while(|t| *t < self.t1 * (1.0 - 1e-12)).collect()
    }

    /// Exact solution at t, where it is known.
    pub fn exact(&self, t: f64) -> Option<Vec<f64>> {
        let alpha = *self.orders.first()?;
        let equal = self.orders.iter().all(|order| *order == alpha);
        self.system.exact.filter(|_| equal).and_then(|exact| exact(alpha, &self.values, t))
    }
}
