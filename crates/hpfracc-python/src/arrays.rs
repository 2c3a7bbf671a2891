//! Arrays of NumPy as arguments and results.
//!
//! `float32` and `float64` are taken as they are, with any strides and without a copy; integers and booleans, lists and
//! scalars become `float64`. Everything else is refused by its type: nothing is rounded silently.

use crate::errors;
use crate::running::fork;
use numpy::{
    PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;

/// Array of real numbers in one of two precisions.
pub(crate) enum Floats<'py> {
    F32(PyReadonlyArrayDyn<'py, f32>),
    F64(PyReadonlyArrayDyn<'py, f64>),
}

/// Runs an expression with the array of either precision.
macro_rules! with_floats {
    ($floats:expr, $array:ident => $body:expr) => {
        match $floats {
            $crate::arrays::Floats::F32($array) => $body,
            $crate::arrays::Floats::F64($array) => $body,
        }
    };
}
pub(crate) use with_floats;

impl<'py> Floats<'py> {
    /// The argument of this name.
    ///
    /// # Errors
    /// `InputError` for anything but real numbers.
    pub(crate) fn of(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        fork::ready();
        if let Some(array) = viewable::<f64>(value) {
            return Ok(Self::F64(readonly(name, array)?));
        }
        if let Some(array) = viewable::<f32>(value) {
            return Ok(Self::F32(readonly(name, array)?));
        }
        Ok(Self::F64(readonly(name, &converted(name, value)?)?))
    }

    /// Shape.
    pub(crate) fn shape(&self) -> &[usize] {
        with_floats!(self, array => array.shape())
    }
}

/// Array of `float64`: of this type already, or of integers, booleans or `float32`, all of which it holds exactly.
///
/// # Errors
/// `InputError` for anything but real numbers.
pub(crate) fn doubles<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    fork::ready();
    if let Some(array) = viewable(value) {
        return readonly(name, array);
    }
    readonly(name, &converted(name, value)?)
}

/// The numbers of an array, a list or one number as `f64`, in standard order.
///
/// # Errors
/// As [`doubles`].
pub(crate) fn vector(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    Ok(doubles(name, value)?.as_array().iter().copied().collect())
}

/// The argument of this name as a number.
///
/// # Errors
/// `InputError` for anything else.
pub(crate) fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract::<f64>().map_err(|_| {
        let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        errors::input(format!("{name} is {found}, expected a number"))
    })
}

/// Index of an axis that may count from the end.
///
/// # Errors
/// `InputError` for an axis that the array does not have.
pub(crate) fn axis(axis: isize, ndim: usize) -> PyResult<usize> {
    let index = if axis < 0 { axis + ndim as isize } else { axis };
    if (0..ndim as isize).contains(&index) {
        return Ok(index as usize);
    }
    Err(errors::input(format!("axis {axis} of an array with {ndim} dimensions")))
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!("({})", numbers.join(", "))
        }
    }
}

/// Largest number of axes of an array that Rust sees.
pub(crate) const LARGEST_NDIM: usize = 32;

/// The value as an array whose elements Rust can see in place: aligned, and a whole number of elements apart, which
/// fields of structured arrays may not be.
pub(crate) fn viewable<'a, 'py, T: numpy::Element>(
    value: &'a Bound<'py, PyAny>,
) -> Option<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = value.cast::<PyArrayDyn<T>>().ok()?;
    let bytes = size_of::<T>() as isize;
    let whole = array.strides().iter().all(|stride| stride % bytes == 0);
    (whole && array.is_aligned() && array.ndim() <= LARGEST_NDIM).then_some(array)
}

fn readonly<'py, T: numpy::Element>(
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    array
        .try_readonly()
        .map_err(|_| errors::input(format!("{name} is written to at the same time")))
}

/// The value as an array of `float64`, if its numbers are real ones that this type holds.
fn converted<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = value.py();
    let numpy = numpy::get_array_module(py)?;
    let array = numpy.call_method1(intern!(py, "asarray"), (value,)).map_err(|error| {
        errors::input(format!("{name} is no array of numbers: {}", error.value(py)))
    })?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let ndim = untyped.ndim();
    if ndim > LARGEST_NDIM {
        let message = format!("{name} has {ndim} axes, expected at most {LARGEST_NDIM}");
        return Err(errors::input(message));
    }
    let dtype = untyped.dtype();
    let (kind, bytes) =
        (numpy::PyArrayDescrMethods::kind(&dtype), numpy::PyArrayDescrMethods::itemsize(&dtype));
    let holds = match kind {
        b'b' => true,
        b'i' | b'u' => true,
        b'f' => bytes <= 8,
        _ => false,
    };
    if !holds {
        let dtype = dtype.str()?;
        return Err(errors::input(format!("{name} has the type {dtype}, expected real numbers")));
    }
    let copy = array.call_method1(intern!(py, "astype"), (numpy::dtype::<f64>(py),))?;
    if let Some(number) = inexact::<i64>(&array).or_else(|| inexact::<u64>(&array)) {
        let message = format!("{name} has the number {number}, which float64 does not hold");
        return Err(errors::input(message));
    }
    Ok(copy.cast_into::<PyArrayDyn<f64>>()?)
}

/// The first whole number of an array that has no `f64`.
fn inexact<T: numpy::Element + Copy + Into<i128>>(array: &Bound<'_, PyAny>) -> Option<i128> {
    let array = viewable::<T>(array)?.try_readonly().ok()?;
    let numbers = array.as_array();
    numbers.iter().map(|number| (*number).into()).find(|number| *number as f64 as i128 != *number)
}
