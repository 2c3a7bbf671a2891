//! Iterative solvers of shifted equations `(z + A) x = b`.

mod conjugate_gradient;
mod gmres;
mod iterative_solver;
mod multi_shift;
mod parts;
pub mod reductions;
mod stopping;

pub use conjugate_gradient::conjugate_gradients;
pub(crate) use conjugate_gradient::preconditioned_conjugate_gradients;
pub use gmres::Gmres;
pub use iterative_solver::IterativeSolver;
pub use multi_shift::multi_shift_conjugate_gradients;
pub(crate) use parts::{Parts, RealMaps, solve_parts};
pub use stopping::{Convergence, Stopping};
