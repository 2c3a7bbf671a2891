//! Derivatives of a solve, exact for what the scheme computed.
//!
//! The nodes of a scheme are a function of the initial rows, the parameters and the orders. For that
//! function, and not for the equation behind it, [`gradient`] is the transposed derivative applied to
//! cotangents and [`tangent`] the derivative applied to a direction, both to rounding.
//!
//! With scaled weights c (product trapezoid, `a_{0,n}` the one of f_0) and b (product rectangle, by lag
//! from 1), `l_n = dL/dy_n`, and the predictor-corrector method with one pass,
//!
//! ```text
//! Fbar_n   = sum_{m>n} (c_{m-n} u_m + b_{m-n} v_m)                       n = N, N-1, ..., 0
//! u_n      = l_n + f_y(y_n)^T Fbar_n                                     cotangent of the corrector
//! v_n      = c_0 f_y(p_n)^T u_n                                          cotangent of the predictor
//! thetabar = sum_n f_theta(y_n)^T Fbar_n + c_0 f_theta(p_n)^T u_n
//! y_jbar   = sum_n (u_n + v_n) (t_n - t0)^j / j!  +  (j = 0) (l_0 + f_y(y_0)^T Fbar_0)
//! abar     = sum_n F_n . sum_{m>n} (dc_{m-n} u_m + db_{m-n} v_m) + dc_0 u_n . f(t_n, p_n)
//! ```
//!
//! with a_{0,m} in place of c_m for n = 0, and db, dc the derivatives of the weights in alpha. The sums
//! run over later nodes: on reversed data they are the online convolutions of the solve, and the same
//! histories take them.
//!
//! More passes chain v through each of them; where the step is solved instead,
//! `u_n = (I - c_0 f_y)^-T (l_n + f_y^T Fbar_n)`. Components of different orders have weights of their
//! own, and each order its gradient.
//!
//! Cost of either: two to three solves by the predictor-corrector method with the blocked history, one
//! to one and a half by the implicit product trapezoid, one by L1 (`ode/gradient` of the benches);
//! memory O(N). Source: the chain rule, applied backwards as in Griewank and Walther, Evaluating
//! Derivatives, 2nd ed., SIAM 2008, DOI 10.1137/1.9780898717761.

mod l1;
mod variation;
mod volterra;

pub use variation::{Cotangents, Variation};

use super::{
    AdamsBashforthMoulton, Differentiable, L1, Problem, ProductTrapezoid, Scheme, Solution,
    Statistics, Steps, Trajectory, UniformGrid,
};
use crate::OdeError;
use crate::error::same_length;
use crate::history::HistoryChoice;
use ndarray::Array2;
use volterra::Corrector;

/// A scheme whose derivatives are known, on equal steps.
///
/// The schemes of this module that have them; [`gradient`] and [`tangent`] check what goes in.
pub trait DifferentiableScheme: Scheme {
    /// The transposed derivative applied to `dL/dy_n`, node by node.
    ///
    /// # Errors
    /// Those of [`gradient`].
    fn adjoint(
        &self,
        solved: &Solved<'_>,
        cotangents: &[f64],
        history: HistoryChoice,
    ) -> Result<Variation, OdeError>;

    /// The derivative applied to a direction, node by node.
    ///
    /// # Errors
    /// Those of [`tangent`].
    fn forward(
        &self,
        solved: &Solved<'_>,
        direction: &Variation,
        history: HistoryChoice,
    ) -> Result<Vec<f64>, OdeError>;
}

/// A problem and its solution on equal steps, checked to belong together.
pub struct Solved<'a> {
    problem: &'a Problem<dyn Differentiable + 'a>,
    trajectory: &'a Trajectory,
    grid: UniformGrid,
}

/// The grid and the nodes; the problem has code in it.
impl std::fmt::Debug for Solved<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { trajectory, grid, .. } = self;
        let mut shown = f.debug_struct("Solved");
        shown.field("trajectory", trajectory).field("grid", grid).finish_non_exhaustive()
    }
}

/// The derivative of a loss L(y_0, ..., y_N) in all that the solution depends on: the initial rows,
/// the parameters of f and the orders.
///
/// `history` sums the memory of the adjoint equation, and best is that of the solve: `Exponentials`
/// are then differentiated as such. The gradient in the orders takes exact weights always.
///
/// In the order of a component the gradient is one-sided at whole numbers, where above it another
/// initial row would be asked for: it is that for the rows given.
///
/// ```
/// use hpfracc_ode::history::HistoryChoice;
/// use hpfracc_ode::{
///     AdamsBashforthMoulton, Cotangents, Options, Parametric, Problem, Steps, gradient, solve,
/// };
///
/// // D^1/2 y = -theta y, y(0) = 1; L = y(1) = E_1/2(-theta), dL/dtheta = -2/sqrt(pi) + 2 L at 1.
/// let decay = Parametric::new(
///     &[1.0],
///     |_: f64, y: &[f64], theta: &[f64], dydt: &mut [f64]| dydt[0] = -theta[0] * y[0],
///     |_: f64, y: &[f64], theta: &[f64], f_y: &mut [f64], f_theta: &mut [f64]| {
///         (f_y[0], f_theta[0]) = (-theta[0], -y[0]);
///     },
/// );
/// let problem = Problem::of(decay, &[0.5], (0.0, 1.0), &[&[1.0]])?;
/// let scheme = AdamsBashforthMoulton::default();
/// let solution = solve(&problem, &scheme, &Steps::Uniform(1000), Options::default())?;
/// let loss = Cotangents::At(&[(1000, &[1.0])]);
/// let found = gradient(&problem, &scheme, &solution, loss, HistoryChoice::Exact)?;
/// let expected = 2.0 * solution.last()[0] - 2.0 / std::f64::consts::PI.sqrt();
/// assert!((found.parameters[0] - expected).abs() < 1e-3);
/// assert!((found.initial[[0, 0]] - solution.last()[0]).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OdeError::Steps`] if the nodes are not all of those of equal steps over the whole interval,
/// [`OdeError::OtherProblem`] or [`OdeError::OtherScheme`] if the solution is not one of this problem
/// by this scheme (corrector passes are not told apart), [`OdeError::Length`] or
/// [`OdeError::OutOfRange`] for cotangents of another shape, [`OdeError::NotFinite`] if a
/// derivative is not finite, [`OdeError::Singular`] if an implicit step has no derivative, and those
/// of histories.
pub fn gradient<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    loss: Cotangents<'_>,
    history: HistoryChoice,
) -> Result<Variation, OdeError> {
    let solved = Solved::checked(problem, solution, scheme.name())?;
    let cotangents = loss.by_node(problem.dim(), solution.times().len())?;
    scheme.adjoint(&solved, &cotangents, history)
}

/// How the solution moves, a row for each node, when all that it depends on moves in a direction:
/// forward sensitivities.
///
/// For cotangents l and g their [`gradient`], `<l, tangent(direction)> = <g, direction>` to rounding. A
/// gradient costs the same whatever the number of parameters, a tangent whatever the number of outputs.
///
/// Entries of the direction for initial rows that the order of a component does not take must be 0.
///
/// # Errors
/// Those of [`gradient`], and [`OdeError::Length`] or [`OdeError::InitialUnused`] for a direction of
/// another shape.
#[expect(clippy::missing_panics_doc, reason = "the length is that of the shape")]
pub fn tangent<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    direction: &Variation,
    history: HistoryChoice,
) -> Result<Array2<f64>, OdeError> {
    let solved = Solved::checked(problem, solution, scheme.name())?;
    direction.check(problem)?;
    let moved = scheme.forward(&solved, direction, history)?;
    let shape = (solution.times().len(), problem.dim());
    same_length("the tangent of a scheme", moved.len(), shape.0 * shape.1)?;
    Ok(Array2::from_shape_vec(shape, moved).expect("a row for each node"))
}

impl<'a> Solved<'a> {
    fn checked(
        problem: &'a Problem<dyn Differentiable + 'a>,
        solution: &'a Solution,
        scheme: &'static str,
    ) -> Result<Self, OdeError> {
        let trajectory = solution.trajectory();
        same_length("a state", trajectory.dim(), problem.dim())?;
        let (solved_by, orders, initial) = &solution.solved;
        if *solved_by != scheme {
            return Err(OdeError::OtherScheme { solved_by, scheme });
        }
        let times = trajectory.times();
        let last = times.len() - 1;
        let interval = (problem.t0(), problem.t1());
        let grid = Steps::Uniform(last).uniform(scheme, interval)?;
        // Some nodes of a finer grid would pass for all nodes of a coarser one.
        let all = solution.statistics().steps == last;
        if !(all && times.iter().enumerate().all(|(node, &t)| t == grid.t(node))) {
            return Err(OdeError::Steps { scheme, steps: "unequal or interrupted" });
        }
        if orders != problem.orders() || !problem.initial().flatten().eq(initial) {
            return Err(OdeError::OtherProblem { t: problem.t0() });
        }
        // One evaluation tells other parameters.
        let mut f = vec![0.0; problem.dim()];
        problem.rhs(times[last], trajectory.state(last), &mut f, &mut Statistics::default())?;
        if trajectory.slope(last) != f {
            return Err(OdeError::OtherProblem { t: times[last] });
        }
        Ok(Self { problem, trajectory, grid })
    }
}

/// With any number of corrector passes.
impl DifferentiableScheme for AdamsBashforthMoulton {
    fn adjoint(
        &self,
        solved: &Solved<'_>,
        cotangents: &[f64],
        history: HistoryChoice,
    ) -> Result<Variation, OdeError> {
        volterra::adjoint(solved, Corrector::Passes(self.passes), cotangents, history)
    }

    fn forward(
        &self,
        solved: &Solved<'_>,
        direction: &Variation,
        history: HistoryChoice,
    ) -> Result<Vec<f64>, OdeError> {
        volterra::forward(solved, Corrector::Passes(self.passes), direction, history)
    }
}

/// `u_n = (I - c_0 f_y)^-T (l_n + f_y^T Fbar_n)` in place of the passes.
impl DifferentiableScheme for ProductTrapezoid {
    fn adjoint(
        &self,
        solved: &Solved<'_>,
        cotangents: &[f64],
        history: HistoryChoice,
    ) -> Result<Variation, OdeError> {
        volterra::adjoint(solved, Corrector::Implicit, cotangents, history)
    }

    fn forward(
        &self,
        solved: &Solved<'_>,
        direction: &Variation,
        history: HistoryChoice,
    ) -> Result<Vec<f64>, OdeError> {
        volterra::forward(solved, Corrector::Implicit, direction, history)
    }
}

/// On equal steps.
impl DifferentiableScheme for L1 {
    fn adjoint(
        &self,
        solved: &Solved<'_>,
        cotangents: &[f64],
        history: HistoryChoice,
    ) -> Result<Variation, OdeError> {
        l1::adjoint(solved, cotangents, history)
    }

    fn forward(
        &self,
        solved: &Solved<'_>,
        direction: &Variation,
        history: HistoryChoice,
    ) -> Result<Vec<f64>, OdeError> {
        l1::forward(solved, direction, history)
    }
}

/// Refuses derivatives that are not finite.
fn finite(values: &[f64], t: f64) -> Result<(), OdeError> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(OdeError::NotFinite { t })
    }
}
