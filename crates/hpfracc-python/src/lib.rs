//! Extension module of the Python package `hpfracc`.
//!
//! Each folder has the classes and functions of one part; the modules of `python/hpfracc` give them signatures, defaults
//! and documentation. `arrays`, `errors` and `running` are what all parts share.

mod arrays;
mod autograd;
mod errors;
mod fields;
mod fit;
mod machine;
mod ode;
mod operators;
mod running;
mod sde;
mod series;
mod special;
mod training;

use pyo3::prelude::*;

/// The module `hpfracc._hpfracc`.
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
    autograd::register(module)?;
    // PyO3 makes a list of all names, which the stub does not repeat.
    module.delattr("__all__")
}
