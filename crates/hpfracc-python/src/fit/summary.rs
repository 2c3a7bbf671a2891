//! Result of a fit as plain values.

use super::failure::of_fit;
use super::settings::name_of;
use hpfracc::fit::{Found, HeldBy, ParameterRole};
use hpfracc::ndarray::Array2;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Dictionary of all that is known of a result without another pass over the data.
pub(super) fn of_found<'py>(py: Python<'py>, found: &Found<'_>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let estimates = found.estimates();
    let names: Vec<String> = estimates.iter().map(|of| of.name.clone()).collect();
    let held = |of: &HeldBy| match of {
        HeldBy::Lower { multiplier } => ("lower", *multiplier),
        HeldBy::Upper { multiplier } => ("upper", *multiplier),
    };
    let role = |role: ParameterRole| match role {
        ParameterRole::Free => "free",
        ParameterRole::Fixed => "fixed",
        ParameterRole::Tied => "tied",
    };
    let errors: Vec<f64> =
        estimates.iter().map(|of| of.standard_error.unwrap_or(f64::NAN)).collect();
    all.set_item("values", estimates.iter().map(|of| of.value).collect::<Vec<_>>())?;
    all.set_item("errors", errors)?;
    all.set_item("roles", estimates.iter().map(|of| role(of.role)).collect::<Vec<_>>())?;
    all.set_item(
        "held",
        estimates.iter().map(|of| of.held.as_ref().map(held)).collect::<Vec<_>>(),
    )?;
    all.set_item("units", estimates.iter().map(|of| of.unit.clone()).collect::<Vec<_>>())?;
    let count = names.len();
    let mut covariance = Array2::from_elem((count, count), f64::NAN);
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate().skip(i) {
            let known =
                estimates[i].standard_error.is_some() && estimates[j].standard_error.is_some();
            if let Some(value) = found.covariance(a, b).map_err(of_fit)?.filter(|_| known) {
                (covariance[[i, j]], covariance[[j, i]]) = (value, value);
            }
        }
    }
    all.set_item("covariance", PyArray2::from_owned_array(py, covariance))?;
    all.set_item("names", names)?;
    all.set_item("outcome", found.outcome().to_string())?;
    all.set_item("success", found.outcome().is_success())?;
    all.set_item("cost", found.cost())?;
    all.set_item("passes", found.passes())?;
    all.set_item("data", found.data())?;
    all.set_item("degrees_of_freedom", found.degrees_of_freedom())?;
    all.set_item("skipped", found.skipped())?;
    all.set_item("variance", found.variance())?;
    all.set_item("errors_are_known", found.errors_are_known())?;
    let (loss, scale) = found.loss();
    all.set_item("loss", name_of(loss))?;
    all.set_item("loss_scale", scale)?;
    all.set_item("checkpoint_failure", found.checkpoint_failure())?;
    let criteria = found.criteria().map(|of| (of.log_likelihood, of.aic, of.aicc, of.bic));
    all.set_item("criteria", criteria)?;
    let search = found.start_search();
    all.set_item("starts", search.map(|of| (of.rows, of.points, of.minimisations, of.at_best)))?;
    let weak: Vec<_> = found
        .weak_directions()
        .into_iter()
        .map(|of| (of.to_string(), of.parameters, of.ratio))
        .collect();
    all.set_item("weak_directions", weak)?;
    Ok(all)
}
