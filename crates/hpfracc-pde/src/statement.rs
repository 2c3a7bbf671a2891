//! Equations as problems of `hpfracc_ode`.

use crate::error::{PdeError, Result};
use crate::{Equation, MethodOfLines, State};
use hpfracc_ode::{OdeError, Problem};
use std::ops::Range;

impl<'a> Equation<'a> {
    /// Start and velocity, checked against the orders.
    pub(crate) fn initial(&self) -> Result<(&[f64], Option<&[f64]>)> {
        let start = self.start.as_deref().ok_or(PdeError::NoStart)?;
        let above = self.orders.iter().position(|alpha| *alpha > 1.0);
        match (above, &self.velocity) {
            (Some(field), None) => Err(PdeError::NoVelocity { field, alpha: self.orders[field] }),
            (None, Some(v)) => match v.iter().position(|v| *v != 0.0) {
                Some(component) => Err(PdeError::Ode(OdeError::InitialUnused {
                    derivative: 1,
                    component,
                    value: v[component],
                    alpha: self.orders[component / self.n()],
                })),
                None => Ok((start, None)),
            },
            (_, velocity) => Ok((start, velocity.as_deref())),
        }
    }

    /// State for the evaluation of a term.
    pub(crate) fn state<'s>(&'s self, t: f64, u: &'s [f64], range: &Range<usize>) -> State<'s> {
        State { t, u, theta: &self.theta[range.clone()], points: &self.points, n: self.n() }
    }

    /// Semi-discretisation on `[0, until]`: a problem for the solvers and gradients of
    /// `hpfracc_ode`.
    ///
    /// ```
    /// use hpfracc_ode::{Cotangents, Options, ProductTrapezoid, Steps, gradient, solve};
    /// use hpfracc_pde::Equation;
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid, Laplacian};
    /// use std::sync::Arc;
    ///
    /// // Derivative of the mass that remains at t = 1 with respect to the order and kappa.
    /// let axis = Axis::new(0.0, 1.0, 20, [Boundary::Dirichlet; 2])?;
    /// let laplacian = Laplacian::new(BoxGrid::new(vec![axis])?, &[1.0])?;
    /// let equation = Equation::on_box(Arc::new(laplacian)).order(0.6)?.start(&[1.0; 20])?;
    /// let problem = equation.problem(1.0)?;
    /// let steps = Steps::Graded { n: 50, exponent: 3.0 };
    /// let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())
    ///     .map_err(|failure| failure.error)?;
    /// let mass = Cotangents::At(&[(50, &[0.05; 20])]);
    /// let bar = gradient(&problem, &ProductTrapezoid, &solution, mass, &Options::default())?;
    /// assert!(bar.parameters[0] < 0.0); // more diffusion leaves less mass
    /// # Ok::<(), hpfracc_pde::PdeError>(())
    /// ```
    ///
    /// # Errors
    /// [`NoStart`](PdeError::NoStart), [`NoVelocity`](PdeError::NoVelocity), and
    /// [`Ode`](PdeError::Ode) for an interval that is none or a velocity that no order takes.
    pub fn problem(&self, until: f64) -> Result<Problem<MethodOfLines<'a>>> {
        self.problem_of(MethodOfLines::new(self.clone()), until)
    }

    /// Problem of a system for this equation.
    pub(crate) fn problem_of<S: hpfracc_ode::System>(
        &self,
        system: S,
        until: f64,
    ) -> Result<Problem<S>> {
        let (start, velocity) = self.initial()?;
        let equal = self.orders.iter().all(|alpha| *alpha == self.orders[0]);
        let repeat = |alpha: &f64| std::iter::repeat_n(*alpha, self.n());
        let each: Vec<f64> = self.orders.iter().flat_map(repeat).collect();
        let orders = if equal { &self.orders[..1] } else { &each };
        let rows = [Some(start), velocity];
        let rows: Vec<&[f64]> = rows.into_iter().flatten().collect();
        Ok(Problem::of(system, orders, (0.0, until), &rows)?)
    }
}
