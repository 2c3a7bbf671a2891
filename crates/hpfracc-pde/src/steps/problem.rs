//! Equations as problems of `hpfracc_ode`.

use crate::equation::FieldDerivative;
use crate::error::{PdeError, Result};
use crate::{Equation, MethodOfLines, State};
use hpfracc_ode::{L1OfOrders, OdeError, Problem, System, TimeOrders};
use std::ops::Range;
use std::sync::Arc;

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
    /// [`SeveralOrders`](PdeError::SeveralOrders), for which there is
    /// [`problem_of_orders`](Self::problem_of_orders); [`Ode`](PdeError::Ode) for an empty interval or
    /// a velocity of a field whose order takes none.
    pub fn problem(&self, until: f64) -> Result<Problem<MethodOfLines<'a>>> {
        self.problem_of(MethodOfLines::new(self.clone()), until)
    }

    /// Problem of a system for this equation, whose fields have one order each.
    pub(crate) fn problem_of<S: System>(&self, system: S, until: f64) -> Result<Problem<S>> {
        match self.derivatives.iter().position(|derivative| derivative.single_order().is_none()) {
            Some(field) => Err(PdeError::SeveralOrders { field }),
            None => self.problem_of_highest(system, until),
        }
    }

    /// Problem with the highest order of each field.
    pub(crate) fn problem_of_highest<S: System>(
        &self,
        system: S,
        until: f64,
    ) -> Result<Problem<S>> {
        let (start, velocity) = self.initial()?;
        let highest: Vec<f64> = (0..self.field_count()).map(|field| self.order_of(field)).collect();
        let equal = highest.iter().all(|alpha| *alpha == highest[0]);
        let repeat = |alpha: &f64| std::iter::repeat_n(*alpha, self.n());
        let each: Vec<f64> = highest.iter().flat_map(repeat).collect();
        let orders = if equal { &highest[..1] } else { &each };
        let rows = [Some(start), velocity];
        let rows: Vec<&[f64]> = rows.into_iter().flatten().collect();
        Ok(Problem::of(system, orders, (0.0, until), &rows)?)
    }

    /// Semi-discretisation on `[0, until]` of fields with any derivatives in time of orders up to 1,
    /// and the scheme that has these derivatives: for gradients. Other schemes take the highest order
    /// for the whole.
    ///
    /// ```
    /// use hpfracc_ode::{Cotangents, Options, Steps, gradient, solve};
    /// use hpfracc_pde::models::Diffusion;
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
    ///
    /// // Derivative of the mass that remains at t = 1 with respect to kappa and a shift of alpha(t).
    /// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 20, [Boundary::Dirichlet; 2])?])?;
    /// let equation = Diffusion { alpha: 1.0, kappa: 1.0 }.equation(grid)?.start(&[1.0; 20])?;
    /// let equation = equation.variable_order(0, |t| 0.8 - 0.3 * t)?;
    /// let (problem, scheme) = equation.problem_of_orders(1.0)?;
    /// let steps = Steps::Graded { n: 50, exponent: 2.0 };
    /// let solution = solve(&problem, &scheme, &steps, Options::default())
    ///     .map_err(|failure| failure.error)?;
    /// let mass = Cotangents::At(&[(50, &[0.05; 20])]);
    /// let bar = gradient(&problem, &scheme, &solution, mass, &Options::default())?;
    /// assert!(bar.parameters[0] < 0.0 && bar.orders[0] < 0.0);
    /// # Ok::<(), hpfracc_pde::PdeError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`problem`](Self::problem) but [`SeveralOrders`](PdeError::SeveralOrders), and
    /// [`Ode`](PdeError::Ode) for an order above 1.
    pub fn problem_of_orders(
        &self,
        until: f64,
    ) -> Result<(Problem<MethodOfLines<'a>>, L1OfOrders<'a>)> {
        let scheme = self.l1_of_orders()?;
        Ok((self.problem_of_highest(MethodOfLines::new(self.clone()), until)?, scheme))
    }

    /// Whether each field has one order.
    pub(crate) fn has_single_orders(&self) -> bool {
        self.derivatives.iter().all(|derivative| derivative.single_order().is_some())
    }

    /// The L1 scheme of the derivatives of all fields.
    pub(crate) fn l1_of_orders(&self) -> Result<L1OfOrders<'a>> {
        let orders = |derivative: &FieldDerivative<'a>| match derivative {
            FieldDerivative::Sum(sum) => TimeOrders::several(sum.terms()),
            FieldDerivative::Variable(alpha) => {
                let (alpha, first) = (Arc::clone(alpha), alpha(0.0));
                if !(first > 0.0 && first <= 1.0) {
                    return Err(OdeError::VariableOrder { t: 0.0, alpha: first });
                }
                Ok(TimeOrders::variable(move |t| alpha(t)))
            }
        };
        let derivatives = self.derivatives.iter().map(orders).collect::<Result<_, _>>()?;
        Ok(L1OfOrders::new(derivatives)?)
    }
}
