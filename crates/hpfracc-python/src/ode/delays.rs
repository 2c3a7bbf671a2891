//! Delays and histories that are functions of Python.

use super::calls::Calls;
use super::function::array;
use super::value::{self, Called};
use hpfracc::ode::Delays;
use pyo3::prelude::*;

/// Delays: constants, or a function of time and state.
pub(super) enum PyDelays<'a, 'py> {
    Constant(Vec<f64>),
    Function { calls: &'a Calls, function: Bound<'py, PyAny>, count: usize, shape: Vec<usize> },
}

impl Delays for PyDelays<'_, '_> {
    fn count(&self) -> usize {
        match self {
            Self::Constant(delays) => delays.len(),
            Self::Function { count, .. } => *count,
        }
    }

    fn delays(&self, t: f64, y: &[f64], out: &mut [f64]) {
        match self {
            Self::Constant(delays) => out.copy_from_slice(delays),
            Self::Function { calls, function, count, shape } => calls.run(out, |out| {
                let value = function.call1((t, array(function.py(), y, shape)?))?;
                value::write(&value, &[&[*count]], Called { function: "delays", t }, out)
            }),
        }
    }

    fn constant(&self) -> Option<&[f64]> {
        match self {
            Self::Constant(delays) => Some(delays),
            Self::Function { .. } => None,
        }
    }
}

/// States before the start: constants, or a function of time.
pub(super) enum PyHistory<'py> {
    Constant(Vec<f64>),
    Function { function: Bound<'py, PyAny>, shape: Vec<usize> },
}

impl PyHistory<'_> {
    /// Writes the state at a time.
    pub(super) fn write(&self, calls: &Calls, t: f64, out: &mut [f64]) {
        match self {
            Self::Constant(state) => out.copy_from_slice(state),
            Self::Function { function, shape } => calls.run(out, |out| {
                let called = Called { function: "history", t };
                value::write(&function.call1((t,))?, &[shape], called, out)
            }),
        }
    }
}
