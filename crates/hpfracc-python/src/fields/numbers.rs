//! Fields as arrays of NumPy: leading axes are a batch, the last ones those of the box or the nodes of the graph.

use crate::{arrays, errors};
use ndarray::ArrayD;
use numpy::{IntoPyArray, PyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// A batch of fields in standard order.
pub(super) struct Fields {
    /// Shape of the batch.
    batch: Vec<usize>,
    shape: Vec<usize>,
    pub(super) values: Vec<f64>,
}

impl Fields {
    /// The argument of this name, whose last axes have the shape of a field.
    ///
    /// # Errors
    /// `InputError` for anything but real numbers, and for another shape.
    pub(super) fn of(name: &str, value: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Self> {
        let array = arrays::doubles(name, value)?;
        let found = array.shape();
        let batch = found.len().checked_sub(shape.len()).map(|axes| found.split_at(axes));
        let Some((batch, _)) = batch.filter(|(_, own)| *own == shape) else {
            return Err(errors::input(format!(
                "{name} has the shape {}, expected {}",
                arrays::tuple(found),
                expected(shape)
            )));
        };
        let values = array.as_array().iter().copied().collect();
        Ok(Self { batch: batch.to_vec(), shape: shape.to_vec(), values })
    }

    /// Number of fields.
    pub(super) fn count(&self) -> usize {
        self.batch.iter().product()
    }

    /// Number of values of a field.
    pub(super) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// One field after the other, and where the result of each belongs.
    pub(super) fn pairs<'a, T>(
        &'a self,
        out: &'a mut [T],
    ) -> impl Iterator<Item = (&'a [f64], &'a mut [T])> {
        let n = self.len().max(1);
        self.values.chunks_exact(n).zip(out.chunks_exact_mut(n))
    }

    /// Values of the shape of the batch of fields, as an array.
    pub(super) fn array<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        values: Vec<T>,
    ) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
        shaped(py, values, &[&self.batch[..], &self.shape[..]].concat())
    }

    /// One number for each field, as an array of the shape of the batch.
    pub(super) fn numbers<'py>(
        &self,
        py: Python<'py>,
        numbers: Vec<f64>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        shaped(py, numbers, &self.batch)
    }
}

/// Values in standard order as an array.
///
/// # Errors
/// `SolverError` if the shape has another number of values.
pub(super) fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    match ArrayD::from_shape_vec(shape, values) {
        Ok(array) => Ok(array.into_pyarray(py)),
        Err(error) => {
            Err(errors::Kind::Solver.error(format!("a result without its shape: {error}")))
        }
    }
}

/// The shape of a field after any axes of a batch.
fn expected(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("{} or (..., {})", arrays::tuple(shape), numbers.join(", "))
}
