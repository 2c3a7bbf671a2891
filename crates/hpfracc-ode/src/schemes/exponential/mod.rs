//! Exponential integrators.

mod chebyshev;
mod diagonal;
mod linear_part;
mod matrix;
mod mode;
mod order_derivative;
mod semilinear;

use self::diagonal::Diagonal;
use self::linear_part::LinearPart;
use self::mode::Mode;
use self::semilinear::Semilinear;
use crate::error::{all_finite, finite, require, same_length};
use crate::history::{Row, Rule};
use crate::problem::distinct;
use crate::schemes::implicit_quadrature::Weights;
use crate::schemes::scheme::{MemoryEstimate, Tables};
use crate::{
    DenseOutput, Node, OdeError, Problem, Scheme, Setup, Statistics, Stepper, System, UniformGrid,
};
use hpfracc_operators::Dual;
use std::sync::Arc;

/// Exponential integrator for stiff problems with a known stiff linear part.
///
/// With lambda chosen near the stiff part of the Jacobian, a number for each component or a matrix,
/// only `F = f - lambda y` is approximated:
///
#[doc = formula!("exponential", r"D^\alpha y = \lambda y + F(t, y), \quad e_b(t) = t^{b-1} E_{\alpha,b}(\lambda t^\alpha)
    y_n = \sum_k e_{k+1}(t_n - t_0) y^{(k)}(t_0) + \sum_{j<n} \left( e_{\alpha+1}(t_n - t_j) - e_{\alpha+1}(t_n - t_{j+1}) \right) F_j")]
///
/// is [`rectangle`](Self::rectangle), order 1. [`trapezoid`](Self::trapezoid) corrects it by F
/// linear in each step, in 1/alpha passes (rounded up): a pass adds alpha to the order until it is
/// 2, for smooth F. A right-hand side with constant F is solved exactly, by both, with steps of any
/// length; lambda = 0 is [`AdamsBashforthMoulton`](crate::AdamsBashforthMoulton).
///
/// The problem is the same as for any other scheme: lambda belongs to the scheme, and F is computed
/// as f - lambda y, whose rounding, eps lambda y, the weights divide by lambda again.
///
/// Range: alpha > 0 (at most 18; for the trapezoid at least 0.001), one per component or one for
/// all (one for all with a matrix); any finite lambda. For solutions that behave as t^alpha at the
/// start, F does too, and the orders are those of the product rules: 1 + alpha at a fixed time, 2
/// alpha over all nodes. The stability limit of the explicit scheme involves dF/dy only. Between
/// the nodes, with numbers, y comes from this equation with F linear there; with a matrix, from the
/// equation with f linear, which needs steps that resolve the decay.
///
/// Cost: one sum over the history a step and one evaluation of f; trapezoid: two, and one
/// evaluation more for each pass. Set-up: about 2 N values of Mittag-Leffler functions (trapezoid:
/// 6 N) for each different alpha and lambda. Weights from tables: no history of exponentials. With
/// a matrix of order d: N^2 d^2 in all, weights of 2 N d^2 numbers, and 3 N functions of matrices
/// at the set-up.
///
/// Source: Garrappa and Popolizio, Comput. Math. Appl. 62 (2011) 876,
/// DOI 10.1016/j.camwa.2011.04.054.
///
/// ```
/// use hpfracc_ode::{Exponential, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -1000 (y - 1), y(0) = 0: y = 1 - E_1/2(-1000 t^1/2), in four steps to rounding
/// let stiff = Problem::new(&[0.5], (0.0, 1.0), &[&[0.0]], |_, y, dydt| dydt[0] = -1000.0 * (y[0] - 1.0))?;
/// let scheme = Exponential::trapezoid(&[-1000.0]);
/// let solution = solve(&stiff, &scheme, &Steps::Uniform(4), Options::default())?;
/// assert!((solution.last()[0] - 0.9994358106985466).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Exponential {
    linear: Linear,
    rule: Rule,
}

#[derive(Debug, Clone, PartialEq)]
enum Linear {
    /// One number for all components, or one for each.
    Diagonal(Vec<f64>),
    /// Row by row.
    Matrix(Vec<f64>),
}

impl Exponential {
    /// Order 1: F constant in each step. `linear` has one lambda for all components, or one for
    /// each.
    pub fn rectangle(linear: &[f64]) -> Self {
        Self { linear: Linear::Diagonal(linear.to_vec()), rule: Rule::Rectangle }
    }

    /// Order 2: F linear in each step, its newest value predicted by the rectangle rule and
    /// corrected.
    pub fn trapezoid(linear: &[f64]) -> Self {
        Self { linear: Linear::Diagonal(linear.to_vec()), rule: Rule::Trapezoid }
    }

    /// [`rectangle`](Self::rectangle) with a square matrix, row by row.
    pub fn rectangle_of_matrix(matrix: &[f64]) -> Self {
        Self { linear: Linear::Matrix(matrix.to_vec()), rule: Rule::Rectangle }
    }

    /// [`trapezoid`](Self::trapezoid) with a square matrix, row by row. Its weights are
    /// differences, which lose digits as N grows: about 1e-16 N^(3/2) of the solution.
    pub fn trapezoid_of_matrix(matrix: &[f64]) -> Self {
        Self { linear: Linear::Matrix(matrix.to_vec()), rule: Rule::Trapezoid }
    }
}

/// Weights of an exponential integrator and their derivatives in the order, by group of components of
/// one order and one lambda.
pub(crate) struct ModeTables {
    /// By component.
    pub(crate) lambda: Vec<f64>,
    /// Group of each component.
    pub(crate) group_of: Vec<usize>,
    /// Rule by rule, that of the corrector before that of the predictor.
    pub(crate) rules: Vec<Vec<(Weights, Weights)>>,
    /// By derivative at t0, node by node: the solution for F = 0, and its derivative.
    pub(crate) homogeneous: Vec<Vec<Vec<Dual>>>,
}

impl Exponential {
    /// Number of corrector passes for some orders.
    pub(crate) fn passes(&self, orders: &[f64]) -> usize {
        let least = orders.iter().copied().fold(1.0, f64::min);
        match self.rule {
            Rule::Rectangle => 0,
            Rule::Trapezoid => (1.0 / least).ceil() as usize,
        }
    }

    /// Weights and derivatives on a grid.
    ///
    /// # Errors
    /// [`OdeError::NotDifferentiable`] for a matrix; those of Mittag-Leffler functions.
    pub(crate) fn tables<S: ?Sized>(
        &self,
        problem: &Problem<S>,
        grid: UniformGrid,
    ) -> Result<ModeTables, OdeError> {
        let lambda: Vec<f64> = match &self.linear {
            Linear::Diagonal(lambda) => {
                lambda.iter().copied().cycle().take(problem.dim()).collect()
            }
            Linear::Matrix(_) => {
                let what = "an exponential integrator with a matrix";
                return Err(OdeError::NotDifferentiable { what });
            }
        };
        let keys = lambda.iter().enumerate().map(|(i, &lambda)| (problem.order(i), lambda));
        let (modes, group_of) = distinct(keys);
        let mut tables =
            ModeTables { lambda, group_of, rules: Vec::new(), homogeneous: Vec::new() };
        let (mut correctors, mut predictors) = (Vec::new(), Vec::new());
        for (alpha, lambda) in modes {
            let pair = [
                Mode::new(alpha, lambda, grid, self.rule)?,
                Mode::order_derivative(alpha, lambda, grid, self.rule)?,
            ];
            let values = pair[0].homogeneous.iter().zip(&pair[1].homogeneous);
            let duals = values.map(|(value, derivative)| {
                let pairs = value.iter().zip(derivative);
                pairs.map(|(&value, &derivative)| Dual { value, derivative }).collect()
            });
            tables.homogeneous.push(duals.collect());
            let [(corrector, predictor), derivatives] = pair.map(mode_weights);
            predictors.push((predictor, derivatives.1));
            correctors.extend(corrector.zip(derivatives.0));
        }
        tables.rules =
            if correctors.is_empty() { vec![predictors] } else { vec![correctors, predictors] };
        Ok(tables)
    }
}

/// Weights of the trapezoid, if the mode has them, and of the rectangle.
fn mode_weights(mode: Mode) -> (Option<Weights>, Weights) {
    let Mode { cells, trapezoids, starts, .. } = mode;
    let corrector = trapezoids.first().copied().map(|newest| Weights {
        first: vec![newest],
        row: Row::Table(trapezoids),
        starts: vec![starts],
    });
    (corrector, Weights { first: vec![0.0], row: Row::Table(cells), starts: Vec::new() })
}

/// Smallest order of the trapezoid: it takes 1/alpha passes a step, each an evaluation of f.
const LEAST_ORDER: f64 = 1e-3;

impl Scheme for Exponential {
    fn name(&self) -> &'static str {
        match self.rule {
            Rule::Rectangle => "exponential rectangle",
            Rule::Trapezoid => "exponential trapezoid",
        }
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        let problem = setup.problem;
        let trapezoid = self.rule == Rule::Trapezoid;
        let kernels = if trapezoid { 2 } else { 1 };
        // Cells, hats and starts, and the homogeneous solutions.
        let tables = if trapezoid { 3 } else { 1 } + problem.initial().count();
        match &self.linear {
            Linear::Diagonal(lambda) => {
                let lambda = |i: usize| lambda.get(i).or(lambda.first()).copied();
                let keys = (0..problem.dim()).map(|i| (problem.order(i), lambda(i)));
                let modes = distinct(keys).0.len();
                let (own, kept) = (modes * tables, modes * (tables - kernels));
                let tables = Tables { kernels, product_rules: false, own, kept, after: 0 };
                setup.memory_estimate(n, modes, tables)
            }
            Linear::Matrix(matrix) => {
                // The integrals of which the weights are differences are there with them.
                let (size, samples) = (matrix.len(), problem.dim());
                let more = if trapezoid { (4 * size).saturating_sub(samples) } else { size };
                let of = |numbers: usize| numbers as f64 * n as f64;
                let stepping = of(tables * size + samples);
                Ok(MemoryEstimate { preparing: stepping + of(more), stepping })
            }
        }
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let (grid, problem, dim) = (setup.uniform(self)?, setup.problem, setup.problem.dim());
        let least = problem.orders().iter().copied().fold(1.0, f64::min);
        let inside = self.rule == Rule::Rectangle || least >= LEAST_ORDER;
        require(inside, "an order", least, "at least 0.001, for 1/alpha passes a step")?;
        let (linear, dense): (Box<dyn LinearPart>, Option<Arc<dyn DenseOutput>>);
        match &self.linear {
            Linear::Diagonal(lambda) => {
                finite("an entry of the linear part", lambda)?;
                if lambda.len() != 1 {
                    same_length("the list of linear parts", lambda.len(), dim)?;
                }
                let lambda: Vec<f64> = lambda.iter().copied().cycle().take(dim).collect();
                linear = Box::new(Diagonal::new(&lambda, setup, grid, self.rule)?);
                dense = Some(Arc::new(Semilinear::new(problem, &lambda)?));
            }
            Linear::Matrix(matrix) => {
                finite("an entry of the linear part", matrix)?;
                linear = Box::new(matrix::Matrix::new(matrix, problem, grid, self.rule)?);
                dense = None;
            }
        }
        Ok(Box::new(Exponentials {
            problem,
            linear,
            dense,
            passes: self.passes(problem.orders()),
            grid,
            index: 0,
            forcing: vec![0.0; dim],
            free: vec![0.0; dim],
            memory: vec![0.0; dim],
        }))
    }
}

struct Exponentials<'a> {
    problem: &'a Problem<dyn System + 'a>,
    linear: Box<dyn LinearPart>,
    dense: Option<Arc<dyn DenseOutput>>,
    passes: usize,
    grid: UniformGrid,
    /// Index of the last node.
    index: usize,
    /// F at the last node, or at the predicted one.
    forcing: Vec<f64>,
    free: Vec<f64>,
    memory: Vec<f64>,
}

impl Stepper for Exponentials<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        self.linear.split(node, &mut self.forcing);
        self.linear.push(&self.forcing)?;
        let next = self.index + 1;
        node.t = self.grid.t(next);
        self.linear.free(self.problem, next, &mut self.free);
        node.y.copy_from_slice(&self.free);
        self.linear.add_constant(&mut node.y)?;
        if self.passes > 0 {
            self.memory.copy_from_slice(&self.free);
            self.linear.add_linear(&mut self.memory)?;
        }
        for _ in 0..self.passes {
            self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
            self.linear.split(node, &mut self.forcing);
            node.y.copy_from_slice(&self.memory);
            self.linear.add_newest(&self.forcing, &mut node.y);
        }
        all_finite(&node.y, node.t)?;
        self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
        self.index = next;
        Ok(())
    }

    fn dense(&self) -> Option<Arc<dyn DenseOutput>> {
        self.dense.clone()
    }
}
