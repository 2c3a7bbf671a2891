//! Functions that are prepared for their parameters: elements with the same parameters are computed together.

use super::argument::{Argument, Number, Precision, broadcast_shape};
use super::output::{Output, OutputView, room};
use super::place::{Failure, raise};
use super::work;
use crate::running::Cancel;
use ndarray::{ArrayViewD, IxDyn};
use pyo3::prelude::*;
use rayon::prelude::*;

/// Nanoseconds of the preparation for parameters.
const PREPARATION: f64 = 10e3;

/// Function of z for parameters, whose values have one or more columns.
pub(super) struct Family<F> {
    /// Nanoseconds for a value.
    pub(super) nanoseconds: f64,
    /// Number of columns.
    pub(super) columns: usize,
    /// Writes the columns of values for the parameters and a slice of z.
    pub(super) fill: F,
}

impl<F> Family<F> {
    /// The columns for numbers and arrays: numbers if all arguments are numbers and `out` is `None`.
    ///
    /// # Errors
    /// Of arguments, of `out` and of the function.
    pub(super) fn call<'py, Z: Number>(
        &self,
        py: Python<'py>,
        mut z: Argument<'py, Z>,
        mut parameters: Vec<Argument<'py, f64>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>>
    where
        F: Fn(&[f64], &[Z], &mut [&mut [Z]], &Cancel) -> Result<(), Failure> + Sync,
    {
        let numbers: Option<Vec<f64>> = parameters.iter().map(|p| p.values.one()).collect();
        if let (None, Some(numbers), Some(z)) = (out, &numbers, z.values.one()) {
            return self.of_numbers(py, numbers, z);
        }
        let shapes = parameters.iter().map(|p| (p.name, p.values.shape()));
        let shapes: Vec<_> = std::iter::once((z.name, z.values.shape())).chain(shapes).collect();
        let shape = broadcast_shape(&shapes)?;
        let precisions = parameters.iter().map(|p| p.precision).chain([z.precision]);
        let single = Precision::is_single(precisions);
        let mut objects = Vec::with_capacity(self.columns);
        let mut outputs = Vec::with_capacity(self.columns);
        for _ in 0..self.columns {
            let (object, output) = Output::new(py, &shape, single, out, || {
                z.values.own();
                parameters.iter_mut().for_each(|parameter| parameter.values.own());
            })?;
            objects.push(object);
            outputs.push(output);
        }
        let mut outputs: Vec<_> = outputs.iter_mut().map(Output::view).collect();
        let views = parameters.iter().map(|parameter| parameter.values.view()).collect();
        let z = z.values.view();
        match numbers {
            Some(numbers) => self.fill_arrays(py, &numbers, z, &mut outputs, &shape)?,
            None => self.fill_groups(py, views, z, &mut outputs, &shape)?,
        }
        Ok(objects)
    }

    fn of_numbers<'py, Z: Number>(
        &self,
        py: Python<'py>,
        parameters: &[f64],
        z: Z,
    ) -> PyResult<Vec<Bound<'py, PyAny>>>
    where
        F: Fn(&[f64], &[Z], &mut [&mut [Z]], &Cancel) -> Result<(), Failure>,
    {
        let mut values = vec![Z::default(); self.columns];
        let mut columns: Vec<_> = values.iter_mut().map(std::slice::from_mut).collect();
        (self.fill)(parameters, &[z], &mut columns, &Cancel::default())
            .map_err(|failure| raise(&failure.error, &[]))?;
        Ok(values.into_iter().map(|value| value.object(py)).collect())
    }

    /// Fills arrays for the same parameters everywhere; without copies where they are contiguous.
    fn fill_arrays<Z: Number>(
        &self,
        py: Python<'_>,
        parameters: &[f64],
        z: ArrayViewD<'_, Z>,
        outputs: &mut [OutputView<'_, Z>],
        shape: &[usize],
    ) -> PyResult<()>
    where
        F: Fn(&[f64], &[Z], &mut [&mut [Z]], &Cancel) -> Result<(), Failure> + Sync,
    {
        let gathered;
        let z = match z.as_slice() {
            Some(z) => z,
            None => {
                gathered = collected(&z)?;
                &gathered
            }
        };
        let work = PREPARATION + self.nanoseconds * z.len() as f64;
        // The contiguous columns, or new ones.
        let slices: Option<Vec<_>> = outputs.iter_mut().map(OutputView::slice).collect();
        if let Some(mut columns) = slices {
            let result =
                work::run(py, work, |cancel| (self.fill)(parameters, z, &mut columns, cancel))?;
            return result.map_err(|failure| failure.raise(shape));
        }
        let mut values = self.columns_of(z.len())?;
        let mut columns: Vec<_> = values.iter_mut().map(Vec::as_mut_slice).collect();
        let result =
            work::run(py, work, |cancel| (self.fill)(parameters, z, &mut columns, cancel))?;
        result.map_err(|failure| failure.raise(shape))?;
        outputs.iter_mut().zip(&values).for_each(|(output, values)| output.assign(values));
        Ok(())
    }

    /// Fills arrays for parameters that differ: elements are sorted by their parameters.
    fn fill_groups<Z: Number>(
        &self,
        py: Python<'_>,
        parameters: Vec<ArrayViewD<'_, f64>>,
        z: ArrayViewD<'_, Z>,
        outputs: &mut [OutputView<'_, Z>],
        shape: &[usize],
    ) -> PyResult<()>
    where
        F: Fn(&[f64], &[Z], &mut [&mut [Z]], &Cancel) -> Result<(), Failure> + Sync,
    {
        let mut broadcast = Vec::with_capacity(parameters.len());
        for view in &parameters {
            let view = view.broadcast(IxDyn(shape));
            broadcast.push(collected(&view.unwrap_or_else(|| unreachable!("shapes are checked")))?);
        }
        let z = z.broadcast(IxDyn(shape)).unwrap_or_else(|| unreachable!("shapes are checked"));
        let z = collected(&z)?;
        let key = |at: &usize| {
            let mut key = [0; 3];
            key.iter_mut().zip(&broadcast).for_each(|(key, values)| *key = values[*at].to_bits());
            key
        };
        let mut order = room(z.len())?;
        order.extend(0..z.len());
        order.sort_by_key(key);
        let mut sorted = room(z.len())?;
        sorted.extend(order.iter().map(|at| z[*at]));
        let mut values = self.columns_of(z.len())?;

        let mut columns: Vec<_> = values.iter_mut().map(Vec::as_mut_slice).collect();
        let mut rest = &sorted[..];
        let mut groups = Vec::new();
        for group in order.chunk_by(|a, b| key(a) == key(b)) {
            let parameters: Vec<f64> = broadcast.iter().map(|values| values[group[0]]).collect();
            let (z, others) = rest.split_at(group.len());
            rest = others;
            let mut parts = Vec::with_capacity(self.columns);
            for column in &mut columns {
                let (part, others) = std::mem::take(column).split_at_mut(group.len());
                parts.push(part);
                *column = others;
            }
            groups.push((group, parameters, z, parts));
        }
        let work = PREPARATION * groups.len() as f64 + self.nanoseconds * z.len() as f64;
        let result = work::run(py, work, |cancel| {
            let fill = |(group, parameters, z, mut columns): (&[usize], Vec<f64>, &[Z], Vec<_>)| {
                if cancel.requested() {
                    return None;
                }
                let failure = (self.fill)(&parameters, z, &mut columns, cancel).err()?;
                let offset = group.get(failure.offset).copied().unwrap_or(0);
                Some(Failure { offset, ..failure })
            };
            let failures: Vec<_> = if work < 1e5 {
                groups.into_iter().filter_map(fill).collect()
            } else {
                groups.into_par_iter().filter_map(fill).collect()
            };
            Failure::first(failures.into_iter())
        })?;
        result.map_err(|failure| failure.raise(shape))?;

        let mut unsorted = sorted;
        for (output, values) in outputs.iter_mut().zip(&values) {
            order.iter().zip(values).for_each(|(at, value)| unsorted[*at] = *value);
            output.assign(&unsorted);
        }
        Ok(())
    }

    fn columns_of<Z: Number>(&self, n: usize) -> PyResult<Vec<Vec<Z>>> {
        let column = || {
            let mut column = room(n)?;
            column.resize(n, Z::default());
            Ok(column)
        };
        (0..self.columns).map(|_| column()).collect()
    }
}

/// Elements in standard order.
fn collected<T: Copy>(view: &ArrayViewD<'_, T>) -> PyResult<Vec<T>> {
    let mut numbers = room(view.len())?;
    numbers.extend(view.iter().copied());
    Ok(numbers)
}
