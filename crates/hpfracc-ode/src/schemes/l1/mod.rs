//! The implicit L1 scheme: of one order for each component, and of several or variable orders.

mod equal_steps;
mod several_orders;
mod stepper;
mod unequal_steps;
mod weights;

pub use several_orders::{L1OfOrders, TimeOrders};
pub(crate) use weights::{l1_newest, l1_row};

use super::scheme::{MemoryEstimate, Tables};
use crate::error::require;
use crate::history::CellKernel;
use crate::{OdeError, Problem, Scheme, Setup, Stepper, Steps, System};
use equal_steps::Equal;
use stepper::Implicit;
use unequal_steps::on_mesh;

/// Implicit L1 scheme: the Caputo derivative of the piecewise linear interpolant of y.
///
#[doc = formula!("l1", r"\frac{1}{\Gamma(2-\alpha)} \sum_{k<n} \frac{y_{k+1} - y_k}{t_{k+1} - t_k} \left( (t_n-t_k)^{1-\alpha} - (t_n-t_{k+1})^{1-\alpha} \right) = f(t_n, y_n)")]
///
/// Range: 0 < alpha <= 1, one per component or one for all; uniform, graded and given steps. Order
/// for smooth y: 2 - alpha. For solutions that behave as t^alpha at the start, on uniform steps: 1
/// at a fixed time, alpha over all nodes; on nodes `T (j/N)^r` over all of them min(r alpha, 2 -
/// alpha), so that r = (2 - alpha)/alpha has the full order. Stable for every
/// `D^alpha y = -lambda y`, lambda > 0. At alpha = 1 it is the backward Euler method.
///
/// Cost: Newton's iteration, and one sum over the history a step. On unequal steps a direct sum has
/// new weights, two powers for each earlier step and distinct order, N^2 in all; with exponentials
/// ("fast L1": Jiang et al., Commun. Comput. Phys. 21 (2017) 650, DOI 10.4208/cicp.OA-2016-0136)
/// memory and cost of a step are constant. A blocked history is an error there.
///
/// Source: Stynes, O'Riordan and Gracia, SIAM J. Numer. Anal. 55 (2017) 1057, DOI
/// 10.1137/16M1082329.
///
/// ```
/// use hpfracc_ode::{L1, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Graded { n: 200, exponent: 3.0 };
/// let solution = solve(&relaxation, &L1, &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct L1;

impl Scheme for L1 {
    fn name(&self) -> &'static str {
        "L1"
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            return Ok(memory_on_mesh(setup, n));
        }
        let rows = setup.order_count();
        let tables = Tables { kernels: 1, product_rules: false, own: rows, kept: 0, after: 0 };
        setup.memory_estimate(n, rows, tables)
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let problem = setup.problem;
        Self::check(problem)?;
        if let Steps::Uniform(_) = setup.steps {
            let memory = Equal::new(setup, setup.uniform(self)?)?;
            return Ok(Box::new(Implicit::new(problem, Box::new(memory))?));
        }
        let nodes = setup.steps.nodes(self.name(), problem.interval())?;
        let orders = problem.by_order().into_iter();
        let groups = orders.map(|(alpha, of)| (CellKernel::of_order(1.0 - alpha), of)).collect();
        let memory = on_mesh(setup.options.history, groups, nodes)?;
        Ok(Box::new(Implicit::new(problem, memory)?))
    }
}

impl L1 {
    /// Refuses orders above 1.
    fn check(problem: &Problem<dyn System + '_>) -> Result<(), OdeError> {
        let fits = |&alpha: &f64| {
            require(alpha <= 1.0, "the order of the L1 scheme", alpha, "0 < alpha <= 1")
        };
        problem.orders().iter().try_for_each(fits)
    }
}

/// Estimated memory on n unequal steps.
fn memory_on_mesh(setup: &Setup<'_>, n: usize) -> MemoryEstimate {
    let (history, dim) = (setup.options.history, setup.problem.dim());
    let compressed = history.numbers_of_exponentials(dim, setup.steps.ratio(n));
    let slopes = if compressed.is_none() { dim } else { 0 };
    let nodes = (1 + slopes) as f64 * n as f64;
    MemoryEstimate::constant(nodes + compressed.unwrap_or(0.0))
}
