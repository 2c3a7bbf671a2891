use hpfracc_operators::OperatorError;
use hpfracc_special::SpecialError;
use hpfracc_types::{MemoryError, shortest};
use thiserror::Error;

/// Errors of fractional differential equation solves.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OdeError {
    /// The system has no components.
    #[error("a system without components")]
    Empty,
    /// The interval has no positive finite length.
    #[error(
        "the interval [{t0}, {t1}] is empty or not finite",
        t0 = shortest(*t0),
        t1 = shortest(*t1)
    )]
    Interval {
        /// Where it starts.
        t0: f64,
        /// Where it ends.
        t1: f64,
    },
    /// An order that is not positive and finite.
    #[error(
        "the order of component {component} is {alpha}, expected a positive finite number",
        alpha = shortest(*alpha)
    )]
    Order {
        /// The component.
        component: usize,
        /// Its order.
        alpha: f64,
    },
    /// A variable order outside of its range.
    #[error(
        "the variable order is {alpha} at t = {t}, expected 0 < alpha <= 1",
        alpha = shortest(*alpha),
        t = shortest(*t)
    )]
    VariableOrder {
        /// The time.
        t: f64,
        /// The order.
        alpha: f64,
    },
    /// The number of given derivatives at t0 is not that of the largest order rounded up.
    #[error("{found} rows of initial values (y, y', ...), the orders demand {expected}")]
    InitialRows {
        /// Number of rows.
        found: usize,
        /// Number of rows expected.
        expected: usize,
    },
    /// An initial value that is NaN or infinite.
    #[error(
        "derivative {derivative} of component {component} is {value} at the start",
        value = shortest(*value)
    )]
    InitialNotFinite {
        /// 0 for the value itself.
        derivative: usize,
        /// The component.
        component: usize,
        /// The value.
        value: f64,
    },
    /// An initial derivative for a component whose order has no use for it; give zero.
    #[error(
        "derivative {derivative} of component {component} is given as {value}, but its order {alpha} \
         takes none", value = shortest(*value), alpha = shortest(*alpha))]
    InitialUnused {
        /// The derivative, from 1.
        derivative: usize,
        /// The component.
        component: usize,
        /// The value.
        value: f64,
        /// The component's order.
        alpha: f64,
    },
    /// A slice of the wrong length.
    #[error("{what} has length {found}, expected {expected}")]
    Length {
        /// Name of the slice.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Expected length.
        expected: usize,
    },
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}", value = shortest(*value))]
    OutOfRange {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Expected range.
        expected: &'static str,
    },
    /// A time outside the interval that was solved.
    #[error(
        "t = {t} is outside the solved interval [{t0}, {t1}]",
        t = shortest(*t),
        t0 = shortest(*t0),
        t1 = shortest(*t1)
    )]
    Outside {
        /// Requested time.
        t: f64,
        /// Where the solution starts.
        t0: f64,
        /// Where it ends.
        t1: f64,
    },
    /// The scheme does not take this kind of steps.
    #[error("{scheme} does not take {steps} steps")]
    Steps {
        /// The scheme.
        scheme: &'static str,
        /// The kind of steps.
        steps: &'static str,
    },
    /// A delay that is negative or not finite.
    #[error(
        "delay {index} is {value} at t = {t}, expected a finite number that is not negative",
        value = shortest(*value),
        t = shortest(*t)
    )]
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
         kernel is 0", value = shortest(*value))]
    Inconsistent {
        /// The component.
        component: usize,
        /// Value of the right-hand side.
        value: f64,
    },
    /// A function that needs a limit at t0 grows towards it.
    #[error(
        "g grows without limit towards the start t = {t}: component {component} is {value}",
        t = shortest(*t),
        value = shortest(*value)
    )]
    Unbounded {
        /// The component.
        component: usize,
        /// The start.
        t: f64,
        /// Value next to t0.
        value: f64,
    },
    /// A blocked history with unequal steps.
    #[error("a blocked history needs uniform steps")]
    UnequalSteps,
    /// Observers need dense output, which this scheme has on these steps only with all nodes
    /// stored, and its history of exponentials stores none.
    #[error(
        "{scheme} needs all nodes for the dense output of observers on these steps: store all nodes"
    )]
    NeedsAllNodes {
        /// The scheme.
        scheme: &'static str,
    },
    /// A state jump that the scheme cannot continue from on these steps.
    #[error(
        "a state jump at t = {t}: {scheme} has none on {steps} steps; take graded, given or adaptive \
         steps of ProductTrapezoid or AdamsBashforthMoulton, or Collocation", t = shortest(*t))]
    NoJumps {
        /// The scheme, or kind of equation.
        scheme: &'static str,
        /// The kind of steps.
        steps: &'static str,
        /// The time.
        t: f64,
    },
    /// The function of an event is NaN.
    #[error("the function of an event is NaN at t = {t}", t = shortest(*t))]
    EventNotANumber {
        /// The time.
        t: f64,
    },
    /// More samples than the capacity of the history.
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
    /// A component of the right-hand side or of the solution is NaN or infinite.
    #[error(
        "the right-hand side or the solution is not finite at t = {t} in component {component}",
        t = shortest(*t)
    )]
    NotFinite {
        /// The time.
        t: f64,
        /// The first such component.
        component: usize,
    },
    /// A derivative with respect to a parameter or an order that is NaN or infinite.
    #[error("the derivative with respect to {variable} {index} is not finite")]
    GradientNotFinite {
        /// "parameter" or "order".
        variable: &'static str,
        /// Its index.
        index: usize,
    },
    /// An implicit step whose equations have no derivative.
    #[error(
        "the equations of the step to t = {t} have no derivative: their matrix is singular",
        t = shortest(*t)
    )]
    Singular {
        /// The time.
        t: f64,
    },
    /// A perturbation smaller than the rounding of its history.
    #[error(
        "at t = {t} the perturbation of Lyapunov exponent {exponent} is smaller than the rounding of \
         its history", t = shortest(*t))]
    LostInRounding {
        /// The time.
        t: f64,
        /// The exponent, counted from 0 at the largest.
        exponent: usize,
    },
    /// The solution was computed by another scheme.
    #[error("the solution is one by {solved_by}, not by {scheme}")]
    OtherScheme {
        /// Scheme of the solution.
        solved_by: &'static str,
        /// Scheme of the call.
        scheme: &'static str,
    },
    /// A solve without a discrete adjoint and tangent.
    #[error(
        "{what} has no gradient; those that have one, without state jumps: problems with Caputo \
         derivatives and multi-term equations by all schemes on all their steps, an exponential \
         integrator with numbers, and equations with constant delays by all schemes except collocation"
    )]
    NotDifferentiable {
        /// Scheme, equation or steps.
        what: &'static str,
    },
    /// The solution belongs to another problem; t is t0 if orders or initial values differ.
    #[error(
        "the solution is not one of this problem: at t = {t} it has other values",
        t = shortest(*t)
    )]
    OtherProblem {
        /// The time.
        t: f64,
    },
    /// The error test fails at the shortest step: min_step, or the rounding of t.
    #[error("the step became too small at t = {t}", t = shortest(*t))]
    StepTooSmall {
        /// The time.
        t: f64,
    },
    /// A component's tolerance is below or next to the rounding of its largest value so far.
    #[error(
        "component {component} cannot meet its tolerance at t = {t}: atol + rtol |y| is \
         {tolerance:e}, next to the rounding {rounding:e} of its largest value so far; raise atol",
        t = shortest(*t)
    )]
    ToleranceBelowRounding {
        /// The time.
        t: f64,
        /// The component.
        component: usize,
        /// Its tolerance.
        tolerance: f64,
        /// Rounding of its largest value so far.
        rounding: f64,
    },
    /// The tolerances of adaptive steps need more attempts than
    /// [`Options::max_steps`](crate::Options::max_steps).
    #[error(
        "the tolerances rtol = {rtol:e} and atol = {atol:e} need more than {attempts} steps, the \
         limit: t = {t} was reached on the way to {t1}; raise rtol, atol or max_steps, or take \
         Collocation, which needs the fewest steps",
        t = shortest(*t),
        t1 = shortest(*t1)
    )]
    TooManySteps {
        /// Relative tolerance.
        rtol: f64,
        /// Absolute tolerance.
        atol: f64,
        /// Number of attempts, accepted and rejected: the limit, or a few more.
        attempts: usize,
        /// Time that was reached.
        t: f64,
        /// End of the interval.
        t1: f64,
    },
    /// Newton's iteration for an implicit step did not converge.
    #[error("Newton's iteration failed at t = {t}, residual {residual:e}", t = shortest(*t))]
    NewtonFailed {
        /// The time.
        t: f64,
        /// Norm of the last residual.
        residual: f64,
    },
    /// A solve that does not fit into the available memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Error of a special function.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// Error of the weights.
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

/// Refuses a number that is outside its range.
pub(crate) fn require(
    inside: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), OdeError> {
    if inside { Ok(()) } else { Err(OdeError::OutOfRange { what, value, expected }) }
}

/// Refuses entries of an argument that are NaN or infinite.
pub(crate) fn finite(what: &'static str, values: &[f64]) -> Result<(), OdeError> {
    values.iter().try_for_each(|&value| require(value.is_finite(), what, value, "a finite number"))
}

/// Refuses components that are NaN or infinite.
pub(crate) fn all_finite(values: &[f64], t: f64) -> Result<(), OdeError> {
    if largest_of([values], |[value]| value.abs()).is_finite() {
        return Ok(());
    }
    let component = values.iter().position(|value| !value.is_finite()).unwrap_or(0);
    Err(OdeError::NotFinite { t, component })
}

/// Refuses a Jacobian, row by row, with an entry that is NaN or infinite.
pub(crate) fn finite_jacobian(jacobian: &[f64], dim: usize, t: f64) -> Result<(), OdeError> {
    match jacobian.iter().position(|entry| !entry.is_finite()) {
        Some(entry) => Err(OdeError::NotFinite { t, component: entry / dim }),
        None => Ok(()),
    }
}

/// Largest size of the entries of slices of equal lengths, or NaN if one is. Eight maxima at once,
/// which vectorise.
pub(crate) fn largest_of<const N: usize>(
    values: [&[f64]; N],
    size: impl Fn([f64; N]) -> f64,
) -> f64 {
    let length = values.map(<[f64]>::len).into_iter().min().unwrap_or(0);
    let (mut most, mut is_nan) = ([0.0f64; 8], [false; 8]);
    let mut take = |lane: usize, size: f64| {
        most[lane] = most[lane].max(size);
        is_nan[lane] |= size.is_nan();
    };
    let whole = length - length % 8;
    for start in (0..whole).step_by(8) {
        let eight = values.map(|values| &values[start..start + 8]);
        (0..8).for_each(|lane| take(lane, size(eight.map(|eight| eight[lane]))));
    }
    (whole..length).for_each(|i| take(0, size(values.map(|values| values[i]))));
    if is_nan.contains(&true) { f64::NAN } else { most.into_iter().fold(0.0, f64::max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found_in_any_place_and_a_nan_is_not_lost() {
        for n in 1..20 {
            for place in 0..n {
                let mut values = vec![-1.0; n];
                values[place] = -3.0;
                assert_eq!(largest_of([&values], |[x]| x.abs()), 3.0);
                assert_eq!(largest_of([&values, &values], |[x, y]| x * y), 9.0);
                values[place] = f64::NAN;
                assert!(largest_of([&values], |[x]| x.abs()).is_nan(), "{n} values, at {place}");
                values[place] = f64::NEG_INFINITY;
                let Err(OdeError::NotFinite { component, .. }) = all_finite(&values, 2.0) else {
                    panic!("{n} values are finite, with infinity at {place}")
                };
                assert_eq!(component, place);
            }
        }
        assert_eq!(largest_of([&[]], |[x]| x), 0.0);
    }
}
