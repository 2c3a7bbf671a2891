/// The form of an operator's memory on a mesh, whose steps differ.
///
/// Both give the same numbers, within the tolerance.
/// [`Operator::on_mesh`](crate::Operator::on_mesh) takes the default,
/// [`Operator::on_mesh_with`](crate::Operator::on_mesh_with) either.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshMemory {
    /// Every cell at every point: a matrix, O(N^2) time and memory.
    Exact,
    /// The last cell exact, the others by a sum of exponentials: O(N K) time and O(N + K) memory,
    /// with K = 50 to 200.
    Exponentials {
        /// Largest relative error of the kernel, and so of the integral over each cell. The error
        /// of a result is at most this times `sum |w| |g|` over the weights w of the cells and the
        /// integrand g. From 1e-13 to 0.1.
        tolerance: f64,
    },
}

impl Default for MeshMemory {
    /// Exponentials within 1e-12, far below the error of any scheme of these operators.
    fn default() -> Self {
        Self::Exponentials { tolerance: 1e-12 }
    }
}
