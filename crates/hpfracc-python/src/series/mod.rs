//! Time series with long memory: fractional differences, and estimates of the Hurst exponent.

mod difference;
mod estimators;
mod stream;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<stream::PyDifferenceStream>()?;
    module.add_function(wrap_pyfunction!(difference::series_difference, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_estimate, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_describe, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_tracks, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_fgn_autocovariance, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_fgn_density, module)?)?;
    module.add_function(wrap_pyfunction!(estimators::series_arfima_autocovariance, module)?)
}
