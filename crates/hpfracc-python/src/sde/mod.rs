//! Noise, ensembles of stochastic equations, multilevel Monte Carlo, and gradients of ensembles.

mod adaptive;
mod collect;
mod discretisation;
mod equations;
mod failure;
mod functions;
mod gradient;
mod models;
mod multilevel;
mod noise;
mod noise_paths;
mod schemes;
mod settings;
mod solve;
mod watch;

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
