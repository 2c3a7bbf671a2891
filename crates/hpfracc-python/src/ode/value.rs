//! Numbers that functions of Python return.

use crate::{arrays, errors};
use hpfracc::types::shortest;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// What a number is, for messages: a function and the time of its call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Called {
    pub(super) function: &'static str,
    pub(super) t: f64,
}

impl Called {
    fn name(self) -> String {
        format!("the value of {} at t = {}", self.function, shortest(self.t))
    }
}

/// Writes a value to `out`: an array or sequence of one of these shapes, of real numbers.
///
/// # Errors
/// `InputError` for anything else.
pub(super) fn write(
    value: &Bound<'_, PyAny>,
    shapes: &[&[usize]],
    called: Called,
    out: &mut [f64],
) -> PyResult<()> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && shapes.contains(&array.shape())
        && let Ok(array) = array.try_readonly()
    {
        copy(&array, out);
        return Ok(());
    }
    let array = arrays::doubles(&called.name(), value)?;
    let single = out.len() == 1 && array.len() == 1;
    if !single && !shapes.contains(&array.shape()) {
        let (name, found) = (called.name(), arrays::tuple(array.shape()));
        let expected: Vec<String> = shapes.iter().map(|shape| arrays::tuple(shape)).collect();
        let expected = expected.join(" or ");
        return Err(errors::input(format!("{name} has the shape {found}, expected {expected}")));
    }
    copy(&array, out);
    Ok(())
}

fn copy(array: &numpy::PyReadonlyArrayDyn<'_, f64>, out: &mut [f64]) {
    match array.as_slice() {
        Ok(values) => out.copy_from_slice(values),
        Err(_) => out.iter_mut().zip(array.as_array()).for_each(|(to, value)| *to = *value),
    }
}

/// One real number.
///
/// # Errors
/// `InputError` for anything else.
pub(super) fn number(value: &Bound<'_, PyAny>, called: Called) -> PyResult<f64> {
    let mut out = [0.0];
    write(value, &[&[]], called, &mut out)?;
    Ok(out[0])
}
