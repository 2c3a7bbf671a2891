//! Derivatives as new nodes of a graph: automatic differentiation in forward mode (tangents, jvp),
//! reverse mode (adjoints, vjp) and sparse Jacobians, each linear in the size of the graph.
//!
//! Derivatives are graphs again: higher ones follow by applying these functions twice.

mod by_nodes;
mod error;
mod forward;
mod gated;
mod jacobian;
mod reverse;
mod rules;
mod tidy;

pub use by_nodes::mittag_leffler_by_nodes;
pub use error::NoDerivative;
pub use forward::forward;
pub use jacobian::{JacobianEntry, jacobian};
pub use reverse::reverse;
pub(crate) use tidy::Tidy;
