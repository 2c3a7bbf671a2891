//! Right-hand sides that are functions of Python.

use crate::ode::calls::Calls;
use crate::ode::value::{self, Called};
use hpfracc::ode::System;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Coefficient of a term of a multi-term equation.
pub(in crate::ode) enum Coefficient<'py> {
    Constant(f64),
    OfTime(Bound<'py, PyAny>),
}

/// Arguments of the function besides time and state.
pub(in crate::ode) enum Form<'py> {
    /// `f(t, y)`.
    Plain,
    /// `f(t, y, lagged)`, with the lagged states along the first axis.
    Lagged,
    /// `f(t, y, lower)`, with the lower derivatives along the first axis.
    Lower,
    /// `f(t, y)`, the right-hand side of an equation with these coefficients c_0 to c_M.
    Linear(Vec<Coefficient<'py>>),
}

/// Function of Python as a [`System`].
pub(in crate::ode) struct Callable<'a, 'py> {
    pub(in crate::ode) calls: &'a Calls,
    pub(in crate::ode) function: Bound<'py, PyAny>,
    pub(in crate::ode) jacobian: Option<Bound<'py, PyAny>>,
    /// Whether the function takes states as columns.
    pub(in crate::ode) vectorized: bool,
    /// Further arguments.
    pub(in crate::ode) args: Bound<'py, PyTuple>,
    /// Shape of y.
    pub(in crate::ode) shape: Vec<usize>,
    pub(in crate::ode) form: Form<'py>,
}

/// The numbers as a new array.
pub(in crate::ode) fn array<'py>(
    py: Python<'py>,
    numbers: &[f64],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let array = PyArray1::from_slice(py, numbers);
    if let [_] = shape {
        return Ok(array.into_any());
    }
    let array: Bound<'py, PyArrayDyn<f64>> = array.reshape(shape.to_vec())?;
    Ok(array.into_any())
}

impl<'py> Callable<'_, 'py> {
    /// Value of a function of time, state, what the form has besides, a cotangent, and further arguments.
    pub(in crate::ode) fn call(
        &self,
        function: &Bound<'py, PyAny>,
        t: f64,
        y: &[f64],
        rest: &[f64],
        cotangent: Option<&[f64]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = function.py();
        let y = array(py, y, &self.shape)?;
        if rest.is_empty() && cotangent.is_none() && self.args.is_empty() {
            return function.call1((t, y));
        }
        let mut all = vec![t.into_pyobject(py)?.into_any(), y];
        if !rest.is_empty() {
            let shape = [&[rest.len() / self.dim_of_shape()], &self.shape[..]].concat();
            all.push(array(py, rest, &shape)?);
        }
        if let Some(cotangent) = cotangent {
            all.push(array(py, cotangent, &self.shape)?);
        }
        all.extend(self.args.iter());
        function.call1(PyTuple::new(py, all)?)
    }

    /// Number of components.
    pub(in crate::ode) fn dim_of_shape(&self) -> usize {
        self.shape.iter().product::<usize>().max(1)
    }

    fn coefficients(&self, t: f64, all: &[Coefficient<'py>]) -> PyResult<Vec<f64>> {
        let one = |coefficient: &Coefficient<'py>| match coefficient {
            Coefficient::Constant(value) => Ok(*value),
            Coefficient::OfTime(function) => {
                value::number(&function.call1((t,))?, Called { function: "a coefficient", t })
            }
        };
        all.iter().map(one).collect()
    }

    /// Coefficient of the highest derivative, 1 for other forms.
    pub(in crate::ode) fn highest_coefficient(&self, t: f64) -> PyResult<f64> {
        match &self.form {
            Form::Linear(coefficients) => {
                let highest = self.coefficients(t, &coefficients[coefficients.len() - 1..])?;
                Ok(highest[0])
            }
            _ => Ok(1.0),
        }
    }

    /// Writes f.
    fn evaluate(&self, t: f64, y: &[f64], out: &mut [f64]) -> PyResult<()> {
        let dim = out.len();
        let (state, rest) = y.split_at(dim);
        let passed = if let Form::Linear(_) = self.form { &[] } else { rest };
        let result = self.call(&self.function, t, state, passed, None)?;
        value::write(&result, &[&self.shape], Called { function: "f", t }, out)?;
        if let Form::Linear(coefficients) = &self.form {
            let c = self.coefficients(t, coefficients)?;
            for (c, term) in c.iter().zip(y.chunks_exact(dim)) {
                out.iter_mut().zip(term).for_each(|(out, term)| *out -= c * term);
            }
            let highest = c[c.len() - 1];
            out.iter_mut().for_each(|out| *out /= highest);
        }
        self.calls.check(t, out);
        Ok(())
    }

    /// Writes the derivatives of f with respect to its terms, row by row.
    fn evaluate_jacobian(
        &self,
        jacobian: &Bound<'py, PyAny>,
        t: f64,
        y: &[f64],
        out: &mut [f64],
    ) -> PyResult<()> {
        let (dim, called) = (self.dim_of_shape(), Called { function: "jac", t });
        let (state, rest) = y.split_at(dim);
        match &self.form {
            Form::Plain | Form::Lagged => {
                let value = self.call(jacobian, t, state, &[], None)?;
                let whole = [&self.shape[..], &self.shape].concat();
                value::write(&value, &[&whole, &[dim, dim]], called, out)
            }
            Form::Lower => {
                let value = self.call(jacobian, t, state, rest, None)?;
                let terms = y.len() / dim;
                let whole = [&self.shape[..], &[terms], &self.shape].concat();
                value::write(&value, &[&whole, &[dim, terms, dim]], called, out)
            }
            Form::Linear(coefficients) => {
                let value = self.call(jacobian, t, state, &[], None)?;
                let whole = [&self.shape[..], &self.shape].concat();
                let mut of_f = vec![0.0; dim * dim];
                value::write(&value, &[&whole, &[dim, dim]], called, &mut of_f)?;
                let c = self.coefficients(t, coefficients)?;
                let highest = c[c.len() - 1];
                for (i, row) in out.chunks_exact_mut(y.len()).enumerate() {
                    row.fill(0.0);
                    row[..dim].copy_from_slice(&of_f[i * dim..][..dim]);
                    (0..y.len() / dim).for_each(|m| row[m * dim + i] -= c[m]);
                    row.iter_mut().for_each(|entry| *entry /= highest);
                }
                Ok(())
            }
        }
    }

    /// Writes forward differences, by one call with all states as columns.
    fn differences(&self, t: f64, y: &[f64], out: &mut [f64]) -> PyResult<()> {
        let (dim, py) = (y.len(), self.function.py());
        let columns = dim + 1;
        let mut states = vec![0.0; dim * columns];
        let mut steps = vec![0.0; dim];
        for (i, row) in states.chunks_exact_mut(columns).enumerate() {
            row.fill(y[i]);
            row[i] += f64::EPSILON.sqrt() * y[i].abs().max(1e-3);
            steps[i] = row[i] - y[i];
        }
        let shape = [dim, columns];
        let mut all = vec![t.into_pyobject(py)?.into_any(), array(py, &states, &shape)?];
        all.extend(self.args.iter());
        let result = self.function.call1(PyTuple::new(py, all)?)?;
        let called = Called { function: "f (vectorized)", t };
        value::write(&result, &[&shape], called, &mut states)?;
        for (row, f) in out.chunks_exact_mut(dim).zip(states.chunks_exact(columns)) {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = (f[j] - f[dim]) / steps[j];
            }
        }
        Ok(())
    }
}

impl System for Callable<'_, '_> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.calls.run(dydt, |out| self.evaluate(t, y, out));
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        match &self.jacobian {
            Some(function) => {
                self.calls.run(jacobian, |out| self.evaluate_jacobian(function, t, y, out));
                true
            }
            None if self.vectorized => {
                self.calls.run(jacobian, |out| self.differences(t, y, out));
                true
            }
            None => false,
        }
    }
}
