use thiserror::Error;

/// Why a number is no [`Order`](crate::Order).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// NaN or an infinity.
    #[error("order alpha = {alpha} is not finite")]
    NotFinite {
        /// The number given.
        alpha: f64,
    },
    /// Below zero: an integral of order `-alpha` has its own operators.
    #[error("order alpha = {alpha} is negative")]
    Negative {
        /// The number given.
        alpha: f64,
    },
}

/// Why a length and a step are no [`Grid`](crate::Grid).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// A grid needs two points before it has a step.
    #[error("a grid needs at least 2 points, got {n}")]
    TooFewPoints {
        /// The number of points given.
        n: usize,
    },
    /// The step is zero, negative, infinite or NaN.
    #[error("grid step dt = {dt} is not positive and finite")]
    BadStep {
        /// The step given.
        dt: f64,
    },
}
