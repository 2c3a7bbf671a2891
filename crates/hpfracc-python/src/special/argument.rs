//! Arguments: numbers or arrays, real or complex, in double precision.

use crate::{arrays, errors};
use ndarray::{ArrayD, ArrayViewD, aview0};
use num_complex::{Complex32, Complex64};
use numpy::{
    Element, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt};

/// Largest whole number below which `float64` holds all of them.
const LARGEST_WHOLE: u64 = 1 << 53;

/// Number in double precision, with its type in single precision.
pub(super) trait Number: Element + Copy + Default + Send + Sync + 'static {
    /// The type in single precision.
    type Single: Element + Copy + Send + Sync;

    /// Name of the type in NumPy, in double and in single precision.
    const NAMES: [&'static str; 2];

    fn widen(single: Self::Single) -> Self;

    fn narrow(self) -> Self::Single;

    /// Number of Python.
    fn object(self, py: Python<'_>) -> Bound<'_, PyAny>;
}

impl Number for f64 {
    type Single = f32;
    const NAMES: [&'static str; 2] = ["float64", "float32"];

    fn widen(single: f32) -> Self {
        single.into()
    }

    fn narrow(self) -> f32 {
        self as f32
    }

    fn object(self, py: Python<'_>) -> Bound<'_, PyAny> {
        PyFloat::new(py, self).into_any()
    }
}

impl Number for Complex64 {
    type Single = Complex32;
    const NAMES: [&'static str; 2] = ["complex128", "complex64"];

    fn widen(single: Complex32) -> Self {
        Self::new(single.re.into(), single.im.into())
    }

    fn narrow(self) -> Complex32 {
        Complex32::new(self.re as f32, self.im as f32)
    }

    fn object(self, py: Python<'_>) -> Bound<'_, PyAny> {
        PyComplex::from_doubles(py, self.re, self.im).into_any()
    }
}

/// Numbers of an argument.
pub(super) enum Values<'py, T: Element + Copy> {
    One(T),
    Borrowed(PyReadonlyArrayDyn<'py, T>),
    Owned(ArrayD<T>),
}

impl<T: Element + Copy> Values<'_, T> {
    pub(super) fn view(&self) -> ArrayViewD<'_, T> {
        match self {
            Self::One(number) => aview0(number).into_dyn(),
            Self::Borrowed(array) => array.as_array(),
            Self::Owned(array) => array.view(),
        }
    }

    pub(super) fn shape(&self) -> &[usize] {
        match self {
            Self::One(_) => &[],
            Self::Borrowed(array) => array.shape(),
            Self::Owned(array) => array.shape(),
        }
    }

    /// The number of an argument without axes.
    pub(super) fn one(&self) -> Option<T> {
        if let Self::One(number) = self { Some(*number) } else { None }
    }

    /// Copies a borrowed array, so that the array may be written to.
    pub(super) fn own(&mut self) {
        if let Self::Borrowed(array) = self {
            *self = Self::Owned(array.as_array().to_owned());
        }
    }
}

/// Precision of an argument: numbers of Python take that of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precision {
    Weak,
    Single,
    Double,
}

impl Precision {
    /// Whether the result of arguments is in single precision.
    pub(super) fn is_single(all: impl IntoIterator<Item = Self>) -> bool {
        all.into_iter().max() == Some(Self::Single)
    }
}

/// Argument with its name.
pub(super) struct Argument<'py, T: Number> {
    pub(super) name: &'static str,
    pub(super) values: Values<'py, T>,
    pub(super) precision: Precision,
}

impl<'py> Argument<'py, f64> {
    /// Argument of real numbers.
    ///
    /// # Errors
    /// `InputError` for anything else, and for whole numbers that `float64` does not hold.
    pub(super) fn real(name: &'static str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(argument) = Self::real_without_conversion(name, value)? {
            return Ok(argument);
        }
        let array = as_array(name, value)?;
        if let Some((values, precision)) = of_array(name, &array)? {
            return Ok(Self { name, values, precision });
        }
        let values = arrays::doubles(name, &array)?;
        Ok(Self { name, values: scalar_or(Values::Borrowed(values)), precision: Precision::Double })
    }

    fn real_without_conversion(
        name: &'static str,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Self>> {
        if let Some(number) = python_number(value) {
            let values = Values::One(number);
            return Ok(Some(Self { name, values, precision: Precision::Weak }));
        }
        if let Some((values, precision)) = of_array(name, value)? {
            return Ok(Some(Self { name, values, precision }));
        }
        // A float64 of NumPy.
        Ok(value.cast::<PyFloat>().ok().map(|number| Self {
            name,
            values: Values::One(number.value()),
            precision: Precision::Double,
        }))
    }
}

/// Argument of real or of complex numbers.
pub(super) enum RealOrComplex<'py> {
    Real(Argument<'py, f64>),
    Complex(Argument<'py, Complex64>),
}

impl<'py> RealOrComplex<'py> {
    /// # Errors
    /// As [`Argument::real`].
    pub(super) fn of(name: &'static str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(argument) = Argument::real_without_conversion(name, value)? {
            return Ok(Self::Real(argument));
        }
        let complex = |values, precision| Self::Complex(Argument { name, values, precision });
        if let Ok(number) = value.cast::<PyComplex>() {
            let exact = value.is_exact_instance_of::<PyComplex>();
            let precision = if exact { Precision::Weak } else { Precision::Double };
            let number = Complex64::new(number.real(), number.imag());
            return Ok(complex(Values::One(number), precision));
        }
        let array = as_array(name, value)?;
        if let Some((values, precision)) = of_array(name, &array)? {
            return Ok(complex(values, precision));
        }
        let dtype = array.cast::<PyUntypedArray>()?.dtype();
        if dtype.kind() == b'c' {
            let dtype = dtype.str()?;
            return Err(errors::input(format!(
                "{name} has the type {dtype}, expected real or complex numbers of at most 128 bits"
            )));
        }
        Ok(Self::Real(Argument::real(name, &array)?))
    }
}

/// A `float`, or an `int` that `float64` holds.
pub(super) fn python_number(value: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(number) = value.cast_exact::<PyFloat>() {
        return Some(number.value());
    }
    let number: i64 = value.cast_exact::<PyInt>().ok()?.extract().ok()?;
    (number.unsigned_abs() <= LARGEST_WHOLE).then_some(number as f64)
}

/// The value as an array of this type whose elements can be borrowed.
pub(super) fn borrowed<'py, T: Element + Copy>(
    name: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<PyReadonlyArrayDyn<'py, T>>> {
    let Some(array) = arrays::viewable::<T>(value) else { return Ok(None) };
    let readonly = array.try_readonly();
    readonly.map(Some).map_err(|_| errors::input(format!("{name} is written to at the same time")))
}

fn of_array<'py, T: Number>(
    name: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<(Values<'py, T>, Precision)>> {
    if let Some(array) = borrowed::<T>(name, value)? {
        return Ok(Some((scalar_or(Values::Borrowed(array)), Precision::Double)));
    }
    let Some(array) = borrowed::<T::Single>(name, value)? else { return Ok(None) };
    let wide = array.as_array().mapv(T::widen);
    Ok(Some((scalar_or(Values::Owned(wide)), Precision::Single)))
}

/// An array without axes as a number.
fn scalar_or<T: Element + Copy>(values: Values<'_, T>) -> Values<'_, T> {
    let number = if values.shape().is_empty() { values.view().first().copied() } else { None };
    number.map_or(values, Values::One)
}

/// `numpy.asarray` of the value, with elements that Rust can read.
pub(super) fn as_array<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let numpy = numpy::get_array_module(py)?;
    let refused =
        |error: PyErr| errors::input(format!("{name} is no array of numbers: {}", error.value(py)));
    let array = numpy.call_method1(intern!(py, "asarray"), (value,)).map_err(refused)?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let (ndim, most) = (untyped.ndim(), arrays::LARGEST_NDIM);
    if ndim > most {
        return Err(errors::input(format!("{name} has {ndim} axes, expected at most {most}")));
    }
    // A field of a structured array, or another byte order.
    let native = match untyped.dtype() {
        dtype if dtype.kind() == b'f' && dtype.itemsize() == 4 => viewable_or::<f32>(&array)?,
        dtype if dtype.kind() == b'c' && dtype.itemsize() == 8 => viewable_or::<Complex32>(&array)?,
        dtype if dtype.kind() == b'c' && dtype.itemsize() == 16 => {
            viewable_or::<Complex64>(&array)?
        }
        _ => None,
    };
    Ok(native.unwrap_or(array))
}

/// A copy of an array of this type, if its elements cannot be borrowed.
fn viewable_or<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if arrays::viewable::<T>(array).is_some() {
        return Ok(None);
    }
    let (py, copy) = (array.py(), intern!(array.py(), "astype"));
    array.call_method1(copy, (numpy::dtype::<T>(py), "C")).map(Some)
}

/// Shape of arrays that are broadcast together.
///
/// # Errors
/// `InputError` with both shapes, if two of them do not fit.
pub(super) fn broadcast_shape(arguments: &[(&str, &[usize])]) -> PyResult<Vec<usize>> {
    let ndim = arguments.iter().map(|(_, shape)| shape.len()).max().unwrap_or(0);
    let mut result = vec![1; ndim];
    for (name, shape) in arguments {
        let first = ndim - shape.len();
        for (to, &from) in result[first..].iter_mut().zip(*shape) {
            if *to == 1 {
                *to = from;
            } else if from != 1 && from != *to {
                let shapes = arguments.iter().filter(|(_, shape)| !shape.is_empty());
                let shapes: Vec<_> = shapes.map(|(n, shape)| format!("{n} {shape:?}")).collect();
                let shapes = shapes.join(", ");
                return Err(errors::input(format!(
                    "the shape of {name} does not broadcast with the others: {shapes}"
                )));
            }
        }
    }
    Ok(result)
}
