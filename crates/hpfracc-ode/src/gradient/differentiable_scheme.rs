use super::differentiable::Differentiable;
use super::forward_solution::{ForwardSolution, Lags};
use super::quadrature::Quadrature;
use super::rules::Rules;
use super::variation::{Cotangents, Variation};
use super::{collocation, l1};
use crate::{
    AdamsBashforthMoulton, Collocation, Corrector, Exponential, L1, L1OfOrders, LinearMultistep,
    OdeError, Options, Problem, ProductRectangle, ProductTrapezoid, Scheme, Solution,
};
use ndarray::Array2;

/// Scheme with discrete adjoint and tangent, on all steps that it takes; the steps are fixed.
pub trait DifferentiableScheme: Scheme {
    /// Recursion from node to node, which selects the adjoint and the tangent.
    fn recursion(&self) -> Recursion<'_>;
}

/// Recursions with known derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Recursion<'a> {
    /// Product trapezoidal rule.
    Trapezoid(Corrector),
    /// Implicit product rectangle rule.
    ImplicitRectangle,
    /// Linear multistep method with starting weights.
    Multistep(LinearMultistep),
    /// Implicit L1 scheme.
    L1,
    /// Implicit L1 scheme of several or variable orders.
    L1OfOrders(&'a L1OfOrders<'a>),
    /// Exponential integrator with a number for each component.
    Exponential(&'a Exponential),
    /// Collocation, on the elements of the solution.
    Collocation,
}

/// The explicit rule is the predictor of [`AdamsBashforthMoulton`].
impl DifferentiableScheme for ProductRectangle {
    fn recursion(&self) -> Recursion<'_> {
        match self {
            Self::Explicit => Recursion::Trapezoid(Corrector::Passes(0)),
            Self::Implicit => Recursion::ImplicitRectangle,
        }
    }
}

/// With any number of corrector passes.
impl DifferentiableScheme for AdamsBashforthMoulton {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::Trapezoid(Corrector::Passes(self.passes))
    }
}

impl DifferentiableScheme for ProductTrapezoid {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::Trapezoid(Corrector::Newton)
    }
}

impl DifferentiableScheme for LinearMultistep {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::Multistep(*self)
    }
}

impl DifferentiableScheme for L1 {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::L1
    }
}

/// Derivatives with respect to the order of a component are those with respect to a common shift of
/// all its orders. The derivatives of the scheme are not checked against those of the solve.
impl DifferentiableScheme for L1OfOrders<'_> {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::L1OfOrders(self)
    }
}

/// With a number for each component as the linear part; the number of passes is held fixed, also
/// where 1/alpha is whole.
impl DifferentiableScheme for Exponential {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::Exponential(self)
    }
}

/// On the elements of the solution, the states at their points as precise as the tolerance.
impl DifferentiableScheme for Collocation {
    fn recursion(&self) -> Recursion<'_> {
        Recursion::Collocation
    }
}

/// Adjoint sensitivity: the gradient of a loss L(y_0, ..., y_N) with respect to the initial values,
/// the parameters of f and the orders.
///
/// | solve | gradient, tangent, with respect to the orders too |
/// |---|---|
/// | every scheme of this crate, all steps that it takes ([`Exponential`] with a matrix: none) | these functions |
/// | [`MultiTerm::of`](crate::MultiTerm::of) | these, and [`MultiTerm::pull_back`](crate::MultiTerm::pull_back) |
/// | [`DelayProblem::of`](crate::DelayProblem::of), constant delays | [`DelayProblem::gradient`](crate::DelayProblem::gradient) |
/// | [`EquationProblem`](crate::EquationProblem) | [`EquationProblem::gradient`](crate::EquationProblem::gradient), also in parameters of delays, histories and the interval |
/// | state jumps, delays that depend on the state | [`OdeError::NotDifferentiable`] |
///
/// The nodes of a solve are held fixed, also those of adaptive steps. Of the options only `history`
/// is used, for the sums of the adjoint equation on equal steps; choose that of the
/// solve, so that a history of `Exponentials` is differentiated as such. The gradient with respect
/// to the orders always uses exact weights, and so do unequal steps: if the solve had a sum of
/// exponentials there, the gradient is exact to its tolerance.
///
/// Cost: about one to three solves, on unequal steps of solves with direct sums. Memory: O(N), some
/// numbers for each node (or point of an element) and component.
///
/// With respect to the order of a component the gradient is one-sided at whole numbers, above which
/// the problem has one more initial value: it is that for the present initial values.
///
/// ```
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
/// let bar = gradient(&problem, &scheme, &solution, loss, &Options::default())?;
/// let expected = 2.0 * solution.last()[0] - 2.0 / std::f64::consts::PI.sqrt();
/// assert!((bar.parameters[0] - expected).abs() < 1e-3);
/// assert!((bar.initial[[0, 0]] - solution.last()[0]).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OdeError::Steps`] if the nodes are not all of those of the whole interval,
/// [`OdeError::NotDifferentiable`] for a solve without a gradient,
/// [`OdeError::OtherProblem`] or [`OdeError::OtherScheme`] if the solution is not one of this
/// problem by this scheme (the number of corrector passes is not checked), [`OdeError::Length`] or
/// [`OdeError::OutOfRange`] for cotangents of another shape, [`OdeError::NotFinite`] if a
/// derivative is not finite, [`OdeError::Singular`] if an implicit step has no derivative, and
/// those of histories.
pub fn gradient<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    loss: Cotangents<'_>,
    options: &Options<'_>,
) -> Result<Variation, OdeError> {
    adjoint(problem, scheme, solution, loss, options, None)
}

/// The gradient of a delay equation.
pub(crate) fn gradient_with_lags<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    loss: Cotangents<'_>,
    options: &Options<'_>,
    lags: Lags<'_>,
) -> Result<Variation, OdeError> {
    adjoint(problem, scheme, solution, loss, options, Some(lags))
}

fn adjoint(
    problem: &Problem<dyn Differentiable + '_>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    loss: Cotangents<'_>,
    options: &Options<'_>,
    lags: Option<Lags<'_>>,
) -> Result<Variation, OdeError> {
    let solved = ForwardSolution::checked(problem, solution, scheme.name())?.with_lags(lags);
    let cotangents = loss.by_node(problem.dim(), solution.times().len())?;
    match scheme.recursion() {
        Recursion::L1 => l1::adjoint(&solved, &l1::rules(&solved)?, &cotangents, options),
        Recursion::L1OfOrders(scheme) => {
            let rules = Rules::l1_of_orders(&solved, scheme)?;
            l1::adjoint(&solved, &rules, &cotangents, options)
        }
        Recursion::Collocation => collocation::adjoint(&solved, solution, &cotangents),
        recursion => quadrature(&solved, recursion, options)?.adjoint(&cotangents),
    }
}

/// Forward sensitivity: the derivative of the solution, one row per node, in a direction of initial
/// values, parameters and orders.
///
/// For cotangents l and g their [`gradient`], `<l, tangent(direction)> = <g, direction>` to
/// rounding. A gradient costs the same whatever the number of parameters, a tangent whatever the
/// number of outputs; [`tangents`] shares the work of several directions.
///
/// Entries of the direction for initial values that the order of a component does not take must be
/// 0.
///
/// # Errors
/// Those of [`gradient`], and [`OdeError::Length`] or [`OdeError::InitialUnused`] for a direction
/// of another shape.
pub fn tangent<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    direction: &Variation,
    options: &Options<'_>,
) -> Result<Array2<f64>, OdeError> {
    forward(problem, scheme, solution, direction, options, None)
}

/// [`tangent`] in several directions: one array for each.
///
/// Product rules and multistep methods compute weights, their derivatives in the orders and the
/// matrices of implicit steps once, and the histories of all directions side by side: four directions
/// cost about twice as much as one on equal steps, and little more than one on others.
///
/// ```
/// use hpfracc_ode::{Options, Parametric, Problem, ProductTrapezoid, Steps, Variation, solve, tangents};
///
/// // D^1/2 y = -theta y, y(0) = 1: y(1) = E_1/2(-theta)
/// let decay = Parametric::new(
///     &[1.0],
///     |_: f64, y: &[f64], theta: &[f64], dydt: &mut [f64]| dydt[0] = -theta[0] * y[0],
///     |_: f64, y: &[f64], theta: &[f64], f_y: &mut [f64], f_theta: &mut [f64]| {
///         (f_y[0], f_theta[0]) = (-theta[0], -y[0]);
///     },
/// );
/// let problem = Problem::of(decay, &[0.5], (0.0, 1.0), &[&[1.0]])?;
/// let solution = solve(&problem, &ProductTrapezoid, &Steps::Uniform(1000), Options::default())?;
/// let (mut start, mut rate) = (Variation::zeros(&problem), Variation::zeros(&problem));
/// start.initial[[0, 0]] = 1.0;
/// rate.parameters[0] = 1.0;
/// let options = Options::default();
/// let by = tangents(&problem, &ProductTrapezoid, &solution, &[start, rate], &options)?;
/// assert!((by[0][[1000, 0]] - solution.last()[0]).abs() < 1e-14);
/// assert!((by[1][[1000, 0]] - -0.273_212).abs() < 1e-3); // 2 y(1) - 2/sqrt(pi)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`tangent`].
pub fn tangents<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    directions: &[Variation],
    options: &Options<'_>,
) -> Result<Vec<Array2<f64>>, OdeError> {
    all_forward(problem, scheme, solution, directions, options, None)
}

/// The tangent of a delay equation.
pub(crate) fn tangent_with_lags<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    direction: &Variation,
    options: &Options<'_>,
    lags: Lags<'_>,
) -> Result<Array2<f64>, OdeError> {
    forward(problem, scheme, solution, direction, options, Some(lags))
}

fn forward(
    problem: &Problem<dyn Differentiable + '_>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    direction: &Variation,
    options: &Options<'_>,
    lags: Option<Lags<'_>>,
) -> Result<Array2<f64>, OdeError> {
    let directions = std::slice::from_ref(direction);
    let mut all = all_forward(problem, scheme, solution, directions, options, lags)?;
    Ok(all.swap_remove(0))
}

/// With lags, whose changes are those of one direction, `directions` has one.
fn all_forward(
    problem: &Problem<dyn Differentiable + '_>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    directions: &[Variation],
    options: &Options<'_>,
    lags: Option<Lags<'_>>,
) -> Result<Vec<Array2<f64>>, OdeError> {
    let solved = ForwardSolution::checked(problem, solution, scheme.name())?.with_lags(lags);
    directions.iter().try_for_each(|direction| direction.check(problem))?;
    if directions.is_empty() {
        return Ok(Vec::new());
    }
    let each = directions.iter();
    let moved: Result<Vec<Vec<f64>>, OdeError> = match scheme.recursion() {
        Recursion::L1 => {
            let rules = l1::rules(&solved)?;
            each.map(|d| l1::tangent(&solved, &rules, d, options)).collect()
        }
        Recursion::L1OfOrders(scheme) => {
            let rules = Rules::l1_of_orders(&solved, scheme)?;
            each.map(|d| l1::tangent(&solved, &rules, d, options)).collect()
        }
        Recursion::Collocation => {
            each.map(|d| collocation::tangent(&solved, solution, d)).collect()
        }
        recursion => quadrature(&solved, recursion, options)?.tangents(directions),
    };
    let shape = (solution.times().len(), problem.dim());
    let array = |moved| Array2::from_shape_vec(shape, moved).expect("a row for each node");
    Ok(moved?.into_iter().map(array).collect())
}

/// The quadrature of a recursion that is one.
fn quadrature<'a>(
    solved: &'a ForwardSolution<'a>,
    recursion: Recursion<'_>,
    options: &Options<'_>,
) -> Result<Quadrature<'a>, OdeError> {
    let newton = Corrector::Newton;
    let (corrector, rules) = match recursion {
        Recursion::Trapezoid(corrector) => (corrector, Rules::product(solved, corrector)?),
        Recursion::ImplicitRectangle => (newton, Rules::right_ends(solved, solved.uniform()?)?),
        Recursion::Multistep(method) => {
            (newton, Rules::multistep(solved, solved.uniform()?, method)?)
        }
        Recursion::Exponential(scheme) => {
            let passes = Corrector::Passes(scheme.passes(solved.problem.orders()));
            (passes, Rules::exponential(solved, solved.uniform()?, scheme)?)
        }
        Recursion::L1 | Recursion::L1OfOrders(_) | Recursion::Collocation => {
            return Err(OdeError::NotDifferentiable { what: "a scheme that is no quadrature" });
        }
    };
    Ok(Quadrature { solved, corrector, rules, options: options.of_history() })
}
