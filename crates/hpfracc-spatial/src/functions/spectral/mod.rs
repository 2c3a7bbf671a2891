//! Functions of the eigenvalues: of dense matrices, and of operators with a transform to their modes.

mod dense;
mod dense_modes;
mod diagonal;
mod modes;
mod modes_multiplier;

pub(crate) use dense::{Dense, LARGEST};
pub use dense_modes::DenseModes;
pub(crate) use diagonal::{DiagonalSolver, MappedModes};
pub(crate) use modes::OfModes;
pub use modes_multiplier::ModesMultiplier;
pub(crate) use modes_multiplier::OnBackend;
