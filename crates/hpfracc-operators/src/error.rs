use hpfracc_backend::BackendError;
use hpfracc_special::SpecialError;
use hpfracc_types::{Grid, GridError, MemoryError, MeshError, Order, OrderError};
use std::fmt;
use thiserror::Error;

/// A number in a message, with an exponent if it is very large or small.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(x) = *self;
        if x == 0.0 || !x.is_finite() || (1e-5..1e17).contains(&x.abs()) {
            write!(f, "{x}")
        } else {
            write!(f, "{x:e}")
        }
    }
}

/// The result of what may fail with an [`OperatorError`].
pub(crate) type Result<T, E = OperatorError> = std::result::Result<T, E>;

/// Errors of operators, streams and chunked evaluation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// The order lies outside the range in which the scheme is defined.
    #[error("{operator}, scheme {scheme}: order alpha = {alpha} is outside {range}")]
    OutOfRange {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
        /// The order.
        alpha: f64,
        /// The range, as `0 < alpha < 1`.
        range: &'static str,
    },
    /// No scheme of the operator is defined for the order.
    #[error("{operator}: no scheme for order alpha = {alpha}; there are schemes for {ranges}")]
    NoScheme {
        /// Name of the operator.
        operator: &'static str,
        /// The order.
        alpha: f64,
        /// The ranges of its schemes.
        ranges: String,
    },
    /// Weights that fit neither each other nor the formula of [`Toeplitz`](crate::Toeplitz).
    #[error("weights of an operator: {what} is {found}, expected {expected}")]
    Malformed {
        /// The part.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The required or largest size.
        expected: usize,
    },
    /// Backward differentiation formulas exist here for p = 1 to 6.
    #[error("BDF of order p = {p} does not exist here, p is 1 to 6")]
    BdfOrder {
        /// The requested p.
        p: usize,
    },
    /// A number outside its range.
    #[error("{what} is {}, expected {expected}", Number(*.value))]
    Parameter {
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// A skewness for which the symbol is not that of a stable distribution.
    #[error(
        "riesz-feller: theta = {theta} at alpha = {alpha}, expected |theta| <= min(alpha, 2 - alpha) = {bound}"
    )]
    Skewness {
        /// The skewness.
        theta: f64,
        /// The order.
        alpha: f64,
        /// The largest modulus allowed.
        bound: f64,
    },
    /// One of several orders lies outside its range.
    #[error("{operator}: order {alpha} at position {position} is outside 1e-300 <= alpha < 1")]
    OrderAt {
        /// Name of the operator.
        operator: &'static str,
        /// The order.
        alpha: f64,
        /// Index of the order.
        position: usize,
    },
    /// No sum of exponentials was found within the tolerance.
    #[error(
        "no sum of exponentials for {kernel} within {tolerance:e} over times that differ {ratio:e}-fold"
    )]
    NoExponentials {
        /// The kernel, as a formula.
        kernel: String,
        /// Longest over shortest time.
        ratio: f64,
        /// Requested relative error.
        tolerance: f64,
    },
    /// The scheme is not a sum of exponentials.
    #[error(
        "{operator}, scheme {scheme}: has no recurrence: its memory is not a sum of exponentials"
    )]
    NoRecurrence {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// A time series longer than the stream, recurrence or chunked evaluation supports.
    #[error("a time series of {samples} samples, expected at most {longest}")]
    SignalTooLong {
        /// Number of samples, the new ones included.
        samples: u64,
        /// The largest number.
        longest: u64,
    },
    /// A wrong number of channels: a stream takes one value per channel.
    #[error("{what}: {found}, expected {expected}")]
    Channels {
        /// Name of the count.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The number required.
        expected: usize,
    },
    /// A chunk of no samples, or chunks of length zero.
    #[error("a chunk of length zero")]
    EmptyChunk,
    /// A chunk longer than the chunk length, or after a shorter one, which must be the last.
    #[error(
        "a chunk of {found} samples, expected {expected} at most (0: a shorter chunk ended the time series)"
    )]
    ChunkLength {
        /// Samples of the chunk.
        found: usize,
        /// The largest number.
        expected: usize,
    },
    /// The scheme uses samples ahead of every result, or is not a convolution.
    #[error(
        "{operator}, scheme {scheme}: cannot be computed in chunks: it is not a causal convolution or a sum of causal convolutions"
    )]
    NoChunks {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// A stream state saved by another version, operator, or number of channels.
    #[error("the state of a stream: {what} is {found}, expected {expected}")]
    ForeignState {
        /// Name of the field that differs.
        what: &'static str,
        /// The saved value.
        found: String,
        /// The value required.
        expected: String,
    },
    /// A stream state with changed numbers.
    #[error("the state of a stream is damaged: its checksum is {found:#x}, expected {expected:#x}")]
    DamagedState {
        /// Checksum of the numbers.
        found: u64,
        /// The saved checksum.
        expected: u64,
    },
    /// A stream whose backend failed in the middle of a sample has no defined state.
    #[error("this stream's backend failed before: resume from a state saved earlier")]
    StreamFailed,
    /// The stencils of the scheme need more samples.
    #[error("{operator}, scheme {scheme}: needs at least {needed} samples, the grid has {n}")]
    TooFewSamples {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
        /// Points of the grid.
        n: usize,
        /// Points needed.
        needed: usize,
    },
    /// A weight has no finite value in the scalar type: the step is too small, the order too high,
    /// or a parameter too large.
    #[error(
        "the weights overflow {scalar} ({weight:e}): step too small, order too high or a parameter too large"
    )]
    Overflow {
        /// The weight in double precision.
        weight: f64,
        /// The scalar type.
        scalar: &'static str,
    },
    /// The samples' axis has another length than the grid the operator is bound to.
    #[error("axis {axis} has length {found}, the grid has {expected} points")]
    AxisLength {
        /// The axis.
        axis: usize,
        /// Its length.
        found: usize,
        /// Points of the grid.
        expected: usize,
    },
    /// The array has too few axes.
    #[error("axis {axis} of an array with {ndim} axes")]
    NoSuchAxis {
        /// The requested axis.
        axis: usize,
        /// Number of axes.
        ndim: usize,
    },
    /// The array has no elements.
    #[error("an array of shape {shape:?} has no samples")]
    Empty {
        /// The array's shape.
        shape: Vec<usize>,
    },
    /// Weights or a result need more memory than is available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Two arrays that belong together differ in shape.
    #[error("`{argument}` has shape {found:?}, expected {expected:?}")]
    Shape {
        /// The argument's name.
        argument: &'static str,
        /// Its shape.
        found: Vec<usize>,
        /// The shape expected.
        expected: Vec<usize>,
    },
    /// An operator on a box of several axes acts on the last ones, in order.
    #[error("an operator on {rank} axes has no single axis to run along")]
    BoxAxis {
        /// Number of axes of the box.
        rank: usize,
    },
    /// The scheme is defined on a line only.
    #[error("{operator}, scheme {scheme}: has no form on several axes")]
    LineOnly {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// The scheme has no form on nonuniform points.
    #[error("{operator}, scheme {scheme}: has no form on a mesh, only on a uniform grid")]
    UniformOnly {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// No operator of this name.
    #[error("unknown operator `{name}`; known are {known}")]
    UnknownOperator {
        /// The unknown name.
        name: String,
        /// The available names, separated by commas.
        known: String,
    },
    /// The operator has no scheme of this name.
    #[error("operator `{operator}` has no scheme `{name}`; it has {known}")]
    UnknownScheme {
        /// The operator.
        operator: &'static str,
        /// The unknown name.
        name: String,
        /// The schemes it has, separated by commas.
        known: String,
    },
    /// The definition has no parameter of this name.
    #[error("operator `{operator}` has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The operator.
        operator: &'static str,
        /// The unknown name.
        name: String,
        /// The parameters it has, separated by commas.
        known: String,
    },
    /// A parameter with two values.
    #[error("operator `{operator}`: parameter `{name}` is given twice")]
    RepeatedParameter {
        /// The operator.
        operator: &'static str,
        /// The unknown name.
        name: String,
    },
    /// A required parameter without a value.
    #[error("operator `{operator}` needs parameter `{name}`: {meaning}, {range}")]
    MissingParameter {
        /// The operator.
        operator: &'static str,
        /// The parameter's name.
        name: &'static str,
        /// Its meaning.
        meaning: &'static str,
        /// The values allowed.
        range: &'static str,
    },
    /// A special function refused its parameters.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// An invalid order.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// An invalid grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// An invalid mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The backend that computes it failed or refused.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Refuses an order outside the range of the scheme (operator, scheme).
pub(crate) fn in_range(
    inside: bool,
    (operator, scheme): (&'static str, &'static str),
    order: Order,
    range: &'static str,
) -> Result<()> {
    if inside {
        Ok(())
    } else {
        Err(OperatorError::OutOfRange { operator, scheme, alpha: order.value(), range })
    }
}

/// Refuses a grid that is shorter than the stencils of the scheme (operator, scheme).
pub(crate) fn enough_samples(
    (operator, scheme): (&'static str, &'static str),
    grid: Grid,
    needed: usize,
) -> Result<()> {
    if grid.n() < needed {
        Err(OperatorError::TooFewSamples { operator, scheme, n: grid.n(), needed })
    } else {
        Ok(())
    }
}

/// The error of a scheme (operator, scheme) that has no form on a mesh.
pub(crate) fn uniform_only((operator, scheme): (&'static str, &'static str)) -> OperatorError {
    OperatorError::UniformOnly { operator, scheme }
}

/// The error of a scheme (operator, scheme) that is not a sum of exponentials.
pub(crate) fn no_recurrence((operator, scheme): (&'static str, &'static str)) -> OperatorError {
    OperatorError::NoRecurrence { operator, scheme }
}

/// Refuses a parameter that is negative or not finite.
pub(crate) fn not_negative(what: &'static str, value: f64) -> Result<()> {
    demand((what, value, value.is_finite() && value >= 0.0, "finite and not negative"))
}

/// Refuses a parameter (what, value, holds, expected) unless `holds`.
pub(crate) fn demand(
    (what, value, holds, expected): (&'static str, f64, bool, &'static str),
) -> Result<()> {
    if holds { Ok(()) } else { Err(OperatorError::Parameter { what, value, expected }) }
}

/// Refuses parts of another number or length than `expected`.
pub(crate) fn fits(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(OperatorError::Malformed { what, found, expected })
}

/// Refuses another number of channels than `expected`.
pub(crate) fn check_channels(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(OperatorError::Channels { what, found, expected })
}

/// Refuses an array of another shape than `expected`.
pub(crate) fn same_shape(
    argument: &'static str,
    found: &[usize],
    expected: &[usize],
) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_vec(), expected.to_vec());
    Err(OperatorError::Shape { argument, found, expected })
}
