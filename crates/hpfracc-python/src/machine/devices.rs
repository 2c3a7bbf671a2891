//! Devices that drivers report.

#[cfg(feature = "gpu")]
use super::reports;
use pyo3::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("HAS_GPU_SUPPORT", cfg!(feature = "gpu"))?;
    module.add_function(wrap_pyfunction!(adapters, module)?)
}

/// Adapters of GPUs as a JSON list, empty in a build without them.
#[pyfunction]
#[cfg(feature = "gpu")]
fn adapters(py: Python<'_>) -> PyResult<String> {
    reports::json(&py.detach(hpfracc::gpu::adapters))
}

#[pyfunction]
#[cfg(not(feature = "gpu"))]
fn adapters() -> String {
    "[]".to_owned()
}
