//! Catalogue of models.

use super::failure::of_catalogue;
use hpfracc::fit::catalogue;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Names of all models.
#[pyfunction]
pub(super) fn fit_models() -> Vec<&'static str> {
    catalogue::names().collect()
}

/// Facts of a model of the catalogue.
#[pyfunction]
pub(super) fn fit_entry<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let entry = catalogue::read(name).map_err(of_catalogue)?.entry().clone();
    let all = PyDict::new(py);
    all.set_item("name", &entry.name)?;
    all.set_item("title", &entry.title)?;
    all.set_item("about", &entry.about)?;
    all.set_item("source", &entry.source)?;
    all.set_item("formula", entry.formula())?;
    all.set_item("text", &entry.text)?;
    let inputs: Vec<_> =
        entry.inputs.iter().map(|of| (of.name.clone(), of.unit.clone(), of.low, of.high)).collect();
    all.set_item("inputs", inputs)?;
    let responses: Vec<_> =
        entry.responses.iter().map(|of| (of.name.clone(), of.meaning.clone())).collect();
    all.set_item("responses", responses)?;
    let notes: Vec<_> = entry
        .notes
        .iter()
        .map(|of| (of.name.clone(), of.meaning.clone(), of.example, of.constant))
        .collect();
    all.set_item("parameters", notes)?;
    Ok(all)
}
