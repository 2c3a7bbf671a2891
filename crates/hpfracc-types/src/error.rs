use crate::MemoryError;
use thiserror::Error;

/// Errors of [`Order`](crate::Order).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// NaN or an infinity.
    #[error("order alpha = {alpha} is not finite")]
    NotFinite {
        /// The number.
        alpha: f64,
    },
    /// Below zero: an integral of order `-alpha` has its own operators.
    #[error("order alpha = {alpha} is negative")]
    Negative {
        /// The number.
        alpha: f64,
    },
}

/// Errors of [`Grid`](crate::Grid).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// Fewer than two points.
    #[error("a grid needs at least 2 points, got {n}")]
    TooFewPoints {
        /// The number of points.
        n: usize,
    },
    /// More points than numbers that can be addressed.
    #[error("a grid has at most {most} points, got {n}")]
    TooManyPoints {
        /// The number of points.
        n: usize,
        /// The largest number.
        most: usize,
    },
    /// The step is zero, negative, infinite or NaN.
    #[error("grid step dt = {dt} is not positive and finite")]
    BadStep {
        /// The step.
        dt: f64,
    },
}

/// Errors of [`Mesh`](crate::Mesh).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// Fewer than two points.
    #[error("a mesh needs at least 2 points, got {n}")]
    TooFewPoints {
        /// The number of points.
        n: usize,
    },
    /// More points than numbers that can be addressed.
    #[error("a mesh has at most {most} points, got {n}")]
    TooManyPoints {
        /// The number of points.
        n: usize,
        /// The largest number.
        most: usize,
    },
    /// The points do not fit into the available memory.
    #[error("a mesh of {n} points: {memory}")]
    Memory {
        /// The number of points.
        n: usize,
        /// Needed and available memory.
        memory: MemoryError,
    },
    /// A point is NaN or an infinity.
    #[error("mesh point t_{index} = {t} is not finite")]
    NotFinite {
        /// Index of the point, from 0.
        index: usize,
        /// The point.
        t: f64,
    },
    /// A point does not lie after the one before it.
    #[error("mesh point t_{index} = {t} does not exceed the one before it, {before}")]
    NotIncreasing {
        /// Index of the point, from 0.
        index: usize,
        /// The point.
        t: f64,
        /// The one before it.
        before: f64,
    },
    /// A parameter of the points is not positive and finite.
    #[error("mesh: {what} = {value} is not positive and finite")]
    Parameter {
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}
