//! The module `hpfracc._hpfracc`.

use crate::{autograd, fit, machine, ode, operators, sde, series, special};
use pyo3::prelude::*;

#[pymodule]
fn _hpfracc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    machine::register(module)?;
    operators::register(module)?;
    special::register(module)?;
    ode::register(module)?;
    sde::register(module)?;
    fit::register(module)?;
    series::register(module)?;
    autograd::register(module)
}
