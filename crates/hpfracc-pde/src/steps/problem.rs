//! Equations as problems of `hpfracc_ode`.

use crate::error::{PdeError, Result};
use crate::{Equation, MethodOfLines, State};
use hpfracc_ode::{OdeError, Problem};
use hpfracc_spatial::TimeDerivative;
use std::ops::Range;

impl<'a> Equation<'a> {
    /// Start and velocity, checked against the orders.
    pub(crate) fn initial(&self) -> Result<(&[f64], Option<&[f64]>)> {
        let start = self.start.as_deref().ok_or(PdeError::NoStart)?;
        let above = (0..self.field_count()).find(|field| self.order_of(*field) > 1.0);
        let Some(velocity) = self.velocity.as_deref() else {
            return match above {
                Some(field) => Err(PdeError::NoVelocity { field, alpha: self.order_of(field) }),
                None => Ok((start, None)),
            };
        };
        for (component, &value) in velocity.iter().enumerate() {
            let alpha = self.order_of(component / self.n());
            if alpha <= 1.0 && value != 0.0 {
                let derivative = 1;
                return Err(OdeError::InitialUnused { derivative, component, value, alpha }.into());
            }
        }
        Ok((start, above.map(|_| velocity)))
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
    /// [`NoStart`](PdeError::NoStart), [`NoVelocity`](PdeError::NoVelocity),
    /// [`SeveralOrders`](PdeError::SeveralOrders), and [`Ode`](PdeError::Ode) for an empty interval or a velocity of a field whose order takes
    /// none.
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
        let of = |(field, derivative): (usize, &TimeDerivative)| {
            derivative.single_order().ok_or(PdeError::SeveralOrders { field })
        };
        let single = self.derivatives.iter().enumerate().map(of).collect::<Result<Vec<f64>>>()?;
        let equal = single.iter().all(|alpha| *alpha == single[0]);
        let repeat = |alpha: &f64| std::iter::repeat_n(*alpha, self.n());
        let each: Vec<f64> = single.iter().flat_map(repeat).collect();
        let orders = if equal { &single[..1] } else { &each };
        let rows = [Some(start), velocity];
        let rows: Vec<&[f64]> = rows.into_iter().flatten().collect();
        Ok(Problem::of(system, orders, (0.0, until), &rows)?)
    }
}
