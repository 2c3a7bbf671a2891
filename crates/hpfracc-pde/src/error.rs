use hpfracc_ode::{Failure, OdeError};
use hpfracc_spatial::SpatialError;
use hpfracc_special::SpecialError;
use hpfracc_types::shortest;
use thiserror::Error;

/// Result with a [`PdeError`].
pub(crate) type Result<T, E = PdeError> = std::result::Result<T, E>;

/// Errors of partial differential equations.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PdeError {
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}", value = shortest(*value))]
    OutOfRange {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A value of a start that is NaN or infinite.
    #[error("{what} of field {field} is {value} at index {index}", value = shortest(*value))]
    NotFinite {
        /// Name of the values.
        what: &'static str,
        /// Number of the field, from 0.
        field: usize,
        /// Position in the field.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A list of the wrong length.
    #[error("{what} has {found} values, expected {expected}")]
    Length {
        /// Name of the list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length expected.
        expected: usize,
    },
    /// An equation without a start.
    #[error("the equation has no start: set u(0) with `start` or `start_from`")]
    NoStart,
    /// An order above 1 without an initial velocity.
    #[error(
        "the order {alpha} of field {field} is above 1 and needs du/dt(0): set it with \
         `start_velocity`", alpha = shortest(*alpha))]
    NoVelocity {
        /// Number of the field, from 0.
        field: usize,
        /// Its order.
        alpha: f64,
    },
    /// Coordinates or boundary values for an equation without them. Coupled equations, and
    /// operators that are no [`BoxOperator`](crate::BoxOperator), take no boundary values.
    #[error(
        "{what} needs an equation of one field on a box: build it with `Equation::on_box`, or add \
         coordinates without boundary values with `with_grid`"
    )]
    NoBox {
        /// Name of the input.
        what: &'static str,
    },
    /// A source that is NaN or infinite.
    #[error(
        "the source of field {field} is {value} at t = {t}, index {index}, point {point:?}",
        value = shortest(*value), t = shortest(*t))]
    SourceNotFinite {
        /// Number of the field, from 0.
        field: usize,
        /// The time.
        t: f64,
        /// Position in the field.
        index: usize,
        /// Coordinates of the point; empty where there are none.
        point: Vec<f64>,
        /// The value.
        value: f64,
    },
    /// A nonlinear term, a boundary value or the solution that is NaN or infinite.
    #[error(
        "the nonlinear terms or the solution of field {field} are not finite at t = {t}, index \
         {index}, point {point:?}", t = shortest(*t))]
    RightSideNotFinite {
        /// Number of the field, from 0.
        field: usize,
        /// The time.
        t: f64,
        /// Position in the field.
        index: usize,
        /// Coordinates of the point; empty where there are none.
        point: Vec<f64>,
    },
    /// [`solve_linear`](crate::solve_linear) for an equation that is not linear and autonomous.
    #[error(
        "a solution without time steps needs a linear autonomous equation, and this one has {what}"
    )]
    NotLinear {
        /// The part that is nonlinear or depends on time.
        what: &'static str,
    },
    /// [`solve_linear`](crate::solve_linear) for an operator without modes that is not
    /// self-adjoint.
    #[error(
        "the operator of field {field} is not self-adjoint, and a solution without time steps \
         needs a real spectrum: use `solve`"
    )]
    NotSelfAdjoint {
        /// Number of the field, from 0.
        field: usize,
    },
    /// A field with several, distributed or variable orders where each field needs one order.
    #[error(
        "field {field} has a time derivative of several or variable orders: use `solve` with \
         `TimeScheme::L1` or `TimeScheme::ImplicitExplicit`, `problem_of_orders` for gradients, or \
         `solve_linear` for several orders"
    )]
    SeveralOrders {
        /// Number of the field, from 0.
        field: usize,
    },
    /// An equation with noise where one without is needed.
    #[error(
        "the equation has noise: solve its paths with `FieldProblem::noisy` and `solve_path` (feature \
         `noise`)"
    )]
    Noise,
    /// A Poisson equation whose source is not orthogonal to the null space.
    #[error(
        "the mean of the source is {mean:e}: with Neumann or periodic boundaries on all faces the \
         Poisson equation has a solution only for mean 0"
    )]
    MeanNotZero {
        /// The mean.
        mean: f64,
    },
    /// A text that cannot be an equation on these points.
    #[error("the equation cannot be solved here: {reason}")]
    Text {
        /// Why.
        reason: String,
    },
    /// Error of an operator.
    #[error(transparent)]
    Spatial(#[from] SpatialError),
    /// Error of the time steps.
    #[error(transparent)]
    Ode(#[from] OdeError),
    /// Error of a special function.
    #[error(transparent)]
    Special(#[from] SpecialError),
}

impl From<Failure> for PdeError {
    fn from(failure: Failure) -> Self {
        Self::Ode(failure.error)
    }
}

/// Refuses a number outside its range.
pub(crate) fn require(
    holds: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<()> {
    if holds { Ok(()) } else { Err(PdeError::OutOfRange { what, value, expected }) }
}

/// Refuses a list of another length.
pub(crate) fn require_len(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(PdeError::Length { what, found, expected }) }
}

/// Refuses orders above 1, of models without an initial velocity.
pub(crate) fn require_up_to_one(alpha: f64) -> Result<()> {
    require(alpha > 0.0 && alpha <= 1.0, "the order alpha", alpha, "0 < alpha <= 1")
}

/// Refuses a coefficient that is not positive.
pub(crate) fn require_positive(what: &'static str, value: f64) -> Result<()> {
    require(value > 0.0 && value.is_finite(), what, value, "a positive number")
}
