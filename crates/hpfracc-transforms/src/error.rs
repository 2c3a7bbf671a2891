use thiserror::Error;

/// The result of what may fail with a [`TransformError`].
pub(crate) type Result<T, E = TransformError> = std::result::Result<T, E>;

/// Errors of transforms. Nothing is written to the output in case of an error.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TransformError {
    /// An order, a frequency or a step that is NaN or infinite.
    #[error("{transform}: {what} is {value}, expected a finite number")]
    NotFinite {
        /// Name of the transform.
        transform: &'static str,
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A length outside the range of the transform.
    #[error("{transform}: {what} is {value}, expected {least} to {most}")]
    Length {
        /// Name of the transform.
        transform: &'static str,
        /// The length's name.
        what: &'static str,
        /// Its value.
        value: usize,
        /// The least length.
        least: usize,
        /// The greatest length.
        most: usize,
    },
    /// An array's axis has another length than the transform was planned for.
    #[error("`{argument}`: axis {axis} has length {found}, the transform has {expected}")]
    AxisLength {
        /// The argument's name.
        argument: &'static str,
        /// The axis.
        axis: usize,
        /// Its length.
        found: usize,
        /// The planned length.
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
    /// An array of this shape exceeds the address space.
    #[error("a result of shape {shape:?} does not fit into memory")]
    TooLarge {
        /// The result's shape.
        shape: Vec<usize>,
    },
    /// The eigenvectors of the discrete transform were not found.
    #[error("the eigenvectors of {n} points were not found within {iterations} iterations")]
    NoEigenvectors {
        /// Number of points.
        n: usize,
        /// Iterations of the symmetric QR algorithm.
        iterations: usize,
    },
}

/// Refuses a number that is NaN or infinite.
pub(crate) fn finite(transform: &'static str, what: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(TransformError::NotFinite { transform, what, value })
    }
}

/// Refuses a length outside `least..=most`.
pub(crate) fn within(
    transform: &'static str,
    what: &'static str,
    value: usize,
    (least, most): (usize, usize),
) -> Result<usize> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(TransformError::Length { transform, what, value, least, most })
    }
}
