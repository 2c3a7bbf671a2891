//! Equations of other kinds, reduced to a [`Problem`](crate::Problem).

mod delay;
mod equation_problem;
mod linear_system;
mod multi_term;
mod nonsingular;
mod nonsingular_derivatives;
mod of_function;
mod power_sum;
mod riemann_liouville;

pub use delay::{DelayProblem, Delays, LaggedRhs, StateDependent};
pub use equation_problem::{
    DifferentiableEquation, EquationProblem, EquationProblemError, EquationSolution,
    EquationSystem, SolutionTable,
};
pub use linear_system::LinearSystem;
pub use multi_term::MultiTerm;
pub use nonsingular::{InitialConsistency, Nonsingular};
pub use nonsingular_derivatives::{AtanganaBaleanu, CaputoFabrizio};
pub use of_function::{caputo_of_function, integral_of_function};
pub use riemann_liouville::RiemannLiouville;
