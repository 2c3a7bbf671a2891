//! Noise, ensembles of stochastic equations, multilevel Monte Carlo, and gradients of ensembles.

mod collect;
mod discretisation;
mod equations;
mod failure;
mod functions;
mod gradient;
mod models;
mod multilevel;
mod noise;
mod schemes;
mod settings;
mod solve;
mod watch;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    noise::register(module)?;
    schemes::register(module)?;
    models::register(module)?;
    equations::register(module)?;
    functions::register(module)?;
    multilevel::register(module)?;
    gradient::register(module)
}
