use super::implicit_quadrature::{Weights, implicit};
use super::scheme::{MemoryEstimate, Tables};
use super::trapezoid_weights::{TrapezoidWeights, rectangle_order_derivative};
use super::variable_trapezoid::{Corrector, VariableTrapezoid};
use crate::history::{Row, Rule};
use crate::{AdamsBashforthMoulton, OdeError, Scheme, Setup, Stepper, Steps, UniformGrid};
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, recip_gamma,
};

/// Product integration with f constant in each step: the product rectangle rule.
///
#[doc = formula!("product_rectangle", r"\text{explicit:}\quad y_n = g(t_n) + \frac{h^\alpha}{\Gamma(\alpha+1)} \sum_{0 \le j<n} b_{n-1-j} f_j, \quad b_k = (k+1)^\alpha - k^\alpha
    \text{implicit:}\quad y_n = g(t_n) + \frac{h^\alpha}{\Gamma(\alpha+1)} \sum_{0<j \le n} b_{n-j} f_j")]
///
/// Range: alpha > 0 (at most 20), one per component or one for all. Order 1 over smooth and weakly
/// singular solutions at a fixed time; for solutions that behave as t^alpha at the start, alpha
/// over all nodes. The implicit rule is stable for every `D^alpha y = -lambda y`, lambda > 0, alpha
/// <= 1, and damps it; the explicit one is [`AdamsBashforthMoulton`] without corrector passes and
/// has its stability limit. At alpha = 1 they are Euler's methods.
///
/// Cost: one sum over the history a step, and one evaluation of f or Newton's iteration. Weights
/// from a table: no history of exponentials for the implicit rule.
///
/// Source: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341; the
/// stability of implicit product rules: Lubich, IMA J. Numer. Anal. 6 (1986) 87,
/// DOI 10.1093/imanum/6.1.87.
///
/// ```
/// use hpfracc_ode::{ProductRectangle, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Uniform(200);
/// let solution = solve(&relaxation, &ProductRectangle::Implicit, &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 2e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductRectangle {
    /// f at the start of each step.
    Explicit,
    /// f at the end of each step.
    Implicit,
}

impl Scheme for ProductRectangle {
    fn name(&self) -> &'static str {
        match self {
            Self::Explicit => "explicit product rectangle",
            Self::Implicit => "implicit product rectangle",
        }
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        let (rows, orders) = (setup.order_count(), setup.problem.orders().len());
        match self {
            Self::Explicit => AdamsBashforthMoulton { passes: 0 }.memory_estimate(setup, n),
            Self::Implicit => {
                let (own, kept) = (2 * orders + rows, 2 * orders);
                let tables = Tables { kernels: 1, product_rules: false, own, kept, after: 0 };
                setup.memory_estimate(n, rows, tables)
            }
        }
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let grid = setup.uniform(self)?;
        match self {
            Self::Explicit => AdamsBashforthMoulton { passes: 0 }.prepare(setup),
            Self::Implicit => implicit(setup, grid, |alpha| right_ends(alpha, grid)),
        }
    }
}

/// Implicit product integration with f linear in each step, of any length: the product trapezoidal
/// rule.
///
#[doc = formula!("product_trapezoid", r"y_n = g(t_n) + \frac{h^\alpha}{\Gamma(\alpha+2)} \left( a_{0,n} f_0 + \sum_{0<j \le n} c_{n-j} f_j \right)
    c_0 = 1, \quad c_k = (k+1)^{\alpha+1} - 2 k^{\alpha+1} + (k-1)^{\alpha+1}, \quad a_{0,n} = (n-1)^{\alpha+1} - (n-1-\alpha) n^\alpha")]
///
/// Range: alpha > 0 (at most 20), one per component or one for all. Order 2 for smooth
/// `D^alpha y`. For solutions that behave as t^alpha at the start: 1 + alpha at a fixed time, 2
/// alpha over all nodes (at most 2). Stable for every `D^alpha y = -lambda y`, lambda > 0, alpha <=
/// 1. At alpha = 1 it is the trapezoidal rule.
///
/// Cost: one sum over the history a step, and Newton's iteration: two evaluations of f where it is
/// linear.
///
/// On graded and given steps the same rule with the weights of those nodes: order 2 over all nodes
/// `T (j/N)^(2/alpha)` for solutions that behave as t^alpha. The history is a sum over all cells
/// ([`HistoryChoice::Exact`](crate::history::HistoryChoice::Exact),
/// [`HistoryChoice::Direct`](crate::history::HistoryChoice::Direct)), two powers for each earlier
/// step and distinct order; or kernel compression by a sum of exponentials (SOE) with some tens of
/// terms, for orders up to 2 ([`HistoryChoice::Within`](crate::history::HistoryChoice::Within) from
/// 1000 steps on, [`HistoryChoice::Exponentials`](crate::history::HistoryChoice::Exponentials)).
///
/// Adaptive steps (step size control) keep the error of the solution and of its dense output below
/// about `atol + rtol |y|` as far as the equation does not amplify errors. The error bound of a
/// step is larger near t0 and where the Jacobian is dissipative. With the default history the sum
/// runs over all cells up to 1000 steps; then a sum of exponentials accurate to a thousandth of
/// `rtol` (to 1e-12 if `rtol` is 0) replaces it, and the time and memory of a step no longer depend
/// on the number of steps. The search for the exponentials is the only allocation. They resolve
/// steps down to 1e-15 of the interval, for orders up to 2; otherwise the sums over all cells
/// continue. A rejected step costs its evaluations of f only.
///
/// Steps of 1e-15 are needed: solutions behave as t^alpha at the start, and a step with error e has
/// a length of about e^(1/(2 alpha)).
///
/// Source: the corrector of Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3,
/// DOI 10.1023/A:1016592219341, solved instead of iterated; Garrappa, Mathematics 6 (2018) 16,
/// DOI 10.3390/math6020016.
///
/// ```
/// use hpfracc_ode::{ProductTrapezoid, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::adaptive(1e-6, 1e-6);
/// let solution = solve(&relaxation, &ProductTrapezoid, &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 2e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductTrapezoid;

impl Scheme for ProductTrapezoid {
    fn name(&self) -> &'static str {
        "product trapezoid"
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            return Ok(VariableTrapezoid::memory_estimate(setup, n));
        }
        let own = setup.problem.orders().len();
        let tables = Tables { kernels: 1, product_rules: true, own, kept: own, after: 1 };
        setup.memory_estimate(n, setup.order_count(), tables)
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            return VariableTrapezoid::boxed(self.name(), Corrector::Newton, setup);
        }
        let grid = setup.uniform(self)?;
        implicit(setup, grid, |alpha| trapezoids(alpha, grid))
    }
}

/// Weights of the implicit product rectangle rule.
pub(crate) fn right_ends(alpha: f64, grid: UniformGrid) -> Result<Weights, OdeError> {
    // The rule with left end values has the same weights one lag later.
    let by_left = Row::Product { rule: Rule::Rectangle, alpha, h: grid.h() };
    Ok(all_but_the_first(by_left.weights(grid.n() + 1)?[1..].to_vec()))
}

/// Their derivatives with respect to the order.
pub(crate) fn right_ends_by_order(alpha: f64, grid: UniformGrid) -> Weights {
    let (mut w, mut by_order) = (vec![0.0; grid.n() + 1], vec![0.0; grid.n() + 1]);
    forward_differences_of_powers(alpha, &mut w);
    forward_differences_of_powers_derivative(alpha, &mut by_order);
    let scale = grid.h().powf(alpha) * recip_gamma(alpha + 1.0);
    let growth = grid.h().ln() - digamma(alpha + 1.0);
    by_order.iter_mut().zip(&w).for_each(|(change, w)| *change = scale * (*change + growth * w));
    all_but_the_first(by_order)
}

/// A convolution in which f_0 has no weight.
fn all_but_the_first(w: Vec<f64>) -> Weights {
    let start = w.iter().map(|w| -w).collect();
    Weights { first: w[..1].to_vec(), row: Row::Table(w), starts: vec![start] }
}

/// Weights of the product trapezoidal rule.
pub(crate) fn trapezoids(alpha: f64, grid: UniformGrid) -> Result<Weights, OdeError> {
    let rule = TrapezoidWeights::new(&[alpha], grid)?;
    let row = Row::Product { rule: Rule::Trapezoid, alpha, h: grid.h() };
    Ok(with_start(&rule, row, grid))
}

/// Their derivatives with respect to the order.
pub(crate) fn trapezoids_by_order(alpha: f64, grid: UniformGrid) -> Result<Weights, OdeError> {
    let (rule, kernel) = TrapezoidWeights::order_derivative(&[alpha], grid)?;
    Ok(with_start(&rule, kernel.rows()[0].clone(), grid))
}

fn with_start(rule: &TrapezoidWeights, row: Row, grid: UniformGrid) -> Weights {
    let start = (0..=grid.n()).map(|n| rule.start(0, n)).collect();
    Weights { first: vec![rule.newest(0)], row, starts: vec![start] }
}

/// Weights of the explicit product rectangle rule.
pub(crate) fn left_ends(alpha: f64, grid: UniformGrid) -> Weights {
    let row = Row::Product { rule: Rule::Rectangle, alpha, h: grid.h() };
    Weights { first: vec![0.0], row, starts: Vec::new() }
}

/// Their derivatives with respect to the order.
pub(crate) fn left_ends_by_order(alpha: f64, grid: UniformGrid) -> Result<Weights, OdeError> {
    let kernel = rectangle_order_derivative(&[alpha], grid)?;
    Ok(Weights { first: vec![0.0], row: kernel.rows()[0].clone(), starts: Vec::new() })
}
