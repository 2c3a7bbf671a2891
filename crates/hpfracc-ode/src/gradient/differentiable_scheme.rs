use super::differentiable::Differentiable;
use super::forward_solution::ForwardSolution;
use super::variation::{Cotangents, Variation};
use super::{l1, trapezoid};
use crate::{
    AdamsBashforthMoulton, Corrector, L1, OdeError, Options, Problem, ProductRectangle,
    ProductTrapezoid, Scheme, Solution,
};
use ndarray::Array2;

/// Scheme with discrete adjoint and tangent, on equal steps.
pub trait DifferentiableScheme: Scheme {
    /// Recursion from node to node, which selects the adjoint and the tangent.
    ///
    /// # Errors
    /// [`OdeError::NotDifferentiable`] for a variant of the scheme without one.
    fn recursion(&self) -> Result<Recursion, OdeError>;
}

/// Recursions with known derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recursion {
    /// Product trapezoidal rule.
    Trapezoid(Corrector),
    /// Implicit L1 scheme.
    L1,
}

/// The explicit rule, which is the predictor of [`AdamsBashforthMoulton`].
impl DifferentiableScheme for ProductRectangle {
    fn recursion(&self) -> Result<Recursion, OdeError> {
        match self {
            Self::Explicit => Ok(Recursion::Trapezoid(Corrector::Passes(0))),
            Self::Implicit => Err(OdeError::NotDifferentiable { scheme: self.name() }),
        }
    }
}

/// With any number of corrector passes.
impl DifferentiableScheme for AdamsBashforthMoulton {
    fn recursion(&self) -> Result<Recursion, OdeError> {
        Ok(Recursion::Trapezoid(Corrector::Passes(self.passes)))
    }
}

impl DifferentiableScheme for ProductTrapezoid {
    fn recursion(&self) -> Result<Recursion, OdeError> {
        Ok(Recursion::Trapezoid(Corrector::Newton))
    }
}

impl DifferentiableScheme for L1 {
    fn recursion(&self) -> Result<Recursion, OdeError> {
        Ok(Recursion::L1)
    }
}

/// Adjoint sensitivity: the gradient of a loss L(y_0, ..., y_N) with respect to the initial values,
/// the parameters of f and the orders.
///
/// Of the options only `history` is used, for the sums of the adjoint equation; choose that of the
/// solve, so that a history of `Exponentials` is differentiated as such. The gradient with respect
/// to the orders always uses exact weights.
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
/// [`OdeError::Steps`] if the nodes are not all of those of equal steps over the whole interval,
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
    let solved = ForwardSolution::checked(problem, solution, scheme.name())?;
    let cotangents = loss.by_node(problem.dim(), solution.times().len())?;
    match scheme.recursion()? {
        Recursion::Trapezoid(by) => trapezoid::adjoint(&solved, by, &cotangents, options),
        Recursion::L1 => l1::adjoint(&solved, &cotangents, options),
    }
}

/// Forward sensitivity: the derivative of the solution, one row per node, in a direction of initial
/// values, parameters and orders.
///
/// For cotangents l and g their [`gradient`], `<l, tangent(direction)> = <g, direction>` to
/// rounding. A gradient costs the same whatever the number of parameters, a tangent whatever the
/// number of outputs.
///
/// Entries of the direction for initial values that the order of a component does not take must be
/// 0.
///
/// # Errors
/// Those of [`gradient`], and [`OdeError::Length`] or [`OdeError::InitialUnused`] for a direction
/// of another shape.
#[expect(clippy::missing_panics_doc, reason = "the length is that of the shape")]
pub fn tangent<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    solution: &Solution,
    direction: &Variation,
    options: &Options<'_>,
) -> Result<Array2<f64>, OdeError> {
    let solved = ForwardSolution::checked(problem, solution, scheme.name())?;
    direction.check(problem)?;
    let moved = match scheme.recursion()? {
        Recursion::Trapezoid(by) => trapezoid::tangent(&solved, by, direction, options)?,
        Recursion::L1 => l1::tangent(&solved, direction, options)?,
    };
    let shape = (solution.times().len(), problem.dim());
    Ok(Array2::from_shape_vec(shape, moved).expect("a row for each node"))
}
