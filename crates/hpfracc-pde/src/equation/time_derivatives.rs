//! Orders of the derivatives in time.

use super::Equation;
use crate::data::function_of_time::function_of_time;
use crate::error::{PdeError, Result, require, require_len};
use hpfracc_equation::Formula;
use hpfracc_spatial::TimeDerivative;
use std::sync::Arc;

/// Derivative in time of a field.
#[derive(Clone)]
pub(crate) enum FieldDerivative<'a> {
    /// Of one, several or distributed orders.
    Sum(TimeDerivative),
    /// Of an order that depends on time.
    Variable(Arc<dyn Fn(f64) -> f64 + Send + Sync + 'a>),
}

impl FieldDerivative<'_> {
    pub(crate) fn first() -> Self {
        Self::Sum(TimeDerivative::first())
    }

    /// The order, if there is one with the weight 1 at all times.
    pub(crate) fn single_order(&self) -> Option<f64> {
        match self {
            Self::Sum(derivative) => derivative.single_order(),
            Self::Variable(_) => None,
        }
    }

    /// Highest order; a variable order at t = 0.
    fn order(&self) -> f64 {
        match self {
            Self::Sum(derivative) => derivative.highest_order(),
            Self::Variable(alpha) => alpha(0.0),
        }
    }
}

impl<'a> Equation<'a> {
    /// Order alpha of all fields, 0 < alpha < 2.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange).
    pub fn order(self, alpha: f64) -> Result<Self> {
        let orders = vec![alpha; self.field_count()];
        self.orders(&orders)
    }

    /// Order of each field.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange), [`Length`](PdeError::Length).
    pub fn orders(mut self, orders: &[f64]) -> Result<Self> {
        require_len("the list of orders", orders.len(), self.field_count())?;
        for (derivative, &alpha) in self.derivatives.iter_mut().zip(orders) {
            require(alpha > 0.0 && alpha < 2.0, "the order alpha", alpha, "0 < alpha < 2")?;
            *derivative = FieldDerivative::Sum(TimeDerivative::of_order(alpha)?);
        }
        Ok(self)
    }

    /// Several or distributed orders of a field, `sum_j w_j D^alpha_j u` in place of `D^alpha u`,
    /// for [`solve_linear`](crate::solve_linear), and with orders up to 1 for
    /// [`solve`](crate::solve) with [`TimeScheme::L1`](crate::TimeScheme::L1)
    /// or [`ImplicitExplicit`](crate::TimeScheme::ImplicitExplicit).
    ///
    /// ```
    /// use hpfracc_pde::{models::Diffusion, solve_linear};
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid, TimeDerivative};
    ///
    /// // Ultraslow diffusion: all orders of (0, 1) with equal weight.
    /// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
    /// let equation = Diffusion { alpha: 1.0, kappa: 1.0 }.equation(grid)?.start(&[1.0; 100])?;
    /// let orders = TimeDerivative::distributed((0.0, 1.0), |_| 1.0)?;
    /// let equation = equation.time_derivative(0, orders)?;
    /// let u = solve_linear(&equation, &[1e2, 1e8], 1e-9)?;
    /// assert!(u[1][50] / u[0][50] > 0.2); // decays like 1 / ln t
    /// # Ok::<(), hpfracc_pde::PdeError>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist.
    pub fn time_derivative(mut self, field: usize, derivative: TimeDerivative) -> Result<Self> {
        self.check_field(field)?;
        self.derivatives[field] = FieldDerivative::Sum(derivative);
        Ok(self)
    }

    /// Variable order of a field: the Caputo derivative of the order of the present time, which
    /// Lorenzo and Hartley call type 1,
    ///
    /// ```text
    /// 1/Gamma(1-alpha(t)) int_0^t (t-s)^(-alpha(t)) du/ds(s) ds,    0 < alpha(t) <= 1
    /// ```
    ///
    /// in place of `D^alpha u`, for [`solve`](crate::solve) with [`TimeScheme::L1`](crate::TimeScheme::L1)
    /// or [`ImplicitExplicit`](crate::TimeScheme::ImplicitExplicit), which checks the order at its nodes.
    /// Earlier orders leave no trace: where alpha(t) jumps, so does the derivative.
    ///
    /// Source: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, doi:10.1023/A:1016586905654.
    ///
    /// ```
    /// use hpfracc_pde::{Settings, TimeScheme, models::FisherKpp, solve};
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
    ///
    /// // Growth in a medium that ages: from nearly normal diffusion to subdiffusion.
    /// let grid = BoxGrid::new(vec![Axis::new(0.0, 10.0, 100, [Boundary::Neumann; 2])?])?;
    /// let model = FisherKpp { alpha: 1.0, kappa: 0.1, rate: 1.0 };
    /// let equation = model.equation(grid)?.start_from(|x| (-x[0] * x[0]).exp())?;
    /// let equation = equation.variable_order(0, |t| 0.6 + 0.4 / (1.0 + t))?;
    /// let settings = Settings { scheme: TimeScheme::L1, ..Settings::default() };
    /// let solution = solve(&equation, 5.0, settings)?;
    /// assert!(solution.last().iter().all(|u| (0.0..=1.0).contains(u)));
    /// # Ok::<(), hpfracc_pde::PdeError>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist.
    pub fn variable_order(
        mut self,
        field: usize,
        alpha: impl Fn(f64) -> f64 + Send + Sync + 'a,
    ) -> Result<Self> {
        self.check_field(field)?;
        self.derivatives[field] = FieldDerivative::Variable(Arc::new(alpha));
        Ok(self)
    }

    /// Variable order as the text of a formula of t, `0.6 + 0.4/(1 + t)`, with values of its
    /// parameters after it: `a + b exp(-t); a = 0.5; b = 0.3`.
    ///
    /// # Errors
    /// [`Text`](PdeError::Text) for a text that is no formula of t, or has a parameter without a
    /// value; those of [`variable_order`](Self::variable_order).
    pub fn variable_order_text(self, field: usize, text: &str) -> Result<Self> {
        let alpha = formula_of_time(text)?;
        self.variable_order(field, alpha)
    }

    /// The equation with these derivatives of its fields.
    pub(crate) fn with_derivatives(self, derivatives: Vec<FieldDerivative<'a>>) -> Self {
        Self { derivatives, ..self }
    }

    /// Order of a field; the highest of several, a variable order at t = 0.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn order_of(&self, field: usize) -> f64 {
        self.derivatives[field].order()
    }
}

/// Function of t from the text of a formula.
fn formula_of_time(text: &str) -> Result<impl Fn(f64) -> f64 + Send + Sync + use<>> {
    let refuse = |reason: String| PdeError::Text { reason };
    let formula = Formula::parse(text, &["t"]).map_err(|error| refuse(error.to_string()))?;
    if let Some(parameter) = formula.parameters().iter().find(|p| p.value().is_nan()) {
        let name = parameter.name();
        return Err(refuse(format!("the variable order depends on {name}, which has no value")));
    }
    let numbers = formula.parameter_variables();
    let of_time = formula.column_variables();
    let count = numbers.iter().chain(&of_time).max().map_or(0, |most| *most as usize + 1);
    let mut values = vec![f64::NAN; count];
    for (number, parameter) in numbers.iter().zip(formula.parameters()) {
        values[*number as usize] = parameter.value();
    }
    Ok(function_of_time(formula.graph().clone(), formula.root(), of_time, values))
}
