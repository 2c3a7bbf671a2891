//! The catalogue of operators as dictionaries.

use hpfracc::operators::CATALOGUE;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// All definitions with their schemes and parameters.
#[pyfunction]
pub(super) fn definitions(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for entries in CATALOGUE {
        let definition = entries[0].definition;
        let schemes = PyList::empty(py);
        for entry in *entries {
            let scheme = PyDict::new(py);
            scheme.set_item("scheme", entry.scheme)?;
            scheme.set_item("range", entry.range.text)?;
            scheme.set_item("accuracy", entry.accuracy)?;
            scheme.set_item("cost", entry.cost)?;
            scheme.set_item("outside", entry.outside)?;
            scheme.set_item("example", entry.range.examples.first())?;
            schemes.append(scheme)?;
        }
        let parameters = PyList::empty(py);
        for parameter in definition.parameters {
            let of = PyDict::new(py);
            of.set_item("name", parameter.name)?;
            of.set_item("meaning", parameter.meaning)?;
            of.set_item("range", parameter.range)?;
            of.set_item("default", parameter.default)?;
            of.set_item("example", parameter.example)?;
            parameters.append(of)?;
        }
        let one = PyDict::new(py);
        one.set_item("name", definition.name)?;
        one.set_item("title", definition.title)?;
        one.set_item("formula", definition.formula)?;
        one.set_item("of_constants", definition.of_constants)?;
        one.set_item("of_powers", definition.of_powers)?;
        one.set_item("relation", definition.relation)?;
        one.set_item("source", definition.source)?;
        one.set_item("schemes", schemes)?;
        one.set_item("parameters", parameters)?;
        all.append(one)?;
    }
    Ok(all)
}
