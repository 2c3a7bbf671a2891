use hpfracc_types::{MemoryError, check_memory};
use num_complex::Complex64;
use thiserror::Error;

/// The result of what may fail with a [`SpatialError`].
pub(crate) type Result<T, E = SpatialError> = std::result::Result<T, E>;

/// Errors of operators on fields.
///
/// Arguments are checked before anything is written. After an error of the computation itself, such
/// as [`NotConverged`](Self::NotConverged), the contents of the output are unspecified.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpatialError {
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A value of a field that is NaN or infinite.
    #[error("{what} is {value} at index {index}")]
    NotFinite {
        /// Name of the field.
        what: &'static str,
        /// Position in the field.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A field with another number of values than the operator.
    #[error("{what} has {found} values, expected {expected}")]
    Length {
        /// Name of the field.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length expected.
        expected: usize,
    },
    /// An iterative solver that has not converged.
    #[error("{what} has a relative residual of {residual:.1e} after {iterations} iterations")]
    NotConverged {
        /// Name of the solver.
        what: &'static str,
        /// Number of iterations.
        iterations: usize,
        /// Norm of the residual, relative to that of the right-hand side.
        residual: f64,
    },
    /// An axis that an operator or a discretisation does not support.
    #[error("axis {axis}: {what} is {found}, expected {expected}")]
    Axis {
        /// Number of the axis, from 0.
        axis: usize,
        /// The property of the axis.
        what: &'static str,
        /// What it is.
        found: String,
        /// What is supported.
        expected: &'static str,
    },
    /// A value of a field outside its range.
    #[error("{what} is {value} at index {index}, expected {expected}")]
    CellValue {
        /// Name of the field.
        what: &'static str,
        /// Position in the field.
        index: usize,
        /// The value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A value on a face of a cell outside its range.
    #[error("{what} is {value} at face {index} across axis {axis}, expected {expected}")]
    FaceValue {
        /// Name of the coefficient.
        what: &'static str,
        /// The axis that the face is normal to.
        axis: usize,
        /// Position among the faces of this axis.
        index: usize,
        /// The value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A node number that is not below the number of nodes.
    #[error("edge {edge} is ({from}, {to}), expected nodes below {nodes}")]
    Node {
        /// Position of the edge in the list.
        edge: usize,
        /// First node of the edge.
        from: usize,
        /// Second node of the edge.
        to: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// An edge weight that is negative, NaN or infinite.
    #[error(
        "edge {edge} ({from}, {to}) has the weight {weight}, expected a finite one of at least 0"
    )]
    Weight {
        /// Position of the edge in the list.
        edge: usize,
        /// First node of the edge.
        from: usize,
        /// Second node of the edge.
        to: usize,
        /// The weight.
        weight: f64,
    },
    /// A directed graph where a symmetric one is required.
    #[error("{what} needs an undirected graph, and this one is directed")]
    Directed {
        /// What was requested.
        what: &'static str,
    },
    /// A negative power of a singular operator, and a vector with a part in its null space.
    #[error(
        "a negative power of a singular operator: the vector has the relative part {part:.1e} in \
         the null space of component {component}; remove it with `remove_null_space`"
    )]
    NotOrthogonal {
        /// Number of the component.
        component: usize,
        /// Product with the null vector, relative to the sum of the absolute values of its terms.
        part: f64,
    },
    /// A method that does not reach the tolerance.
    #[error("{what} reaches an error of {reached:.1e}, the tolerance is {tolerance:.1e}")]
    Tolerance {
        /// Name of the method.
        what: &'static str,
        /// The tolerance requested.
        tolerance: f64,
        /// The error reached.
        reached: f64,
    },
    /// More memory than is available, refused before it is allocated.
    #[error("{what}: {source}")]
    Memory {
        /// What needs the memory.
        what: &'static str,
        /// The bytes needed and those available.
        source: MemoryError,
    },
    /// A backend that cannot plan, bind or compute a map.
    #[error("{message}")]
    Backend {
        /// Message of the backend's error, with its causes.
        message: String,
    },
    /// A method that does not compute a function, or not of this operator.
    #[error("{method} cannot compute {request}: {reason}")]
    Unsupported {
        /// Name of the method.
        method: &'static str,
        /// What was requested.
        request: String,
        /// Why not, and what to use.
        reason: &'static str,
    },
}

/// Refuses a number outside its range.
pub(crate) fn require(
    holds: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<()> {
    if holds { Ok(()) } else { Err(SpatialError::OutOfRange { what, value, expected }) }
}

/// Refuses to allocate more than the available memory. `numbers` counts values of 8 bytes.
pub(crate) fn require_memory(what: &'static str, numbers: f64) -> Result<()> {
    check_memory(numbers).map_err(|source| SpatialError::Memory { what, source })
}

/// Refuses a field of another length.
pub(crate) fn require_len(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(SpatialError::Length { what, found, expected }) }
}

/// Refuses a field with a value that is NaN or infinite.
pub(crate) fn require_finite<T: Copy + Into<Complex64>>(
    what: &'static str,
    field: &[T],
) -> Result<()> {
    let position = field.iter().position(|x| !(*x).into().is_finite());
    position.map_or(Ok(()), |index| {
        let Complex64 { re, im } = field[index].into();
        let value = if re.is_finite() { im } else { re };
        Err(SpatialError::NotFinite { what, index, value })
    })
}
