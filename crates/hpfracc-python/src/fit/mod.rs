//! Fits: models of texts and callables, data sets, results with their uncertainty, and batches of curves.

mod batch;
mod bootstrap;
mod catalogue;
mod failure;
mod found;
mod model;
mod posterior;
mod problem;
mod rows;
mod settings;
mod summary;
mod watch;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::FitModel>()?;
    module.add_class::<found::PyFound>()?;
    module.add_class::<rows::FitRows>()?;
    module.add_class::<rows::FitSpool>()?;
    module.add_class::<bootstrap::PyBootstrap>()?;
    module.add_class::<posterior::PyPosterior>()?;
    module.add_function(wrap_pyfunction!(found::fit_run, module)?)?;
    module.add_function(wrap_pyfunction!(found::fit_plan, module)?)?;
    module.add_function(wrap_pyfunction!(batch::fit_batch, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::fit_models, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::fit_entry, module)?)
}
