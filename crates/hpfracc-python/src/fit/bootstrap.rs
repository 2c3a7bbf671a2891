//! Bootstraps.

use super::failure::of_fit;
use crate::errors;
use hpfracc::fit::bootstrap::{Bootstrap, Scheme};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Refits to resampled data.
#[pyclass(frozen, name = "FitBootstrap", module = "hpfracc._hpfracc")]
pub(super) struct PyBootstrap {
    pub(super) bootstrap: Bootstrap,
    pub(super) names: Vec<String>,
}

/// Scheme of a name, with the length of blocks.
pub(super) fn scheme((name, length): (&str, Option<usize>)) -> PyResult<Scheme> {
    let scheme = match (name, length) {
        ("residual", None) => Scheme::Residual,
        ("wild", None) => Scheme::Wild,
        ("pairs", None) => Scheme::Pairs,
        ("blocks", Some(length)) => Scheme::Blocks { length },
        ("blocks", None) => {
            return Err(errors::input("scheme 'blocks' needs block_length, the rows of a block"));
        }
        ("residual" | "wild" | "pairs", Some(length)) => {
            return Err(errors::input(format!(
                "block_length is {length}, but scheme is {name:?}: only 'blocks' has one"
            )));
        }
        _ => {
            return Err(errors::input(format!(
                "scheme is {name:?}, expected one of residual, wild, pairs, blocks"
            )));
        }
    };
    Ok(scheme)
}

#[pymethods]
impl PyBootstrap {
    /// The bootstrap of a text of [`state`](Self::state).
    #[staticmethod]
    fn of_state(state: &str, names: Vec<String>) -> PyResult<Self> {
        let bootstrap = serde_json::from_str(state)
            .map_err(|error| errors::input(format!("this is no state of a bootstrap: {error}")))?;
        Ok(Self { bootstrap, names })
    }

    /// Complete state as a text.
    fn state(&self) -> PyResult<String> {
        serde_json::to_string(&self.bootstrap)
            .map_err(|error| errors::input(format!("the state cannot be written: {error}")))
    }

    /// Names of all parameters.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Replicates so far, and of them refits without a result: not converged, not finite, undetermined.
    fn counts(&self) -> (u32, u32, u32, u32) {
        let of = self.bootstrap.failures();
        (self.bootstrap.replicates(), of.not_converged, of.not_finite, of.undetermined)
    }

    fn values<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.bootstrap.values(name).map_err(of_fit)?))
    }

    fn standard_error(&self, name: &str) -> PyResult<Option<f64>> {
        self.bootstrap.standard_error(name).map_err(of_fit)
    }

    fn covariance(&self, a: &str, b: &str) -> PyResult<Option<f64>> {
        self.bootstrap.covariance(a, b).map_err(of_fit)
    }

    fn bias(&self, name: &str) -> PyResult<Option<f64>> {
        self.bootstrap.bias(name).map_err(of_fit)
    }

    /// Interval by quantiles of the refits, or by their distances in standard errors (studentised).
    fn interval(&self, name: &str, level: f64, studentised: bool) -> PyResult<Option<(f64, f64)>> {
        let of = &self.bootstrap;
        let interval = if studentised {
            of.studentised_interval(name, level)
        } else {
            of.percentile_interval(name, level)
        };
        interval.map_err(of_fit)
    }
}
