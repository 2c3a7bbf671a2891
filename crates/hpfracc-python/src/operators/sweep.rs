//! Signals of an array through a bound operator, forward and backward.

use super::pair::{Pair, Scalar};
use crate::arrays::{self, Floats, with_floats};
use crate::errors::{self, OrRaise};
use hpfracc::operators::Bound;
use numpy::{
    PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// Arrays with fewer numbers are computed with the interpreter's lock, whose release costs more.
const SMALL: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    /// The transpose: the gradient with respect to the samples from that with respect to the results.
    Backward,
}

/// The result of an operator for every signal of an array, in a new array or in `out`.
pub(super) fn sweep<'py>(
    py: Python<'py>,
    pair: &Pair,
    direction: Direction,
    samples: Floats<'py>,
    axis: isize,
    out: Option<&pyo3::Bound<'py, PyAny>>,
) -> PyResult<pyo3::Bound<'py, PyAny>> {
    with_floats!(samples, array => through(py, pair, direction, &array, axis, out))
}

fn through<'py, T: Scalar>(
    py: Python<'py>,
    pair: &Pair,
    direction: Direction,
    samples: &PyReadonlyArrayDyn<'py, T>,
    axis: isize,
    out: Option<&pyo3::Bound<'py, PyAny>>,
) -> PyResult<pyo3::Bound<'py, PyAny>> {
    let axis = own_axis(pair, samples.shape(), axis)?;
    let result = match out {
        None => PyArrayDyn::<T>::zeros(py, samples.shape(), false),
        Some(out) => like(out, samples)?,
    };
    let mut target = writable(&result)?;
    let bound = T::bound(pair)?;
    let (last, small) = (samples.ndim() - 1, samples.len() < SMALL);
    {
        let mut from = samples.as_array();
        let mut to = target.as_array_mut();
        from.swap_axes(axis, last);
        to.swap_axes(axis, last);
        let run = move || match direction {
            Direction::Forward => bound.apply_into(from, to),
            Direction::Backward => bound.vjp_into(from, to),
        };
        if small { run() } else { py.detach(run) }.or_raise()?;
    }
    drop(target);
    Ok(result.into_any())
}

/// Gradient with respect to the order.
pub(super) fn vjp_order<'py>(
    py: Python<'py>,
    pair: &Pair,
    samples: Floats<'py>,
    gradient: &pyo3::Bound<'py, PyAny>,
    axis: isize,
) -> PyResult<f64> {
    with_floats!(samples, array => order_gradient(py, pair, &array, gradient, axis))
}

fn order_gradient<'py, T: Scalar>(
    py: Python<'py>,
    pair: &Pair,
    samples: &PyReadonlyArrayDyn<'py, T>,
    gradient: &pyo3::Bound<'py, PyAny>,
    axis: isize,
) -> PyResult<f64> {
    let axis = own_axis(pair, samples.shape(), axis)?;
    let gradient = gradient.cast::<PyArrayDyn<T>>().ok();
    let Some(gradient) = gradient.filter(|gradient| gradient.shape() == samples.shape()) else {
        return Err(errors::input(format!(
            "the gradient of the result is no array of {} with the shape {:?} of the samples",
            numpy::dtype::<T>(py).str()?,
            samples.shape()
        )));
    };
    let gradient =
        gradient.try_readonly().map_err(|_| errors::input("the gradient is written to"))?;
    let bound: &Bound<T> = T::bound(pair)?;
    let last = samples.ndim() - 1;
    let (mut f, mut g) = (samples.as_array(), gradient.as_array());
    f.swap_axes(axis, last);
    g.swap_axes(axis, last);
    py.detach(move || bound.vjp_order(f, g)).or_raise()
}

/// Index of the axis of the operator, whose lengths are compared with those of the samples.
fn own_axis(pair: &Pair, shape: &[usize], axis: isize) -> PyResult<usize> {
    let lengths = pair.choice.points.shape();
    if lengths.len() > 1 {
        if axis != -1 {
            return Err(errors::input(format!(
                "axis {axis}: an operator on {} axes acts on the last ones",
                lengths.len()
            )));
        }
        if !shape.ends_with(&lengths) {
            return Err(errors::input(format!(
                "the shape {shape:?} of the samples does not end with {lengths:?}, that of the operator"
            )));
        }
        return Ok(shape.len() - 1);
    }
    let index = arrays::axis(axis, shape.len())?;
    if shape[index] != lengths[0] {
        return Err(errors::input(format!(
            "{} samples along axis {axis} of an operator for {}",
            shape[index], lengths[0]
        )));
    }
    Ok(index)
}

/// The array `out`, if it has the type and the shape of the samples.
fn like<'py, T: Scalar>(
    out: &pyo3::Bound<'py, PyAny>,
    samples: &PyReadonlyArrayDyn<'py, T>,
) -> PyResult<pyo3::Bound<'py, PyArrayDyn<T>>> {
    let array = out.cast::<PyArrayDyn<T>>().map_err(|_| {
        let dtype = numpy::dtype::<T>(out.py());
        let found =
            out.cast::<PyUntypedArray>().map(|array| format!("an array of {}", array.dtype()));
        let found = found.unwrap_or_else(|_| out.get_type().to_string());
        errors::input(format!("out is {found}, expected an array of {dtype} like the samples"))
    })?;
    if array.shape() != samples.shape() {
        let (found, expected) = (array.shape(), samples.shape());
        return Err(errors::input(format!("out has the shape {found:?}, expected {expected:?}")));
    }
    Ok(array.clone())
}

fn writable<'py, T: Scalar>(
    result: &pyo3::Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    result.try_readwrite().map_err(|error| {
        errors::input(match error {
            numpy::BorrowError::NotWriteable => "out is read-only".to_owned(),
            _ => "out shares its memory with the samples".to_owned(),
        })
    })
}
