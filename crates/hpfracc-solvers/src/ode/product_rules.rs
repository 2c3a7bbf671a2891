use super::quadrature::{Implicit, Weights};
use super::{AdamsBashforthMoulton, Problem, Scheme, Stepper, Steps, System};
use crate::SolveError;
use crate::history::{HistoryChoice, Row, Rule};
use hpfracc_operators::{Operator, OperatorError, RlIntegral};
use hpfracc_types::{Grid, Order};

/// The product rectangle rule: f is constant in each step, its value that of one end.
///
/// ```text
/// explicit:  y_n = g(t_n) + h^a/Gamma(a+1) sum_{0<=j<n} b_{n-1-j} f_j,   b_k = (k+1)^a - k^a
/// implicit:  y_n = g(t_n) + h^a/Gamma(a+1) sum_{0<j<=n} b_{n-j} f_j
/// ```
///
/// Range: alpha > 0 (at most 20), another for each component if wanted. Order 1 over smooth and weakly
/// singular solutions at a fixed time; for solutions that behave as t^alpha at the start, alpha over
/// all nodes. The implicit rule is stable for every `D^alpha y = -lambda y`, lambda > 0, and damps it;
/// the explicit one is [`AdamsBashforthMoulton`] without corrector passes and shares its limit. At
/// alpha = 1 they are Euler's methods.
///
/// Cost: one sum over the history a step, and one evaluation of f or Newton's iteration. Weights from a
/// table: no history of exponentials for the implicit rule.
///
/// Source: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341; the
/// stability of implicit product rules: Lubich, IMA J. Numer. Anal. 6 (1986) 87,
/// DOI 10.1093/imanum/6.1.87.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductRectangle {
    /// The value at the start of each step.
    Explicit,
    /// The value at its end.
    Implicit,
}

impl Scheme for ProductRectangle {
    fn name(&self) -> &'static str {
        match self {
            Self::Explicit => "explicit product rectangle",
            Self::Implicit => "implicit product rectangle",
        }
    }

    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, SolveError> {
        let n = steps.uniform(self.name())?;
        match self {
            Self::Explicit => AdamsBashforthMoulton { passes: 0 }.prepare(problem, steps, history),
            Self::Implicit => implicit(problem, n, history, right_ends),
        }
    }
}

/// The implicit product trapezoidal rule: f is linear in each step.
///
/// ```text
/// y_n = g(t_n) + h^a/Gamma(a+2) (a_{0,n} f_0 + sum_{0<j<=n} c_{n-j} f_j)
/// c_0 = 1,   c_k = (k+1)^(a+1) - 2 k^(a+1) + (k-1)^(a+1),   a_{0,n} = (n-1)^(a+1) - (n-1-a) n^a
/// ```
///
/// Range: alpha > 0 (at most 20), another for each component if wanted. Order 2 for smooth
/// `D^alpha y`. For solutions that behave as t^alpha at the start: 1 + alpha at a fixed time, 2 alpha
/// over all nodes (at most 2). Stable for every `D^alpha y = -lambda y`, lambda > 0, alpha <= 1. At
/// alpha = 1 it is the trapezoidal rule.
///
/// Cost: one sum over the history a step, and Newton's iteration: two evaluations of f where it is
/// linear.
///
/// Source: the corrector of Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3,
/// DOI 10.1023/A:1016592219341, solved instead of passed through; Garrappa, Mathematics 6 (2018) 16,
/// DOI 10.3390/math6020016.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductTrapezoid;

impl Scheme for ProductTrapezoid {
    fn name(&self) -> &'static str {
        "product trapezoid"
    }

    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, SolveError> {
        let n = steps.uniform(self.name())?;
        implicit(problem, n, history, trapezoids)
    }
}

/// A stepper from the weights of each order, given alpha, h and N.
pub(super) fn implicit<'a>(
    problem: &'a Problem<dyn System + 'a>,
    n: usize,
    history: HistoryChoice,
    weights: impl Fn(f64, f64, usize) -> Result<Weights, SolveError>,
) -> Result<Box<dyn Stepper + 'a>, SolveError> {
    let h = (problem.t1() - problem.t0()) / n as f64;
    let weights = problem.orders().iter().map(|&alpha| weights(alpha, h, n));
    Ok(Box::new(Implicit::new(problem, n, weights.collect::<Result<_, _>>()?, history)?))
}

fn right_ends(alpha: f64, h: f64, n: usize) -> Result<Weights, SolveError> {
    // The rule of left ends has the same weights one lag later.
    let mut by_left = toeplitz(Rule::Rectangle, alpha, h, n + 1)?.0;
    by_left.remove(0);
    let start = by_left.iter().map(|w| -w).collect();
    Ok(Weights { first: by_left[..1].to_vec(), row: Row::table(by_left), starts: vec![start] })
}

fn trapezoids(alpha: f64, h: f64, n: usize) -> Result<Weights, SolveError> {
    let (causal, starts) = toeplitz(Rule::Trapezoid, alpha, h, n)?;
    let row = Row::Product { rule: Rule::Trapezoid, alpha, h };
    Ok(Weights { first: causal[..1].to_vec(), row, starts })
}

/// The weights of a product rule by lag, and those that it has for the first sample beside them.
pub(super) fn toeplitz(
    rule: Rule,
    alpha: f64,
    h: f64,
    n: usize,
) -> Result<(Vec<f64>, Vec<Vec<f64>>), SolveError> {
    let order = Order::new(alpha).map_err(OperatorError::from)?;
    let grid = Grid::uniform(n + 1, h).map_err(OperatorError::from)?;
    let integral = match rule {
        Rule::Rectangle => RlIntegral::rectangle(order)?,
        Rule::Trapezoid => RlIntegral::trapezoid(order)?,
    };
    match integral.weights(grid)? {
        hpfracc_operators::Weights::Toeplitz(weights) => {
            Ok((weights.causal, weights.starts.into_iter().map(|start| start.column).collect()))
        }
        _ => unreachable!("the weights of an integral are those of a sum"),
    }
}
