//! Exceptions of stochastic equations.

use crate::errors::{self, Kind};
use hpfracc::sde::{EquationModelError, SdeError};
use pyo3::prelude::*;

/// Exception of an error of a stochastic equation.
pub(super) fn of_sde(error: SdeError) -> PyErr {
    match error {
        SdeError::BiasAboveTarget { .. }
        | SdeError::CotangentNotFinite { .. }
        | SdeError::StateOverflow { .. } => Kind::Solver.of(&error),
        other => errors::raise(other.into()),
    }
}

/// Exception of an error of an equation as a stochastic model.
pub(super) fn of_model(error: EquationModelError) -> PyErr {
    match error {
        EquationModelError::Problem(error) => of_sde(error),
        other => errors::raise(other.into()),
    }
}

/// `InputError` for a name that is not in a list.
pub(super) fn unknown<'n>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> PyErr {
    let known: Vec<&str> = known.into_iter().collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    errors::input(format!("unknown {what} '{name}'; known are {known}"))
}
