//! Iterative and direct solvers of shifted equations `(z + A) x = b`.

mod complex_conjugate_gradients;
mod conjugate_gradients;
#[cfg(feature = "sparse")]
pub(crate) mod factorisation;
mod iterative;
mod multi_shift;
pub(crate) mod reductions;

pub use complex_conjugate_gradients::complex_conjugate_gradients;
pub use conjugate_gradients::{Convergence, Stopping, conjugate_gradients};
pub use iterative::IterativeSolver;
pub use multi_shift::multi_shift_conjugate_gradients;
