use hpfracc_backend::BackendError;
use hpfracc_special::SpecialError;
use hpfracc_types::{Grid, GridError, MeshError, Order, OrderError};
use std::fmt;
use thiserror::Error;

/// A number for a message: with an exponent where digits would fill lines.
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

/// What an operator answers when it cannot do what was asked.
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
        /// The order given.
        alpha: f64,
        /// The range, as `0 < alpha < 1`.
        range: &'static str,
    },
    /// No scheme of the operator is defined for the order.
    #[error("{operator}: no scheme for order alpha = {alpha}; there are schemes for {ranges}")]
    NoScheme {
        /// Name of the operator.
        operator: &'static str,
        /// The order given.
        alpha: f64,
        /// The ranges of its schemes.
        ranges: String,
    },
    /// Weights that fit neither each other nor the formula of [`Toeplitz`](crate::Toeplitz).
    #[error("weights of an operator: {what} is {found}, expected {expected}")]
    Malformed {
        /// The part.
        what: &'static str,
        /// What it is.
        found: usize,
        /// What it may be at most, or has to be.
        expected: usize,
    },
    /// Backward differentiation formulas exist here for p = 1 to 6.
    #[error("BDF of order p = {p} does not exist here, p is 1 to 6")]
    BdfOrder {
        /// The p given.
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
    /// A skewness for which the symbol is not that of a stable law.
    #[error(
        "riesz-feller: theta = {theta} at alpha = {alpha}, expected |theta| <= min(alpha, 2 - alpha) = {bound}"
    )]
    Skewness {
        /// The skewness given.
        theta: f64,
        /// The order.
        alpha: f64,
        /// The largest modulus allowed.
        bound: f64,
    },
    /// An order that is one of several and lies outside their range.
    #[error("{operator}: order {alpha} at position {position} is outside 1e-300 <= alpha < 1")]
    OrderAt {
        /// Name of the operator.
        operator: &'static str,
        /// The order.
        alpha: f64,
        /// Where it stands.
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
        /// Relative error asked for.
        tolerance: f64,
    },
    /// The scheme is no sum of exponentials.
    #[error("{operator}, scheme {scheme}: has no recurrence, its memory is no sum of exponentials")]
    NoRecurrence {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// A record is longer than what was prepared for it.
    #[error("a record of {samples} samples, prepared for {longest} at most")]
    RecordTooLong {
        /// Samples with those that were given now.
        samples: u64,
        /// The most.
        longest: u64,
    },
    /// A stream has a value for each channel and the samples of all channels at once.
    #[error("{what}: {found}, expected {expected}")]
    Channels {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// A chunk of no samples, or chunks of length zero.
    #[error("a chunk of length zero")]
    EmptyChunk,
    /// All chunks of a record have one length, but for the last, which may be shorter.
    #[error(
        "a chunk of {found} samples, expected {expected} at most (0: a shorter one ended the record)"
    )]
    ChunkLength {
        /// Samples of the chunk.
        found: usize,
        /// The most.
        expected: usize,
    },
    /// The scheme looks ahead of every sample, or is no convolution.
    #[error(
        "{operator}, scheme {scheme}: cannot be computed in chunks, it is no causal convolution and no sum of such"
    )]
    NoChunks {
        /// Name of the operator.
        operator: &'static str,
        /// Name of the scheme.
        scheme: &'static str,
    },
    /// The state of a stream that was saved by another version, operator, or number of channels.
    #[error("the state of a stream: {what} is {found}, expected {expected}")]
    ForeignState {
        /// What differs.
        what: &'static str,
        /// As it was saved.
        found: String,
        /// As it would have to be.
        expected: String,
    },
    /// The state of a stream whose numbers are not those that were saved.
    #[error("the state of a stream is damaged: its checksum is {found:#x}, expected {expected:#x}")]
    DamagedState {
        /// Of the numbers as they are.
        found: u64,
        /// As it was saved.
        expected: u64,
    },
    /// A stream whose backend failed in the middle of a sample has no defined state.
    #[error("this stream's backend failed before: go on from a state saved earlier")]
    StreamFailed,
    /// The scheme's first steps need more samples.
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
    /// A weight has no finite value in the scalar type: the step is too small, the order too high, or
    /// a parameter too large.
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
        /// The axis asked for.
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
    /// A result of this shape could not be addressed.
    #[error("a result of shape {shape:?} does not fit into memory")]
    TooLarge {
        /// The array's shape.
        shape: Vec<usize>,
    },
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
    /// The scheme has no form on points that are not equally far apart.
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
        /// The name given.
        name: String,
        /// The names known, separated by commas.
        known: String,
    },
    /// The operator has no scheme of this name.
    #[error("operator `{operator}` has no scheme `{name}`; it has {known}")]
    UnknownScheme {
        /// The operator.
        operator: &'static str,
        /// The name given.
        name: String,
        /// The schemes it has, separated by commas.
        known: String,
    },
    /// The definition has no parameter of this name.
    #[error("operator `{operator}` has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The operator.
        operator: &'static str,
        /// The name given.
        name: String,
        /// The parameters it has, separated by commas.
        known: String,
    },
    /// A parameter that was given twice.
    #[error("operator `{operator}`: parameter `{name}` is given twice")]
    RepeatedParameter {
        /// The operator.
        operator: &'static str,
        /// The name given.
        name: String,
    },
    /// A parameter without which the definition means nothing.
    #[error("operator `{operator}` needs parameter `{name}`: {meaning}, {range}")]
    MissingParameter {
        /// The operator.
        operator: &'static str,
        /// The parameter's name.
        name: &'static str,
        /// What it is.
        meaning: &'static str,
        /// The values allowed.
        range: &'static str,
    },
    /// A special function refused its parameters.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// No order.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// No grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// No mesh.
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
) -> Result<(), OperatorError> {
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
) -> Result<(), OperatorError> {
    if grid.n() < needed {
        Err(OperatorError::TooFewSamples { operator, scheme, n: grid.n(), needed })
    } else {
        Ok(())
    }
}

/// Says that a scheme (operator, scheme) has no form on a mesh.
pub(crate) fn uniform_only((operator, scheme): (&'static str, &'static str)) -> OperatorError {
    OperatorError::UniformOnly { operator, scheme }
}

/// What a scheme (operator, scheme) answers that is no sum of exponentials.
pub(crate) fn no_recurrence((operator, scheme): (&'static str, &'static str)) -> OperatorError {
    OperatorError::NoRecurrence { operator, scheme }
}
