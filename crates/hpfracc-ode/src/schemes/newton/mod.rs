//! Newton's iteration for the nonlinear equations of implicit steps, and its linear systems.

mod coupled_states;
mod equations;
mod iteration;
mod linear_solver;

pub(crate) use coupled_states::CoupledStates;
pub(super) use equations::{Equations, Iterate};
pub(super) use iteration::Newton;
pub(crate) use linear_solver::coupled_states;
