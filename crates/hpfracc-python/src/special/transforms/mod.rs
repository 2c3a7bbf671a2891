//! Fractional Fourier transforms and the fractional DFT, planned for a length.

mod batch;
mod plan;
mod signals;

use pyo3::prelude::*;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<plan::TransformPlan>()
}
