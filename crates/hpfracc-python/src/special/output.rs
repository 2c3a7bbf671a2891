//! Arrays of results: new ones, or the argument `out`.

use super::argument::Number;
use crate::arrays;
use crate::errors::{self, Kind};
use ndarray::{ArrayViewMutD, IxDyn};
use numpy::{
    BorrowError, Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

/// From this size on NumPy allocates an array with a check that there is memory for it.
const CHECKED_BYTES: usize = 1 << 24;

/// Array of results in either precision.
pub(super) enum Output<'py, T: Number> {
    Single(PyReadwriteArrayDyn<'py, T::Single>),
    Double(PyReadwriteArrayDyn<'py, T>),
}

/// Mutable view of an array of results in either precision.
pub(super) enum OutputView<'a, T: Number> {
    Single(ArrayViewMutD<'a, T::Single>),
    Double(ArrayViewMutD<'a, T>),
}

impl<'py, T: Number> Output<'py, T> {
    /// New array, or `out`. `release` gives up the borrowed arguments, some of which may be `out` itself.
    ///
    /// # Errors
    /// `InputError` for an `out` of another type or shape, or one that is read-only; `MemoryLimitError`.
    pub(super) fn new(
        py: Python<'py>,
        shape: &[usize],
        single: bool,
        out: Option<&Bound<'py, PyAny>>,
        release: impl FnOnce(),
    ) -> PyResult<(Bound<'py, PyAny>, Self)> {
        let Some(out) = out else {
            return Ok(if single {
                let array = zeros::<T::Single>(py, shape)?;
                (array.clone().into_any(), Self::Single(fresh(&array)?))
            } else {
                let array = zeros::<T>(py, shape)?;
                (array.clone().into_any(), Self::Double(fresh(&array)?))
            });
        };
        let output = if let Ok(array) = out.cast::<PyArrayDyn<T>>() {
            Self::Double(writable("out", array, shape, release)?)
        } else if let (true, Ok(array)) = (single, out.cast::<PyArrayDyn<T::Single>>()) {
            Self::Single(writable("out", array, shape, release)?)
        } else {
            let [double, single_name] = T::NAMES;
            let expected =
                if single { format!("{single_name} or {double}") } else { double.into() };
            let found = type_name(out)?;
            return Err(errors::input(format!(
                "out has the type {found}, expected an array of {expected}"
            )));
        };
        Ok((out.clone(), output))
    }

    pub(super) fn view(&mut self) -> OutputView<'_, T> {
        match self {
            Self::Single(array) => OutputView::Single(array.as_array_mut()),
            Self::Double(array) => OutputView::Double(array.as_array_mut()),
        }
    }
}

impl<T: Number> OutputView<'_, T> {
    /// The elements, if they are contiguous and in double precision.
    pub(super) fn slice(&mut self) -> Option<&mut [T]> {
        match self {
            Self::Single(_) => None,
            Self::Double(array) => array.as_slice_mut(),
        }
    }

    /// Writes all elements in standard order.
    pub(super) fn assign(&mut self, values: &[T]) {
        match self {
            Self::Single(array) => {
                array.iter_mut().zip(values).for_each(|(to, from)| *to = from.narrow());
            }
            Self::Double(array) => array.iter_mut().zip(values).for_each(|(to, from)| *to = *from),
        }
    }
}

/// Name of the type of an array's elements, or of an object.
pub(super) fn type_name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    match value.getattr(intern!(py, "dtype")) {
        Ok(dtype) => Ok(dtype.str()?.to_string()),
        Err(_) => Ok(value.get_type().name()?.to_string()),
    }
}

/// The argument of this name, to be written to. `release` is called if it is borrowed already.
///
/// # Errors
/// `InputError` for another shape, a read-only array, and one that is still borrowed.
pub(super) fn writable<'py, T: Element + Copy>(
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
    shape: &[usize],
    release: impl FnOnce(),
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    if array.shape() != shape {
        let found = array.shape();
        return Err(errors::input(format!("{name} has the shape {found:?}, expected {shape:?}")));
    }
    if arrays::viewable::<T>(array.as_any()).is_none() {
        return Err(errors::input(format!("the elements of {name} are not aligned in memory")));
    }
    let read_only = || errors::input(format!("{name} is read-only"));
    match array.try_readwrite() {
        Ok(array) => Ok(array),
        Err(BorrowError::NotWriteable) => Err(read_only()),
        Err(_) => {
            release();
            array.try_readwrite().map_err(|error| match error {
                BorrowError::NotWriteable => read_only(),
                _ => errors::input(format!("{name} is used at the same time")),
            })
        }
    }
}

/// New array of zeros.
///
/// # Errors
/// `MemoryLimitError` if there is no memory for it.
pub(super) fn zeros<'py, T: Element + Copy>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let elements = shape.iter().try_fold(1usize, |product, n| product.checked_mul(*n));
    let bytes = elements.and_then(|elements| elements.checked_mul(size_of::<T>()));
    if bytes.is_some_and(|bytes| bytes < CHECKED_BYTES) {
        return Ok(PyArrayDyn::zeros(py, IxDyn(shape), false));
    }
    let numpy = numpy::get_array_module(py)?;
    let array = numpy.call_method1(intern!(py, "zeros"), (shape.to_vec(), numpy::dtype::<T>(py)));
    let array = array.map_err(|error| {
        if error.is_instance_of::<PyMemoryError>(py) || error.is_instance_of::<PyValueError>(py) {
            Kind::Memory.error(format!("a result of the shape {shape:?}: {}", error.value(py)))
        } else {
            error
        }
    })?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}

/// Write access to an array that nothing else uses.
fn fresh<'py, T: Element + Copy>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|_| errors::input("the result is used at the same time"))
}

/// Empty vector with room for `n` elements.
///
/// # Errors
/// `MemoryLimitError` if there is no memory for it.
pub(super) fn room<T>(n: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(n).map_err(|_| {
        Kind::Memory.error(format!("no memory for {n} numbers of {} bytes", size_of::<T>()))
    })?;
    Ok(vector)
}
