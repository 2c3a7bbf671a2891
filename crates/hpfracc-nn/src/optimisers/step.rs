use crate::checks::in_range;
use crate::{OutOfRange, Scalar};

/// Arguments of one step over all parameters.
pub(super) struct Step<'a, T> {
    pub(super) rate: f64,
    /// Number of earlier steps.
    pub(super) steps: u64,
    pub(super) theta: &'a mut [T],
    pub(super) gradient: &'a [T],
    pub(super) values: &'a mut [T],
}

/// Error for a decay factor that rounds to 1 in the scalar: the memory would never decay.
pub(super) fn below_one<T: Scalar>(what: &'static str, beta: f64) -> Result<(), OutOfRange> {
    let within = T::narrow(beta) < T::one();
    in_range(within, what, beta, "below 1 in the scalar of the parameters")
}
