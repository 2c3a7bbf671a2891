//! Errors of fits.

mod source;

pub use source::SourceError;

use hpfracc_communicator::CommunicatorError;
use hpfracc_equation::ProgramError;
use hpfracc_equation::derive::NoDerivative;
use hpfracc_types::{MemoryError, shortest};

/// Reason for which a fit cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Ranks do not work together.
    #[error(transparent)]
    Ranks(#[from] CommunicatorError),
    /// Nothing of what is needed.
    #[error("a fit needs {what}, found none")]
    Empty {
        /// What is needed.
        what: &'static str,
    },
    /// Number of columns that a set has.
    #[error("the set `{set}` has {found} {what}, expected {expected}")]
    Columns {
        /// Name of the set.
        set: String,
        /// Inputs, responses or weights.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number that the model has.
        expected: usize,
    },
    /// Columns of different lengths.
    #[error(
        "the set `{set}` has a column of {what} with {found} rows, expected {expected} as in the first column"
    )]
    Rows {
        /// Name of the set.
        set: String,
        /// Inputs, responses or weights.
        what: &'static str,
        /// Rows found.
        found: usize,
        /// Rows of the first column.
        expected: usize,
    },
    /// Columns of a batch with different numbers of curves.
    #[error(
        "a column of {what} has {found} curves, expected {expected} as in the first column with curves of its own"
    )]
    Curves {
        /// Inputs, responses, weights or starts.
        what: &'static str,
        /// Curves found.
        found: usize,
        /// Curves of the first column.
        expected: usize,
    },
    /// Value of the data that is NaN or infinite.
    #[error(
        "the set `{set}` has {value} in row {row} of {what} {column}; leave the row out, or skip rows that are not finite",
        value = shortest(*value)
    )]
    NotFinite {
        /// Name of the set.
        set: String,
        /// Row, from 0.
        row: usize,
        /// Inputs, responses or weights.
        what: &'static str,
        /// Column, from 0.
        column: usize,
        /// Value.
        value: f64,
    },
    /// Standard deviation or weight that is not positive.
    #[error(
        "the set `{set}` has the {what} {value} in row {row}, expected a positive number",
        value = shortest(*value)
    )]
    Weight {
        /// Name of the set.
        set: String,
        /// Row, from 0.
        row: usize,
        /// Standard deviation or weight.
        what: &'static str,
        /// Value.
        value: f64,
    },
    /// Known standard deviations in one response and unknown ones in another.
    #[error("some responses have standard deviations and others have not: give all or none")]
    MixedErrors,
    /// Prior beside data with unknown errors.
    #[error("the prior of `{name}` needs data with known standard deviations")]
    PriorNeedsSigma {
        /// Name of the parameter.
        name: String,
    },
    /// Fewer data than parameters.
    #[error("{data} data cannot determine {parameters} parameters: fix some of them, or add data")]
    TooFew {
        /// Number of data.
        data: u64,
        /// Number of free parameters.
        parameters: usize,
    },
    /// Name that no parameter has.
    #[error("no parameter is called `{name}`; the parameters are {known}")]
    UnknownParameter {
        /// Name.
        name: String,
        /// Names of the parameters.
        known: String,
    },
    /// Parameter without a start.
    #[error("the parameter `{name}` has no start: give it a value")]
    NoStart {
        /// Name.
        name: String,
    },
    /// Further starts without a range to spread them in.
    #[error(
        "{starts} further starts need a parameter with finite bounds or a grid, in which they spread, found none: give bounds"
    )]
    NoRange {
        /// Number of starts.
        starts: usize,
    },
    /// Start outside of the bounds.
    #[error(
        "the start {value} of `{name}` is outside of its bounds [{lower}, {upper}]",
        value = shortest(*value),
        lower = shortest(*lower),
        upper = shortest(*upper)
    )]
    StartOutside {
        /// Name.
        name: String,
        /// Start.
        value: f64,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// Bounds without a number between them.
    #[error(
        "the bounds [{lower}, {upper}] of `{name}` have no number between them",
        lower = shortest(*lower),
        upper = shortest(*upper)
    )]
    Bounds {
        /// Name.
        name: String,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// Model without finite values at the start.
    #[error(
        "the model of the set `{set}` is not finite in row {row} at the start: {parameters}; choose another start"
    )]
    ModelNotFinite {
        /// Name of the set.
        set: String,
        /// Row, from 0.
        row: u64,
        /// Parameters with their values.
        parameters: String,
    },
    /// Tie that cannot be used.
    #[error("the tie of `{name}`: {reason}")]
    Tie {
        /// Name of the tied parameter.
        name: String,
        /// Reason.
        reason: String,
    },
    /// Fit on shorter steps that did not end.
    #[error(
        "the fit with half of the steps did not end within {passes} passes: the steps are too long for the equation"
    )]
    Passes {
        /// Passes over the data.
        passes: usize,
    },
    /// Time at which an equation has no solution.
    #[error("the time {value} in row {row} is no time from {start} on, where the equation starts", value = shortest(*value), start = shortest(*start))]
    Time {
        /// Row, from 0.
        row: usize,
        /// Time.
        value: f64,
        /// Start of the equation.
        start: f64,
    },
    /// Point outside of the box of an equation.
    #[error(
        "{coordinate} is {value} in row {row}, outside of the box [{lower}, {upper}]: leave the row out, or \
         make the box larger",
        value = shortest(*value),
        lower = shortest(*lower),
        upper = shortest(*upper)
    )]
    OutsideBox {
        /// Name of the coordinate.
        coordinate: String,
        /// Row, from 0.
        row: usize,
        /// Value.
        value: f64,
        /// Lower end of the axis.
        lower: f64,
        /// Upper end of the axis.
        upper: f64,
    },
    /// Name that is no quantity of an equation which can be observed.
    #[error("`{name}` cannot be observed: {reason}")]
    Quantity {
        /// Name.
        name: String,
        /// Reason.
        reason: String,
    },
    /// Equation that cannot be solved, or whose solutions have no derivatives.
    #[error("the equation cannot be fitted: {reason}")]
    Equation {
        /// Reason.
        reason: String,
    },
    /// Typical size of a parameter that is not positive and finite.
    #[error(
        "the size of `{name}` is {value}, expected a positive finite number: its typical magnitude, of which \
         differences take a small share",
        value = shortest(*value)
    )]
    Size {
        /// Name of the parameter.
        name: String,
        /// Size.
        value: f64,
    },
    /// Number outside of its range.
    #[error("{what} is {value}, expected {expected}", value = shortest(*value))]
    OutOfRange {
        /// Quantity.
        what: &'static str,
        /// Value.
        value: f64,
        /// Range.
        expected: &'static str,
    },
    /// Checkpoints that cannot be used.
    #[error("the checkpoints cannot be used: {reason}")]
    Checkpoint {
        /// Reason.
        reason: String,
    },
    /// Sets of the same name.
    #[error("two sets are called `{name}`")]
    SameName {
        /// Name.
        name: String,
    },
    /// Computation that was cancelled before it had a result.
    #[error("{what} was cancelled")]
    Cancelled {
        /// Computation.
        what: &'static str,
    },
    /// Result of another fit.
    #[error("the {state} is of a fit with other {what}")]
    OtherFit {
        /// The result.
        state: &'static str,
        /// What differs first.
        what: &'static str,
    },
    /// Quantity that a fit does not have.
    #[error("{what} is not defined: {reason}")]
    Undefined {
        /// Quantity.
        what: &'static str,
        /// Reason.
        reason: String,
    },
    /// Results that need more memory than is available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Data that cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Function of a formula without a derivative.
    #[error(transparent)]
    NoDerivative(#[from] NoDerivative),
    /// Formula that cannot be compiled.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

#[cfg(feature = "ode")]
impl From<hpfracc_ode::EquationProblemError> for FitError {
    fn from(error: hpfracc_ode::EquationProblemError) -> Self {
        Self::Equation { reason: error.to_string() }
    }
}

#[cfg(feature = "pde")]
impl From<hpfracc_pde::PdeError> for FitError {
    fn from(error: hpfracc_pde::PdeError) -> Self {
        Self::Equation { reason: error.to_string() }
    }
}
