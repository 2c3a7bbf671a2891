use crate::random::Purpose;
use crate::system::Calculus;
use hpfracc_communicator::CommunicatorError;
use hpfracc_lanes::StorageOverflow;
use hpfracc_operators::OperatorError;
use hpfracc_special::SpecialError;
use thiserror::Error;

/// Errors of stochastic problems, noises, schemes, ensembles and gradients.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SdeError {
    /// Ranks do not work together.
    #[error(transparent)]
    Ranks(#[from] CommunicatorError),
    /// The system has no components.
    #[error("a system without components")]
    Empty,
    /// The interval has no positive finite length.
    #[error("the interval [{t0}, {t1}] is empty or not finite")]
    Interval {
        /// Where it starts.
        t0: f64,
        /// Where it ends.
        t1: f64,
    },
    /// An order that is not positive and finite.
    #[error("the order of component {component} is {alpha}, expected a positive finite number")]
    Order {
        /// The component.
        component: usize,
        /// Its order.
        alpha: f64,
    },
    /// An initial value that is NaN or infinite.
    #[error("component {component} is {value} at the start")]
    InitialNotFinite {
        /// The component.
        component: usize,
        /// The value.
        value: f64,
    },
    /// A length that does not match.
    #[error("{what} has length {found}, expected {expected}")]
    Length {
        /// The thing.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length expected.
        expected: usize,
    },
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}")]
    OutOfRange {
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// A scheme asks a noise for integrals within its steps.
    #[error(
        "{noise} has no integrals within a step, which the scheme asks for: Brownian motion has"
    )]
    NoIntegrals {
        /// The noise.
        noise: &'static str,
    },
    /// The scheme's limit solves another equation.
    #[error(
        "{scheme} is of {by_scheme:?} calculus, the equation of {by_equation:?}: they differ unless noise is additive"
    )]
    OtherCalculus {
        /// The scheme.
        scheme: &'static str,
        /// Its calculus.
        by_scheme: Calculus,
        /// The calculus of the equation.
        by_equation: Calculus,
    },
    /// A scheme that is not one for such an equation.
    #[error("{scheme} does not take this equation: {reason}")]
    NotTaken {
        /// The scheme.
        scheme: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// The equations of an implicit step of a path were not solved.
    #[error(
        "path {path}: Newton's iteration failed in step {step}, to t = {t}, where it last changed the \
         path by {residual:e}"
    )]
    PathNewtonFailed {
        /// Number of the path.
        path: u64,
        /// The step, from 0.
        step: usize,
        /// Its end.
        t: f64,
        /// The last change.
        residual: f64,
    },
    /// The error test of a path fails on steps of the shortest length.
    #[error("path {path}: the step became too small at t = {t}, in step {step} of the ensemble")]
    PathStepTooSmall {
        /// Number of the path.
        path: u64,
        /// The step of the ensemble, from 0.
        step: usize,
        /// The time that was reached.
        t: f64,
    },
    /// A scheme that chooses steps was given another noise than the ensemble.
    #[error(
        "the noise of the ensemble is not the Brownian tree that the scheme refines: in step {step} \
         their increments differ"
    )]
    OtherNoise {
        /// The step, from 0.
        step: usize,
    },
    /// Noise too rough for its integrals to be those over single paths.
    #[error(
        "noise {component} has H = {hurst}: where it multiplies what depends on the path, integrals \
         are limits of sums for H > 1/2 only; additive noise may have any H"
    )]
    RoughNoise {
        /// The component of the noise.
        component: usize,
        /// Its exponent H.
        hurst: f64,
    },
    /// An order that has no solution under a noise, or one above 1.
    #[error(
        "the order of component {component} is {alpha}, expected {least} < alpha <= 1: noise {noise} \
         is too rough for lower orders"
    )]
    OrderUnderNoise {
        /// The component of the equation.
        component: usize,
        /// Its order.
        alpha: f64,
        /// The component of the noise.
        noise: usize,
        /// The order that its process excludes: 1/2 for Brownian motion and jumps, 1 - 1/p for
        /// stable noise of index p, 0 for smooth noise; for fractional noise 1 - H where it is
        /// additive, 2 - 2H where it is multiplicative.
        least: f64,
    },
    /// Antithetic pairs of a noise that is not symmetric.
    #[error("the noise is not symmetric: its mirror image has another distribution")]
    NotSymmetric,
    /// An observable of a finite state that overflows.
    #[error("path {path}: {observable} is too large for the precision at t = {t}")]
    ObservableNotFinite {
        /// Number of the path.
        path: u64,
        /// Name of the observable.
        observable: String,
        /// The time.
        t: f64,
    },
    /// A path that left the finite numbers.
    #[error("path {path}: component {component} is not finite after step {step}, at t = {t}")]
    PathNotFinite {
        /// Number of the path.
        path: u64,
        /// The component.
        component: usize,
        /// The step, from 0.
        step: usize,
        /// Its end.
        t: f64,
    },
    /// Value of the function of an event that is NaN or infinite.
    #[error("path {path}: the function of event {event} is not finite at t = {t}")]
    EventNotFinite {
        /// Number of the path.
        path: u64,
        /// The event, from 0.
        event: usize,
        /// Time of the node.
        t: f64,
    },
    /// A gradient of paths that events stop.
    #[error("gradients do not differentiate the stops of paths: take a problem without events")]
    StopsNotDifferentiated,
    /// A derivative that a scheme does not have.
    #[error("{scheme} has no such derivative: {reason}")]
    NoDerivative {
        /// The scheme.
        scheme: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A loss or a payoff of a path that is NaN or infinite.
    #[error("path {path}: its {what} is {value}")]
    PathValueNotFinite {
        /// Loss or payoff.
        what: &'static str,
        /// Number of the path.
        path: u64,
        /// The value.
        value: f64,
    },
    /// A state that is too large for its storage format.
    #[error("path {path}: component {component} at step {step}, t = {t}: {overflow}")]
    StateOverflow {
        /// Number of the path.
        path: u64,
        /// The component.
        component: usize,
        /// The step, from 0.
        step: usize,
        /// Its start.
        t: f64,
        /// The value.
        overflow: StorageOverflow,
    },
    /// A cotangent that is not finite, in the backward pass.
    #[error(
        "path {path}: the cotangent of component {component} is not finite at step {step}, t = {t}"
    )]
    CotangentNotFinite {
        /// Number of the path.
        path: u64,
        /// The component.
        component: usize,
        /// The step, from 0.
        step: usize,
        /// Where it starts.
        t: f64,
    },
    /// A gradient in a parameter, summed over some paths, that is not finite.
    #[error(
        "paths {first_path} to {last_path}: the gradient in parameter {parameter} is not finite at \
         step {step}, t = {t}"
    )]
    ParameterGradientNotFinite {
        /// The parameter.
        parameter: usize,
        /// Number of the first path.
        first_path: u64,
        /// Number of the last path.
        last_path: u64,
        /// The step, from 0.
        step: usize,
        /// Where it starts.
        t: f64,
    },
    /// A time to be saved that lies between nodes.
    #[error("t = {t} is no node of the steps, the nearest is {nearest}")]
    NotANode {
        /// The time.
        t: f64,
        /// The nearest node.
        nearest: f64,
    },
    /// A result, a table or the state of a solve that exceeds the available memory.
    #[error("{what}: {bytes} bytes of memory are needed, {available} are available")]
    TooLarge {
        /// The result.
        what: &'static str,
        /// Its bytes; the largest number for more than can be counted.
        bytes: u64,
        /// The [available](hpfracc_types::available_memory) bytes.
        available: u64,
    },
    /// A checkpoint of another solve.
    #[error("the checkpoint is of another solve: its {what} is {found}, expected {expected}")]
    ForeignCheckpoint {
        /// The difference.
        what: &'static str,
        /// The value in the checkpoint.
        found: String,
        /// The value of this solve.
        expected: String,
    },
    /// A checkpoint whose numbers are not those that were saved.
    #[error("the checkpoint is damaged: its checksum is {found:x}, expected {expected:x}")]
    DamagedCheckpoint {
        /// That of its numbers.
        found: u64,
        /// That which it carries.
        expected: u64,
    },
    /// The finest level that is allowed has too long steps for the target.
    #[error(
        "level {level} leaves a bias of {bias:e}, too much for an error of {target:e}: allow finer levels"
    )]
    BiasAboveTarget {
        /// The level.
        level: usize,
        /// Its bias, estimated.
        bias: f64,
        /// The requested error.
        target: f64,
    },
    /// The solve was ended from outside.
    #[error("cancelled")]
    Cancelled,
    /// Noises that would not be independent.
    #[error(
        "two noises draw the same random numbers, {purpose:?} of seed {seed}: give one another seed"
    )]
    SeedUsedTwice {
        /// The seed.
        seed: u64,
        /// The purpose of the random numbers.
        purpose: Purpose,
    },
    /// A matrix that is no correlation.
    #[error(transparent)]
    Correlation(#[from] CorrelationError),
    /// The values of a special function.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// The weights.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}

/// Errors of correlation and covariance matrices.
#[derive(Debug, Error, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CorrelationError {
    /// It is not square, or has no rows.
    #[error("the matrix has {rows} rows and {columns} columns, expected as many, at least 1")]
    Shape {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// An entry that is NaN or infinite.
    #[error("entry ({row}, {column}) is {value}")]
    NotFinite {
        /// Its row, from 0.
        row: usize,
        /// Its column.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// A diagonal entry that is not 1, of a correlation, or negative, of a covariance.
    #[error("diagonal entry {row} is {value}, expected {expected}")]
    Diagonal {
        /// Its row, from 0.
        row: usize,
        /// Its value.
        value: f64,
        /// The expected value.
        expected: &'static str,
    },
    /// Two entries that should be equal.
    #[error("entry ({row}, {column}) is {value}, but entry ({column}, {row}) is {mirrored}")]
    NotSymmetric {
        /// The row, from 0.
        row: usize,
        /// The column.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry on the other side of the diagonal.
        mirrored: f64,
    },
    /// No noises have such correlations.
    #[error(
        "the matrix is not positive semidefinite: given others, component {row} would have the \
         variance {variance:.3e}"
    )]
    Indefinite {
        /// The component, from 0.
        row: usize,
        /// Its conditional variance, relative to its variance.
        variance: f64,
    },
    /// No noises have such correlations: one without variance of its own is correlated with
    /// another.
    #[error(
        "the matrix is not positive semidefinite: given others, components {row} and {column} would \
         have no variance, but the covariance {covariance:.3e}"
    )]
    Determined {
        /// One component, from 0.
        row: usize,
        /// The other.
        column: usize,
        /// The correlation.
        covariance: f64,
    },
}

/// Refuses a slice whose length is not the expected one.
pub(crate) fn same_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), SdeError> {
    if found == expected { Ok(()) } else { Err(SdeError::Length { what, found, expected }) }
}

/// Refuses a number outside its range: where `holds` is false.
pub(crate) fn in_range(
    holds: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), SdeError> {
    if holds { Ok(()) } else { Err(out_of_range(what, value, expected)) }
}

/// A number outside its range.
pub(crate) fn out_of_range(what: &'static str, value: f64, expected: &'static str) -> SdeError {
    SdeError::OutOfRange { what, value, expected }
}
