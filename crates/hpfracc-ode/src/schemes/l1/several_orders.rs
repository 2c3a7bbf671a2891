use super::stepper::Implicit;
use super::unequal_steps::on_mesh;
use super::{L1, memory_on_mesh};
use crate::error::require;
use crate::history::{CellKernel, OrderGroup};
use crate::{MemoryEstimate, OdeError, Scheme, Setup, Stepper};
use hpfracc_operators::Number;
use std::fmt;
use std::sync::Arc;

/// Implicit L1 scheme of several, distributed and variable orders:
///
#[doc = formula!("l1_of_orders", r"\sum_j w_j D^{\alpha_j} y = f(t, y), \quad \text{or} \quad \frac{1}{\Gamma(1-\alpha(t))} \int_{t_0}^t (t-s)^{-\alpha(t)} y'(s) \, ds = f(t, y)")]
///
/// with 0 < alpha <= 1. The derivatives are those of the piecewise linear interpolant of y. A variable order is that of the present time, "type 1" of Lorenzo and Hartley:
/// each value is a derivative of one order, without memory of earlier orders.
///
/// Order for smooth y: 2 - alpha, alpha the highest order. Solutions behave at the start as t to the
/// highest order, or the order at t0; on nodes `T (j/N)^r` see [`L1`]. Weights are positive and fall
/// with the distance, so that the discrete maximum principle of [`L1`] holds. Steps: uniform, graded
/// and given. Dense output is linear in each step.
///
/// Cost: with exponentials the states of one order, since the rates do not depend on the order:
/// several orders have one memory with summed weights, a variable order has weights that change with
/// time. Direct sums have two powers for each order and earlier step.
///
/// [Gradients](crate::gradient()) with respect to orders are those with respect to a common shift of
/// all orders of a component.
///
/// The orders of the [`Problem`](crate::Problem) tell the number of its initial values, and should
/// be the highest ones.
///
/// Sources: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654 (variable
/// order); Jin, Lazarov, Liu and Zhou, J. Comput. Phys. 281 (2015) 825, DOI
/// 10.1016/j.jcp.2014.10.051 (L1 of several orders).
///
/// ```
/// use hpfracc_ode::{L1OfOrders, Options, Problem, Steps, TimeOrders, solve};
/// use hpfracc_special::gamma;
///
/// // D^0.8 y + 2 D^0.3 y = f with the solution t.
/// let f = |t: f64, _: &[f64], dydt: &mut [f64]| {
///     dydt[0] = t.powf(0.2) / gamma(1.2) + 2.0 * t.powf(0.7) / gamma(1.7);
/// };
/// let problem = Problem::new(&[0.8], (0.0, 1.0), &[&[0.0]], f)?;
/// let orders = TimeOrders::several(&[(1.0, 0.8), (2.0, 0.3)])?;
/// let scheme = L1OfOrders::new(vec![orders])?;
/// let solution = solve(&problem, &scheme, &Steps::Uniform(10), Options::default())?;
/// assert!((solution.last()[0] - 1.0).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct L1OfOrders<'a> {
    derivatives: Vec<TimeOrders<'a>>,
}

/// Orders of a Caputo derivative.
#[derive(Clone)]
pub struct TimeOrders<'a>(Orders<'a>);

#[derive(Clone)]
enum Orders<'a> {
    /// Weights and orders.
    Several(Vec<(f64, f64)>),
    Variable(Arc<dyn Fn(f64) -> f64 + Send + Sync + 'a>),
}

impl fmt::Debug for TimeOrders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Orders::Several(terms) => f.debug_tuple("Several").field(terms).finish(),
            Orders::Variable(_) => f.write_str("Variable"),
        }
    }
}

/// Variable orders are equal if they are the same function.
impl PartialEq for TimeOrders<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Orders::Several(one), Orders::Several(other)) => one == other,
            (Orders::Variable(one), Orders::Variable(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

const RANGE: &str = "0 < alpha <= 1";

impl<'a> TimeOrders<'a> {
    /// `sum_j w_j D^alpha_j` from weights and orders `(w_j, alpha_j)`, 0 < alpha_j <= 1.
    ///
    /// # Errors
    /// [`OdeError::Empty`] without an order, [`OdeError::OutOfRange`] for a weight that is not
    /// positive and finite, and for an order outside its range.
    pub fn several(terms: &[(f64, f64)]) -> Result<Self, OdeError> {
        if terms.is_empty() {
            return Err(OdeError::Empty);
        }
        for &(weight, alpha) in terms {
            let fits = weight > 0.0 && weight.is_finite();
            require(fits, "the weight of an order", weight, "a positive number")?;
            require(alpha > 0.0 && alpha <= 1.0, "an order of the L1 scheme", alpha, RANGE)?;
        }
        Ok(Self(Orders::Several(terms.to_vec())))
    }

    /// `D^alpha(t)`, 0 < alpha(t) <= 1, which a solve checks at its nodes.
    pub fn variable(alpha: impl Fn(f64) -> f64 + Send + Sync + 'a) -> Self {
        Self(Orders::Variable(Arc::new(alpha)))
    }

    /// Kernel of the integral of y' on a mesh, with orders as numbers.
    fn kernel<T: Number>(
        &self,
        nodes: &[f64],
        number: impl Fn(f64) -> T,
    ) -> Result<CellKernel<T>, OdeError> {
        let of_integral = |alpha: f64| -number(alpha) + 1.0;
        match &self.0 {
            Orders::Several(terms) => {
                let terms: Vec<(f64, T)> =
                    terms.iter().map(|(weight, alpha)| (*weight, of_integral(*alpha))).collect();
                Ok(CellKernel::of_orders(&terms))
            }
            Orders::Variable(alpha) => {
                // The derivative is not evaluated at the start.
                let times = nodes[1..].to_vec();
                let order = |&t: &f64| {
                    let alpha = alpha(t);
                    let fits = alpha > 0.0 && alpha <= 1.0;
                    if fits {
                        Ok(of_integral(alpha))
                    } else {
                        Err(OdeError::VariableOrder { t, alpha })
                    }
                };
                let orders = times.iter().map(order).collect::<Result<Vec<_>, _>>()?;
                Ok(CellKernel::of_variable_order(times, &orders))
            }
        }
    }
}

impl<'a> L1OfOrders<'a> {
    /// With derivatives of as many equal parts of the components: one for all, or one for each field
    /// or component.
    ///
    /// # Errors
    /// [`OdeError::Empty`] without a derivative.
    pub fn new(derivatives: Vec<TimeOrders<'a>>) -> Result<Self, OdeError> {
        if derivatives.is_empty() { Err(OdeError::Empty) } else { Ok(Self { derivatives }) }
    }

    /// Kernels of the integrals of y' on a mesh, with their components.
    pub(crate) fn groups<T: Number>(
        &self,
        dim: usize,
        nodes: &[f64],
        number: impl Fn(f64) -> T,
    ) -> Result<Vec<OrderGroup<T>>, OdeError> {
        let parts = self.derivatives.len();
        let (what, expected) = ("the number of derivatives", "a divisor of that of components");
        require(dim.is_multiple_of(parts), what, parts as f64, expected)?;
        let len = dim / parts;
        let group = |(part, derivative): (usize, &TimeOrders<'_>)| {
            Ok((derivative.kernel(nodes, &number)?, (part * len..(part + 1) * len).collect()))
        };
        self.derivatives.iter().enumerate().map(group).collect()
    }
}

impl Scheme for L1OfOrders<'_> {
    fn name(&self) -> &'static str {
        "L1 of several orders"
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        Ok(memory_on_mesh(setup, n))
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        L1::check(setup.problem)?;
        let nodes = setup.steps.nodes(self.name(), setup.problem.interval())?;
        let groups = self.groups(setup.problem.dim(), &nodes, |alpha| alpha)?;
        let memory = on_mesh(setup.options.history, groups, nodes)?;
        Ok(Box::new(Implicit::new(setup.problem, memory)?.with_linear_output()))
    }
}
