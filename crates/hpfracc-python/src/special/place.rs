//! Errors of functions of arrays, with the place of the number.

use crate::errors::{self, Kind};
use hpfracc::special::SpecialError;
use pyo3::PyErr;

/// Error of a function with the index of the number in standard order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failure {
    pub(super) error: SpecialError,
    pub(super) offset: usize,
}

impl Failure {
    /// Of the first of several parts, which begin at these offsets.
    pub(super) fn first(failures: impl Iterator<Item = Self>) -> Result<(), Self> {
        failures.min_by_key(|failure| failure.offset).map_or(Ok(()), Err)
    }

    /// The exception, for a result of this shape.
    pub(super) fn raise(&self, shape: &[usize]) -> PyErr {
        raise(&self.error, &index_of(self.offset, shape))
    }
}

impl From<SpecialError> for Failure {
    fn from(error: SpecialError) -> Self {
        Self { error, offset: 0 }
    }
}

/// The exception of an error at an index, or without an index.
pub(super) fn raise(error: &SpecialError, index: &[usize]) -> PyErr {
    let mut message = error.to_string();
    if !index.is_empty() {
        let index: Vec<_> = index.iter().map(usize::to_string).collect();
        message = format!("{message}, at index ({})", index.join(", "));
    }
    match error {
        SpecialError::NotConverged { .. } | SpecialError::Overflow { .. } => {
            Kind::Solver.error(message)
        }
        _ => errors::input(message),
    }
}

/// Index of an element from its place in standard order.
pub(super) fn index_of(mut offset: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (i, n) in index.iter_mut().zip(shape).rev() {
        *i = offset % (*n).max(1);
        offset /= (*n).max(1);
    }
    index
}
