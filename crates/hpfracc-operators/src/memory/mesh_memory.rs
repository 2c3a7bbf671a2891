use crate::{Operator, OperatorError, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// How an operator on a mesh, whose steps differ, remembers all that is earlier.
///
/// Both give the same numbers, within the tolerance. [`Operator::weights_on`] takes the default, and
/// [`Operator::with_memory`] another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshMemory {
    /// Every cell at every point: a matrix, O(N^2) time and memory.
    Exact,
    /// The last cell exact, the others by a sum of exponentials: O(N K) time and O(N + K) memory, with
    /// K = 50 to 200.
    Exponentials {
        /// Largest relative error of the kernel, and so of the integral over each cell. What it makes
        /// of a result is at most this times `sum |w| |g|` over the cells' weights w and what is
        /// integrated, g. From 1e-13 to 0.1.
        tolerance: f64,
    },
}

impl Default for MeshMemory {
    /// Exponentials within 1e-12, far below the error of any scheme of these operators.
    fn default() -> Self {
        Self::Exponentials { tolerance: 1e-12 }
    }
}

/// An operator with the memory chosen that it has on meshes; see [`Operator::with_memory`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithMemory<O> {
    pub(crate) operator: O,
    pub(crate) memory: MeshMemory,
}

impl<O: Operator> Operator for WithMemory<O> {
    fn name(&self) -> (&'static str, &'static str) {
        self.operator.name()
    }
    fn order(&self) -> Order {
        self.operator.order()
    }
    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.operator.weights(grid)
    }
    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.operator.weights_order_derivative(grid)
    }
    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights, OperatorError> {
        self.operator.mesh_weights(mesh, memory)
    }
    fn mesh_weights_order_derivative(
        &self,
        mesh: &Mesh,
        memory: MeshMemory,
    ) -> Result<Weights, OperatorError> {
        self.operator.mesh_weights_order_derivative(mesh, memory)
    }
    fn weights_on(&self, mesh: &Mesh) -> Result<Weights, OperatorError> {
        self.mesh_weights(mesh, self.memory)
    }
    fn weights_on_order_derivative(&self, mesh: &Mesh) -> Result<Weights, OperatorError> {
        self.mesh_weights_order_derivative(mesh, self.memory)
    }
}
