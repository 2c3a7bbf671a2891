//! Draws from posterior distributions.

use crate::errors;
use hpfracc::fit::sample::Posterior;
use hpfracc::ndarray::Array2;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Draws with their diagnostics.
#[pyclass(frozen, name = "FitPosterior", module = "hpfracc._hpfracc")]
pub(super) struct PyPosterior {
    pub(super) posterior: Posterior,
}

#[pymethods]
impl PyPosterior {
    /// Names of the parameters.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.posterior.names().to_vec()
    }

    /// Draws of a parameter, a row for each chain.
    fn draws<'py>(&self, py: Python<'py>, parameter: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let parameter = self.checked(parameter)?;
        let series = self.posterior.series(parameter);
        let shape = (series.len(), self.posterior.draws());
        let draws = Array2::from_shape_fn(shape, |(chain, draw)| series[chain][draw]);
        Ok(PyArray2::from_owned_array(py, draws))
    }

    /// Mean and standard deviation with their errors, R-hat, and effective sizes of bulk and tails of a parameter.
    fn summary<'py>(&self, py: Python<'py>, parameter: usize) -> PyResult<Bound<'py, PyDict>> {
        let of = self.posterior.summary(self.checked(parameter)?);
        let all = PyDict::new(py);
        all.set_item("mean", of.mean)?;
        all.set_item("mean_error", of.mean_error)?;
        all.set_item("standard_deviation", of.standard_deviation)?;
        all.set_item("standard_deviation_error", of.standard_deviation_error)?;
        all.set_item("r_hat", of.r_hat)?;
        all.set_item("bulk_ess", of.bulk_ess)?;
        all.set_item("tail_ess", of.tail_ess)?;
        Ok(all)
    }

    /// Quantile of a parameter with its Monte Carlo error.
    fn quantile(&self, parameter: usize, p: f64) -> PyResult<(f64, f64)> {
        Ok(self.posterior.quantile(self.checked(parameter)?, p))
    }

    /// Facts of the sampling: divergences, BFMI and acceptance by chain, counts of depths, gradients, and reasons not to
    /// believe the draws.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let of = &self.posterior;
        let all = PyDict::new(py);
        let divergences: Vec<_> =
            of.divergences().iter().map(|at| (at.chain, at.draw, at.position.clone())).collect();
        all.set_item("divergences", divergences)?;
        all.set_item("bfmi", of.bfmi())?;
        all.set_item("acceptance", of.acceptance())?;
        all.set_item("depths", of.depths())?;
        all.set_item("gradients", of.gradients())?;
        all.set_item("warm_up_gradients", of.warm_up_gradients())?;
        let reasons = of.converged().err().map(|error| error.reasons).unwrap_or_default();
        let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
        all.set_item("reasons", reasons)?;
        Ok(all)
    }
}

impl PyPosterior {
    fn checked(&self, parameter: usize) -> PyResult<usize> {
        let count = self.posterior.dim();
        if parameter < count {
            return Ok(parameter);
        }
        Err(errors::input(format!("there is no parameter {parameter} among {count}")))
    }
}
