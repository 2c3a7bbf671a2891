//! Trainings of networks and neural fractional differential equations.

mod arguments;
mod config;
mod controlled;
mod failure;
mod latent;
mod network;
mod parts;
mod problem;
mod run;
mod simulate;
mod task;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<task::PyTraining>()?;
    module.add_function(wrap_pyfunction!(task::read_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(network::network_facts, module)?)?;
    module.add_function(wrap_pyfunction!(network::network_outputs, module)?)
}
