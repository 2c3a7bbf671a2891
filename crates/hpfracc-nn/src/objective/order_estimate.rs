use serde::Serialize;

/// Estimate of a learned order of an equation, with the uncertainty that the data leave.
///
/// The standard error is that of nonlinear least squares, from the curvature of the loss over the
/// order, minimised over the drift at each order. It is the error of sampling: it has no share of
/// the scheme, whose size [`half_step_change`](Self::half_step_change) tells, and none of a model
/// that is wrong, as one whose windows begin in the middle of a series, where the equation has a
/// past.
///
/// ```
/// use hpfracc_nn::OrderEstimate;
///
/// let of = |standard_error| OrderEstimate { order: 0.7, standard_error, half_step_change: None };
/// assert!(of(0.01).identifiable() && of(0.01).interval().contains(&0.715));
/// assert!(!of(0.2).identifiable());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OrderEstimate {
    /// The estimated order.
    pub order: f64,
    /// Its standard error; infinite if the loss does not depend on the order at all.
    pub standard_error: f64,
    /// Change of the estimate by steps of half the size: the share of a scheme of order 1 is about
    /// twice as large, with the other sign. None for an equation with noise.
    pub half_step_change: Option<f64>,
}

impl OrderEstimate {
    /// Largest standard error of an order that counts as identifiable.
    pub const LARGEST_ERROR: f64 = 0.05;

    /// The order with two standard errors on either side: an interval of 95 % for normal errors.
    pub fn interval(&self) -> std::ops::RangeInclusive<f64> {
        let Self { order, standard_error, .. } = *self;
        order - 2.0 * standard_error..=order + 2.0 * standard_error
    }

    /// True if the data determine the order: a standard error of at most
    /// [`LARGEST_ERROR`](Self::LARGEST_ERROR). Otherwise equations with quite different orders fit
    /// the data alike, and the trained order says little.
    pub fn identifiable(&self) -> bool {
        self.standard_error <= Self::LARGEST_ERROR
    }
}
