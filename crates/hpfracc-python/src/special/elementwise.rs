//! Functions of real numbers, element by element of broadcast arrays.

use super::argument::{Argument, Precision, broadcast_shape, python_number};
use super::output::{Output, OutputView};
use super::place::raise;
use super::work;
use crate::running::Cancel;
use hpfracc::special::SpecialError;
use hpfracc::types::Real;
use ndarray::{ArrayViewD, ArrayViewMutD, Axis, Dimension, FoldWhile, IxDyn, Zip, indices};
use pyo3::prelude::*;

/// Function of up to four real numbers.
pub(super) struct Function {
    /// Names of the arguments.
    pub(super) names: &'static [&'static str],
    /// Time of a value.
    pub(super) nanoseconds: f64,
    pub(super) of: fn(&[f64]) -> Result<f64, SpecialError>,
}

/// Nanoseconds of a task of a thread.
const TASK: f64 = 50e3;

/// Error with the index of its element.
type Failed = (SpecialError, Vec<usize>);

impl Function {
    /// The values for numbers and arrays.
    pub(super) fn call<'py>(
        &self,
        py: Python<'py>,
        arguments: &[&Bound<'py, PyAny>],
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if out.is_none()
            && let Some(value) = self.of_numbers(py, arguments)
        {
            return value;
        }
        let named = self.names.iter().zip(arguments);
        let arguments = named.map(|(name, value)| Argument::real(name, value));
        let mut arguments = arguments.collect::<PyResult<Vec<_>>>()?;
        if out.is_none()
            && let Some(numbers) =
                arguments.iter().map(|a| a.values.one()).collect::<Option<Vec<_>>>()
        {
            return self.number(py, &numbers);
        }
        let shapes: Vec<_> = arguments.iter().map(|a| (a.name, a.values.shape())).collect();
        let shape = broadcast_shape(&shapes)?;
        let single = Precision::is_single(arguments.iter().map(|argument| argument.precision));
        let (object, mut output) = Output::<f64>::new(py, &shape, single, out, || {
            arguments.iter_mut().for_each(|argument| argument.values.own());
        })?;
        let views: Vec<_> = arguments.iter().map(|argument| argument.values.view()).collect();
        let mut broadcast = Vec::with_capacity(views.len());
        for view in &views {
            broadcast.extend(view.broadcast(IxDyn(&shape)));
        }
        let work = self.work(shape.iter().product());
        let origin = vec![0; shape.len()];
        let output = output.view();
        let result = work::run(py, work, |cancel| match output {
            OutputView::Single(out) => self.fill(broadcast, out, origin, cancel),
            OutputView::Double(out) => self.fill(broadcast, out, origin, cancel),
        })?;
        result.map_err(|(error, index)| raise(&error, &index))?;
        Ok(object)
    }

    /// The value for numbers of Python.
    fn of_numbers<'py>(
        &self,
        py: Python<'py>,
        arguments: &[&Bound<'py, PyAny>],
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        let mut numbers = [0.0; 4];
        for (number, argument) in numbers.iter_mut().zip(arguments) {
            *number = python_number(argument)?;
        }
        Some(self.number(py, &numbers[..arguments.len()]))
    }

    fn number<'py>(&self, py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyAny>> {
        let value = (self.of)(numbers).map_err(|error| raise(&error, &[]))?;
        Ok(pyo3::types::PyFloat::new(py, value).into_any())
    }

    fn work(&self, elements: usize) -> f64 {
        elements as f64 * self.nanoseconds
    }

    /// Halves of large arrays on two threads. The error is that of the first half, whichever thread is faster.
    fn fill<T: Real>(
        &self,
        views: Vec<ArrayViewD<'_, f64>>,
        out: ArrayViewMutD<'_, T>,
        origin: Vec<usize>,
        cancel: &Cancel,
    ) -> Result<(), Failed> {
        if cancel.requested() {
            return Ok(());
        }
        let longest = out.shape().iter().enumerate().max_by_key(|(_, n)| **n);
        match longest {
            Some((axis, &n)) if n > 1 && self.work(out.len()) > TASK => {
                let (axis, middle) = (Axis(axis), n / 2);
                let (out_left, out_right) = out.split_at(axis, middle);
                let halves = views.into_iter().map(|view| view.split_at(axis, middle));
                let (left, right) = halves.unzip();
                let mut right_origin = origin.clone();
                right_origin[axis.index()] += middle;
                let (left, right) = rayon::join(
                    || self.fill(left, out_left, origin, cancel),
                    || self.fill(right, out_right, right_origin, cancel),
                );
                left.and(right)
            }
            _ => self.fill_task(&views, out, &origin),
        }
    }

    fn fill_task<T: Real>(
        &self,
        views: &[ArrayViewD<'_, f64>],
        mut out: ArrayViewMutD<'_, T>,
        origin: &[usize],
    ) -> Result<(), Failed> {
        let write = |out: &mut T, arguments: &[f64]| match (self.of)(arguments) {
            Ok(value) => {
                *out = T::narrow(value);
                FoldWhile::Continue(())
            }
            Err(_) => FoldWhile::Done(()),
        };
        let zip = Zip::from(&mut out);
        let state = match views {
            [a] => zip.and(a).fold_while((), |(), out, &a| write(out, &[a])),
            [a, b] => zip.and(a).and(b).fold_while((), |(), out, &a, &b| write(out, &[a, b])),
            [a, b, c] => (zip.and(a).and(b).and(c))
                .fold_while((), |(), out, &a, &b, &c| write(out, &[a, b, c])),
            [a, b, c, d] => (zip.and(a).and(b).and(c).and(d))
                .fold_while((), |(), out, &a, &b, &c, &d| write(out, &[a, b, c, d])),
            _ => unreachable!("functions have one to four arguments"),
        };
        if !state.is_done() {
            return Ok(());
        }
        let failed = indices(out.raw_dim()).into_iter().find_map(|index| {
            let arguments: Vec<f64> = views.iter().map(|view| view[&index]).collect();
            let error = (self.of)(&arguments).err()?;
            let place = (0..index.ndim()).zip(origin).map(|(axis, from)| index[axis] + from);
            Some((error, place.collect()))
        });
        failed.map_or(Ok(()), Err)
    }
}
