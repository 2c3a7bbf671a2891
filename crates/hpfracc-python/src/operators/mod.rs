//! Fractional derivatives and integrals of arrays.

mod autograd;
mod bound;
mod cache;
mod catalogue;
mod choice;
mod pair;
mod stream;
mod sweep;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<bound::PyOperator>()?;
    module.add_class::<stream::PyStream>()?;
    module.add_function(wrap_pyfunction!(catalogue::definitions, module)?)?;
    module.add_function(wrap_pyfunction!(cache::apply, module)?)?;
    module.add_function(wrap_pyfunction!(cache::vjp, module)?)?;
    module.add_function(wrap_pyfunction!(cache::vjp_alpha, module)?)?;
    autograd::register(module)
}
