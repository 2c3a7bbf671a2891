//! Arrays of signals: complex or real, in either precision.

use super::super::argument::{as_array, borrowed};
use crate::arrays;
use ndarray::{ArrayD, ArrayViewD};
use num_complex::Complex;
use numpy::{Element, PyReadonlyArrayDyn};
use pyo3::prelude::*;

/// Complex numbers of one precision.
pub(super) enum Signals<'py, T: Copy>
where
    Complex<T>: Element,
{
    Borrowed(PyReadonlyArrayDyn<'py, Complex<T>>),
    Owned(ArrayD<Complex<T>>),
}

impl<T: Copy> Signals<'_, T>
where
    Complex<T>: Element,
{
    pub(super) fn view(&self) -> ArrayViewD<'_, Complex<T>> {
        match self {
            Self::Borrowed(array) => array.as_array(),
            Self::Owned(array) => array.view(),
        }
    }

    /// Copies a borrowed array, so that the array may be written to.
    pub(super) fn own(&mut self) {
        if let Self::Borrowed(array) = self {
            *self = Self::Owned(array.as_array().to_owned());
        }
    }
}

/// Signals in the precision of an array.
pub(super) enum AnySignals<'py> {
    Single(Signals<'py, f32>),
    Double(Signals<'py, f64>),
}

impl<'py> AnySignals<'py> {
    /// # Errors
    /// `InputError` for anything but real and complex numbers.
    pub(super) fn of(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(signals) = Self::of_complex(name, value)? {
            return Ok(signals);
        }
        let array = as_array(name, value)?;
        if let Some(signals) = Self::of_complex(name, &array)? {
            return Ok(signals);
        }
        if let Some(real) = borrowed::<f32>(name, &array)? {
            let signals = real.as_array().mapv(|x| Complex::new(x, 0.0));
            return Ok(Self::Single(Signals::Owned(signals)));
        }
        let real = arrays::doubles(name, &array)?;
        Ok(Self::Double(Signals::Owned(real.as_array().mapv(|x| Complex::new(x, 0.0)))))
    }

    fn of_complex(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Some(array) = borrowed::<Complex<f64>>(name, value)? {
            return Ok(Some(Self::Double(Signals::Borrowed(array))));
        }
        let array = borrowed::<Complex<f32>>(name, value)?;
        Ok(array.map(|array| Self::Single(Signals::Borrowed(array))))
    }

    /// In double precision.
    pub(super) fn widened(self) -> Signals<'py, f64> {
        match self {
            Self::Double(signals) => signals,
            Self::Single(signals) => {
                let wide = |z: Complex<f32>| Complex::new(z.re.into(), z.im.into());
                Signals::Owned(signals.view().mapv(wide))
            }
        }
    }
}
