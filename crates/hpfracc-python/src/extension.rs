//! The module `hpfracc._hpfracc`.

use crate::{fields, fit, machine, ode, operators, running, sde, series, special, training};
use pyo3::prelude::*;

#[pymodule]
fn _hpfracc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    running::register(module)?;
    machine::register(module)?;
    operators::register(module)?;
    special::register(module)?;
    ode::register(module)?;
    sde::register(module)?;
    fields::register(module)?;
    fit::register(module)?;
    series::register(module)?;
    training::register(module)?;
    // PyO3 makes a list of all names, which the stub does not repeat.
    module.delattr("__all__")
}
