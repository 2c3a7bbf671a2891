//! Arrays and numbers as arguments.

use super::network::parameters_of;
use super::run::Numbers;
use crate::arrays::{Floats, doubles};
use crate::errors::input;
use hpfracc::ndarray::{Array2, Array3, Ix2, Ix3};
use pyo3::prelude::*;

/// A matrix of finite numbers or NaN from an argument.
pub(super) fn matrix(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Array2<f64>> {
    let array = doubles(name, value)?;
    let view = array.as_array();
    let view = view
        .into_dimensionality::<Ix2>()
        .map_err(|_| input(format!("{name} has {} axes, expected 2", value_ndim(value))))?;
    if view.is_empty() {
        return Err(input(format!("{name} has the shape {:?}, expected some rows", view.shape())));
    }
    Ok(view.as_standard_layout().into_owned())
}

/// Numbers by sample, row and component from an argument.
pub(super) fn cube(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Array3<f64>> {
    let array = doubles(name, value)?;
    let view = array.as_array();
    let view = view
        .into_dimensionality::<Ix3>()
        .map_err(|_| input(format!("{name} has {} axes, expected 3", value_ndim(value))))?;
    if view.is_empty() {
        return Err(input(format!("{name} has the shape {:?}, expected some rows", view.shape())));
    }
    Ok(view.as_standard_layout().into_owned())
}

/// Parameters in their precision.
pub(super) fn parameters(theta: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    Ok(match Floats::of("parameters", theta)? {
        Floats::F32(theta) => Numbers::F32(parameters_of(&theta)?),
        Floats::F64(theta) => Numbers::F64(parameters_of(&theta)?),
    })
}

/// Indices of samples.
pub(super) fn indices(samples: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    samples.extract().map_err(|_| {
        let found = samples.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        input(format!("samples is {found}, expected indices of samples"))
    })
}

fn value_ndim(value: &Bound<'_, PyAny>) -> usize {
    value.getattr("ndim").and_then(|ndim| ndim.extract()).unwrap_or(0)
}
