//! Noise, ensembles of stochastic equations, multilevel Monte Carlo, and gradients of ensembles.

mod attend;
mod collect;
mod equations;
mod functions;
mod gradient;
mod models;
mod multilevel;
mod noise;
mod noise_paths;
mod schemes;
mod settings;
mod solve;

use crate::errors::{self, Kind};
use hpfracc::sde::{EquationModelError, SdeError};
use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    noise_paths::register(module)?;
    schemes::register(module)?;
    models::register(module)?;
    equations::register(module)?;
    functions::register(module)?;
    multilevel::register(module)?;
    gradient::register(module)
}

/// Exception of an error of a stochastic equation.
fn of_sde(error: SdeError) -> PyErr {
    match error {
        SdeError::BiasAboveTarget { .. }
        | SdeError::CotangentNotFinite { .. }
        | SdeError::StateOverflow { .. } => Kind::Solver.error(error.to_string()),
        other => errors::raise(other.into()),
    }
}

/// Exception of an error of an equation as a stochastic model.
fn of_model(error: EquationModelError) -> PyErr {
    match error {
        EquationModelError::Problem(error) => of_sde(error),
        other => errors::raise(other.into()),
    }
}

/// `InputError` for a name that is not in a list.
fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> PyErr {
    let known: Vec<&str> = known.into_iter().collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    errors::input(format!("unknown {what} '{name}'; known are {known}"))
}
