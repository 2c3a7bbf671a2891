use super::OptimiserError;
use crate::Scalar;

/// One step of a rule over all parameters.
pub(super) struct Step<'a, T> {
    pub(super) rate: f64,
    /// Steps before this one.
    pub(super) steps: u64,
    pub(super) theta: &'a mut [T],
    pub(super) gradient: &'a [T],
    pub(super) values: &'a mut [T],
}

/// Refuses what rounds to 1 in a scalar of fewer digits: nothing would be forgotten.
pub(super) fn below_one<T: Scalar>(what: &'static str, beta: f64) -> Result<(), OptimiserError> {
    let within = T::narrow(beta) < T::one();
    OptimiserError::unless(within, what, beta, "below 1 in the scalar of the parameters")
}
