//! Derivatives of right-hand sides that are functions of Python, from further functions.

use super::callable::{Callable, Form};
use crate::ode::value::{self, Called};
use hpfracc::ode::{Differentiable, System};
use pyo3::prelude::*;
use std::cell::RefCell;

/// Function of Python with its derivatives with respect to the state and to n parameters.
pub(in crate::ode) struct DifferentiableCallable<'a, 'py> {
    callable: Callable<'a, 'py>,
    /// `jac_args(t, y, *args)`: derivatives with respect to the parameters.
    jac_args: Option<Bound<'py, PyAny>>,
    /// `vjp(t, y, v, *args)`: the product of v with the derivatives.
    vjp: Option<Bound<'py, PyAny>>,
    /// Zeros, one for each parameter: f has the values.
    parameters: Vec<f64>,
    /// Buffers of both matrices, row by row.
    matrices: RefCell<[Vec<f64>; 2]>,
}

impl<'a, 'py> DifferentiableCallable<'a, 'py> {
    pub(in crate::ode) fn new(
        callable: Callable<'a, 'py>,
        jac_args: Option<Bound<'py, PyAny>>,
        vjp: Option<Bound<'py, PyAny>>,
        parameters: usize,
    ) -> Self {
        let (parameters, matrices) = (vec![0.0; parameters], RefCell::default());
        Self { callable, jac_args, vjp, parameters, matrices }
    }

    /// Number of components of f.
    fn dim(&self) -> usize {
        self.callable.dim_of_shape()
    }

    /// Writes the derivatives with respect to the terms and the parameters.
    fn linearise(&self, t: f64, y: &[f64], [f_y, f_theta]: &mut [Vec<f64>; 2]) {
        let dim = self.dim();
        f_y.resize(dim * y.len(), 0.0);
        f_theta.resize(dim * self.parameters.len(), 0.0);
        if !self.jacobian(t, y, f_y) {
            let mut unit = vec![0.0; dim];
            for (component, row) in f_y.chunks_exact_mut(y.len()).enumerate() {
                unit[component] = 1.0;
                let mut of_parameters = vec![0.0; self.parameters.len()];
                row.fill(0.0);
                self.vjp(t, y, &unit, row, &mut of_parameters);
                f_theta[component * of_parameters.len()..][..of_parameters.len()]
                    .copy_from_slice(&of_parameters);
                unit[component] = 0.0;
            }
            return;
        }
        if let Some(function) = &self.jac_args {
            let run = |out: &mut [f64]| self.evaluate_by_args(function, t, y, out);
            self.callable.calls.run(f_theta, run);
        }
    }

    fn evaluate_by_args(
        &self,
        function: &Bound<'py, PyAny>,
        t: f64,
        y: &[f64],
        out: &mut [f64],
    ) -> PyResult<()> {
        let (dim, callable) = (self.dim(), &self.callable);
        let (state, rest) = y.split_at(dim);
        let passed = if let Form::Lower = callable.form { rest } else { &[] };
        let value = callable.call(function, t, state, passed, None)?;
        let whole = [&callable.shape[..], &[self.parameters.len()]].concat();
        value::write(&value, &[&whole], Called { function: "jac_args", t }, out)?;
        let highest = callable.highest_coefficient(t)?;
        out.iter_mut().for_each(|entry| *entry /= highest);
        Ok(())
    }

    /// Writes the product of v with the derivatives: of the state, then of the parameters.
    fn evaluate_vjp(
        &self,
        function: &Bound<'py, PyAny>,
        (t, y, v): (f64, &[f64], &[f64]),
        out: &mut [f64],
    ) -> PyResult<()> {
        let (callable, called) = (&self.callable, Called { function: "vjp", t });
        let value = callable.call(function, t, y, &[], Some(v))?;
        let (of_state, of_parameters) = out.split_at_mut(y.len());
        if self.parameters.is_empty() {
            return value::write(&value, &[&callable.shape], called, of_state);
        }
        let (by_state, by_args): (Bound<'_, PyAny>, Bound<'_, PyAny>) = value.extract()?;
        value::write(&by_state, &[&callable.shape], called, of_state)?;
        value::write(&by_args, &[&[self.parameters.len()]], called, of_parameters)
    }
}

impl System for DifferentiableCallable<'_, '_> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.callable.rhs(t, y, dydt);
    }

    /// Without differences, which are not exact.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        self.callable.jacobian.is_some() && self.callable.jacobian(t, y, jacobian)
    }
}

impl Differentiable for DifferentiableCallable<'_, '_> {
    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        if let Some(function) = &self.vjp {
            let mut out = vec![0.0; y.len() + thetabar.len()];
            self.callable.calls.run(&mut out, |out| self.evaluate_vjp(function, (t, y, fbar), out));
            let all = ybar.iter_mut().chain(thetabar);
            all.zip(&out).for_each(|(bar, term)| *bar += term);
            return;
        }
        let matrices = &mut *self.matrices.borrow_mut();
        self.linearise(t, y, matrices);
        for (matrix, bars) in matrices.iter().zip([ybar, thetabar]) {
            if bars.is_empty() {
                continue;
            }
            for (row, factor) in matrix.chunks_exact(bars.len()).zip(fbar) {
                bars.iter_mut().zip(row).for_each(|(bar, entry)| *bar += factor * entry);
            }
        }
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let matrices = &mut *self.matrices.borrow_mut();
        self.linearise(t, y, matrices);
        df.fill(0.0);
        for (matrix, changes) in matrices.iter().zip([dy, dtheta]) {
            if changes.is_empty() {
                continue;
            }
            for (out, row) in df.iter_mut().zip(matrix.chunks_exact(changes.len())) {
                *out += row.iter().zip(changes).map(|(entry, change)| entry * change).sum::<f64>();
            }
        }
    }
}
