//! Exceptions: the classes of `hpfracc.errors`, with the messages of the library.

use hpfracc::backend::BackendError;
use hpfracc::ode::{EquationProblemError, OdeError};
use hpfracc::operators::OperatorError;
use hpfracc::pde::PdeError;
use hpfracc::sde::SdeError;
use hpfracc::spatial::SpatialError;
use hpfracc::{Error, MachineError, error_chain};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Class of an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `InputError`, a `ValueError`: an argument that is refused.
    Input,
    /// `EquationError`, an `InputError`: a text that is no equation.
    Equation,
    /// `SolverError`, a `RuntimeError`: a computation that did not succeed.
    Solver,
    /// `DeviceError`, a `RuntimeError`: a device that is not there or failed.
    Device,
    /// `MemoryLimitError`, a `MemoryError`: more memory than is available, refused before it is allocated.
    Memory,
}

impl Kind {
    fn class(self, py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
        static CLASSES: [PyOnceLock<Py<PyType>>; 5] = [const { PyOnceLock::new() }; 5];
        let name = match self {
            Self::Input => "InputError",
            Self::Equation => "EquationError",
            Self::Solver => "SolverError",
            Self::Device => "DeviceError",
            Self::Memory => "MemoryLimitError",
        };
        CLASSES[self as usize].import(py, "hpfracc.errors", name)
    }

    /// The exception of an error, with the messages of its sources.
    pub(crate) fn of(self, error: &dyn std::error::Error) -> PyErr {
        self.error(error_chain(error))
    }

    /// The exception with a message.
    pub(crate) fn error(self, message: impl Into<String>) -> PyErr {
        let message = message.into();
        Python::attach(|py| match self.class(py) {
            Ok(class) => PyErr::from_type(class.clone(), message),
            Err(error) => error,
        })
    }
}

/// `InputError` with a message.
pub(crate) fn input(message: impl Into<String>) -> PyErr {
    Kind::Input.error(message)
}

/// Exceptions of the library's errors.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Into<Error>> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| raise(error.into()))
    }
}

/// Names of the library in messages about fields, and what they are in Python.
const NAMES: [(&str, &str); 7] = [
    ("`Way::Auto`", "way=\"auto\""),
    ("`Way::Dense`", "way=\"dense\""),
    ("`Way::Modes`", "way=\"modes\""),
    ("`Way::Contour`", "way=\"contour\""),
    ("`Way::Rational`", "way=\"rational\""),
    ("use `solve`", "use `hpfracc.pde.solve` with steps"),
    ("`SpatialOperator::shifted` of the operator", "the method `solve` of the operator"),
];

/// Exception of an error of the library.
pub(crate) fn raise(error: Error) -> PyErr {
    let kind = kind(&error);
    match &error {
        Error::Spatial(_) | Error::Pde(_) => {
            let message = error_chain(&error);
            kind.error(NAMES.iter().fold(message, |text, (own, python)| text.replace(own, python)))
        }
        _ => kind.of(&error),
    }
}

fn kind(error: &Error) -> Kind {
    match error {
        Error::Machine(
            MachineError::UnknownBackend { .. }
            | MachineError::WithoutGpu { .. }
            | MachineError::NothingLeft { .. },
        ) => Kind::Device,
        Error::Operator(error) => of_operator(error),
        Error::Equation(_) => Kind::Equation,
        Error::EquationProblem(EquationProblemError::Problem(error)) | Error::Ode(error) => {
            of_ode(error)
        }
        Error::Solve(failure) => of_ode(&failure.error),
        Error::Sde(error) => of_sde(error),
        Error::Pde(error) => of_pde(error),
        Error::Spatial(error) => of_spatial(error),
        _ => Kind::Input,
    }
}

fn of_operator(error: &OperatorError) -> Kind {
    match error {
        OperatorError::Backend(error) => of_backend(error),
        OperatorError::Memory(_) => Kind::Memory,
        _ => Kind::Input,
    }
}

fn of_backend(error: &BackendError) -> Kind {
    if error.is_bad_input() { Kind::Input } else { Kind::Device }
}

fn of_ode(error: &OdeError) -> Kind {
    match error {
        OdeError::Memory(_) => Kind::Memory,
        OdeError::Operator(error) => of_operator(error),
        OdeError::NewtonFailed { .. }
        | OdeError::NotFinite { .. }
        | OdeError::StepTooSmall { .. }
        | OdeError::TooManySteps { .. }
        | OdeError::Singular { .. }
        | OdeError::HistoryFull { .. }
        | OdeError::GradientNotFinite { .. } => Kind::Solver,
        _ => Kind::Input,
    }
}

fn of_sde(error: &SdeError) -> Kind {
    match error {
        SdeError::TooLarge { .. } => Kind::Memory,
        SdeError::Operator(error) => of_operator(error),
        SdeError::PathNewtonFailed { .. }
        | SdeError::PathNotFinite { .. }
        | SdeError::PathStepTooSmall { .. }
        | SdeError::PathValueNotFinite { .. }
        | SdeError::ObservableNotFinite { .. }
        | SdeError::ParameterGradientNotFinite { .. } => Kind::Solver,
        _ => Kind::Input,
    }
}

fn of_pde(error: &PdeError) -> Kind {
    match error {
        PdeError::Ode(error) => of_ode(error),
        PdeError::Spatial(error) => of_spatial(error),
        PdeError::SourceNotFinite { .. } | PdeError::RightSideNotFinite { .. } => Kind::Solver,
        _ => Kind::Input,
    }
}

/// Class of an error of an operator on fields.
pub(crate) fn of_spatial(error: &SpatialError) -> Kind {
    match error {
        SpatialError::Memory { .. } => Kind::Memory,
        SpatialError::NotConverged { .. } | SpatialError::Tolerance { .. } => Kind::Solver,
        _ => Kind::Input,
    }
}
