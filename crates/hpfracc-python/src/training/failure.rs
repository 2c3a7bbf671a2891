//! Exceptions of trainings.

use crate::errors::{Kind, OrRaise, input};
use hpfracc::nn::TrainingError;
use hpfracc::nn::models::ModelError;
use hpfracc::nn::trainer::TrainerError;
use hpfracc::{Error, error_chain};
use pyo3::PyErr;
use pyo3::exceptions::{PyFileExistsError, PyOSError};

/// Exception of the evaluation of an objective.
pub(super) fn of_objective(error: TrainingError) -> PyErr {
    kind(&error).of(&error)
}

fn kind(error: &TrainingError) -> Kind {
    match error {
        TrainingError::Solve(_) | TrainingError::NotFinite { .. } => Kind::Solver,
        _ => Kind::Input,
    }
}

/// Exception of a training: those of the operating system are `OSError`.
pub(super) fn of_trainer(error: TrainerError) -> PyErr {
    let message = error_chain(&error);
    match error {
        TrainerError::Batch { .. } => Kind::Solver.error(message),
        TrainerError::Objective(error) => of_objective(error),
        TrainerError::Memory(_) => Kind::Memory.error(message),
        TrainerError::File { source, .. } => match source.raw_os_error() {
            Some(_) => std::io::Error::new(source.kind(), message).into(),
            None => PyOSError::new_err(message),
        },
        TrainerError::Occupied { .. } => PyFileExistsError::new_err(message),
        TrainerError::InUse { .. } => PyOSError::new_err(message),
        _ => input(message),
    }
}

/// Exception of the construction of a model or its data.
pub(super) fn of_model(error: ModelError) -> PyErr {
    Kind::Input.of(&error)
}

/// Exception of any other error of the library, with the place of the argument.
pub(super) fn of_setting<E: Into<Error>>(error: E) -> PyErr {
    Err::<(), E>(error).or_raise().err().unwrap_or_else(|| input("no error"))
}
