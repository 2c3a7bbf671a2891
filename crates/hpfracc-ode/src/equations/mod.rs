//! Equations of other kinds, reduced to a [`Problem`](crate::Problem).

mod atangana_baleanu;
mod caputo_fabrizio;
mod delay;
#[cfg(feature = "matrix")]
mod linear_system;
mod multi_term;
mod nonsingular;
mod power_sum;
mod riemann_liouville;

pub use atangana_baleanu::AtanganaBaleanu;
pub use caputo_fabrizio::CaputoFabrizio;
pub use delay::{DelayProblem, Delays, StateDependent};
#[cfg(feature = "matrix")]
pub use linear_system::LinearSystem;
pub use multi_term::MultiTerm;
pub use nonsingular::{InitialConsistency, Nonsingular};
pub use riemann_liouville::RiemannLiouville;
