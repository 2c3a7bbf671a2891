use hpfracc_operators::OperatorError;
use hpfracc_special::SpecialError;
use thiserror::Error;

/// Why a fractional differential equation has no solution, or none beyond some time.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OdeError {
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
    /// The number of given derivatives at t0 is not that of the largest order rounded up.
    #[error("{found} rows of initial values (y, y', ...), the orders demand {expected}")]
    InitialRows {
        /// Rows given.
        found: usize,
        /// Rows demanded.
        expected: usize,
    },
    /// An initial value that is NaN or infinite.
    #[error("derivative {derivative} of component {component} is {value} at the start")]
    InitialNotFinite {
        /// 0 for the value itself.
        derivative: usize,
        /// The component.
        component: usize,
        /// What was given.
        value: f64,
    },
    /// An initial derivative for a component whose order has no use for it; give zero.
    #[error(
        "derivative {derivative} of component {component} is given as {value}, but its order {alpha} \
         takes none"
    )]
    InitialUnused {
        /// The derivative, from 1.
        derivative: usize,
        /// The component.
        component: usize,
        /// What was given.
        value: f64,
        /// The component's order.
        alpha: f64,
    },
    /// Something has another length than what it belongs to.
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
    /// A time outside the interval that was solved.
    #[error("t = {t} is outside the solved interval [{t0}, {t1}]")]
    Outside {
        /// The time asked for.
        t: f64,
        /// Where the solution starts.
        t0: f64,
        /// Where it ends.
        t1: f64,
    },
    /// The scheme does not go by such steps.
    #[error("{scheme} does not take {steps} steps")]
    Steps {
        /// The scheme.
        scheme: &'static str,
        /// The kind of steps.
        steps: &'static str,
    },
    /// A delay that asks for a value yet to come, or for none.
    #[error("delay {index} is {value} at t = {t}, expected a finite number that is not negative")]
    Delay {
        /// The delay, from 0.
        index: usize,
        /// The time.
        t: f64,
        /// Its value.
        value: f64,
    },
    /// The equation cannot hold at the start: a derivative with a nonsingular kernel is 0 there.
    #[error(
        "f is {value} in component {component} at the start, where a derivative with a nonsingular \
         kernel is 0"
    )]
    Inconsistent {
        /// The component.
        component: usize,
        /// What the right-hand side is.
        value: f64,
    },
    /// What has to have a limit at the start grows towards it.
    #[error("g grows without limit towards the start t = {t}: component {component} is {value:e}")]
    Unbounded {
        /// The component.
        component: usize,
        /// The start.
        t: f64,
        /// The value beside it.
        value: f64,
    },
    /// Transforms of blocks sum over equal steps only.
    #[error("a blocked history needs uniform steps")]
    UnequalSteps,
    /// Observers look between the nodes, which without all nodes this scheme cannot on these steps.
    #[error("{scheme} needs all nodes kept for what observers ask on these steps")]
    NeedsAllNodes {
        /// The scheme.
        scheme: &'static str,
    },
    /// The function of an event is NaN.
    #[error("the function of an event is NaN at t = {t}")]
    EventNotANumber {
        /// The time.
        t: f64,
    },
    /// More samples than the history was made for.
    #[error("the history holds {capacity} samples and is full")]
    HistoryFull {
        /// Its capacity.
        capacity: usize,
    },
    /// The kernel has no form as a sum of exponentials here.
    #[error("{kernel} has no sum of exponentials here")]
    NoExponentials {
        /// The kernel.
        kernel: String,
    },
    /// The right-hand side or the solution is NaN or infinite.
    #[error("the right-hand side or the solution is not finite at t = {t}")]
    NotFinite {
        /// The time.
        t: f64,
    },
    /// An implicit step whose equations have no derivative.
    #[error("the equations of the step to t = {t} have no derivative: their matrix is singular")]
    Singular {
        /// The time.
        t: f64,
    },
    /// A perturbation has shrunk so far that the rounding of its past covers it.
    #[error(
        "at t = {t} the perturbation of Lyapunov exponent {exponent} is smaller than the rounding of \
         its past"
    )]
    LostInRounding {
        /// The time.
        t: f64,
        /// The exponent, counted from 0 at the largest.
        exponent: usize,
    },
    /// A solution was given with a scheme that did not make it.
    #[error("the solution is one by {solved_by}, not by {scheme}")]
    OtherScheme {
        /// The scheme that made it.
        solved_by: &'static str,
        /// The scheme that it was given with.
        scheme: &'static str,
    },
    /// A solution was given with a problem that it does not solve: at t0 if orders or initial values are
    /// others.
    #[error("the solution is not one of this problem: at t = {t} it has other values")]
    OtherProblem {
        /// The time.
        t: f64,
    },
    /// The error test fails at every step that the time can resolve, or that was allowed.
    #[error("the step became too small at t = {t}")]
    StepTooSmall {
        /// The time.
        t: f64,
    },
    /// Newton's iteration for an implicit step did not converge.
    #[error("Newton's iteration failed at t = {t}, residual {residual:e}")]
    NewtonFailed {
        /// The time.
        t: f64,
        /// Norm of the last residual.
        residual: f64,
    },
    /// The values of a special function.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// The weights.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}

/// Refuses a slice whose length is not the expected one.
pub(crate) fn same_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), OdeError> {
    if found == expected { Ok(()) } else { Err(OdeError::Length { what, found, expected }) }
}

/// A number outside its range.
pub(crate) fn out_of_range(what: &'static str, value: f64, expected: &'static str) -> OdeError {
    OdeError::OutOfRange { what, value, expected }
}

/// Refuses values that are NaN or infinite.
pub(crate) fn all_finite(values: &[f64], t: f64) -> Result<(), OdeError> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(OdeError::NotFinite { t })
    }
}
