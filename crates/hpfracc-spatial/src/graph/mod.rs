//! Weighted graphs, their Laplacians, products with many columns, and random walks.

mod columns;
mod components;
mod csr;
mod edge_weight_gradient;
mod edges;
#[cfg(feature = "sparse")]
mod factorisation;
mod generate;
mod laplacian;
mod random;
mod walk;
mod weight_gradient;

pub use columns::Real;
pub use edge_weight_gradient::edge_weight_gradient;
pub use edges::{EdgeReport, Graph};
pub use laplacian::{GraphLaplacian, Normalisation};
pub use walk::FractionalWalk;
