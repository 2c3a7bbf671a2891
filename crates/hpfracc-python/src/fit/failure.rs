//! Exceptions of fits, samplings and the catalogue of models.

use crate::errors::Kind;
use hpfracc::fit::sample::SampleError;
use hpfracc::fit::{CatalogueError, FitError};
use pyo3::PyErr;

/// Exception of an error of a fit.
pub(super) fn of_fit(error: FitError) -> PyErr {
    let kind = match &error {
        FitError::Memory(_) => Kind::Memory,
        FitError::Passes { .. }
        | FitError::Cancelled { .. }
        | FitError::Undefined { .. }
        | FitError::Source(_)
        | FitError::Checkpoint { .. } => Kind::Solver,
        _ => Kind::Input,
    };
    kind.of(&error)
}

/// Exception of an error of a sampling.
pub(super) fn of_sample(error: SampleError) -> PyErr {
    let kind = match error {
        SampleError::Fit(error) => return of_fit(error),
        SampleError::Memory(_) => Kind::Memory,
        SampleError::Setting { .. } => Kind::Input,
        _ => Kind::Solver,
    };
    kind.of(&error)
}

/// Exception of an error of the catalogue.
pub(super) fn of_catalogue(error: CatalogueError) -> PyErr {
    let kind = match &error {
        CatalogueError::Text { .. } | CatalogueError::Formula(_) => Kind::Equation,
        CatalogueError::Model(FitError::Memory(_)) => Kind::Memory,
        _ => Kind::Input,
    };
    kind.of(&error)
}
