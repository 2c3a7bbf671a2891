//! Construction and classification of errors: exit codes and closed pipes.

use super::{Error, FittingError};
use crate::text::did_you_mean;
use hpfracc::backend::BackendError;
use hpfracc::equation::EquationError;
use hpfracc::operators::OperatorError;
#[cfg(feature = "gpu")]
use hpfracc::{Error as LibraryError, SimulationError::Gpu};
use std::io;

impl From<OperatorError> for Error {
    fn from(error: OperatorError) -> Self {
        let suggestion = match &error {
            OperatorError::UnknownOperator { name, known }
            | OperatorError::UnknownScheme { name, known, .. }
            | OperatorError::UnknownParameter { name, known, .. } => {
                did_you_mean(name, known.split(", "))
            }
            _ => String::new(),
        };
        if suggestion.is_empty() {
            return Self::Operator(error);
        }
        Self::Misspelt { source: Box::new(error), suggestion }
    }
}

impl From<hpfracc::ranks::CommunicatorError> for Error {
    fn from(error: hpfracc::ranks::CommunicatorError) -> Self {
        Self::Ranks(error.to_string())
    }
}

impl Error {
    pub(crate) fn of_solve(failure: impl Into<hpfracc::ode::Failure>) -> Self {
        Self::Solve(Box::new(failure.into()))
    }

    pub(crate) fn unknown<'a>(
        owner: impl Into<String>,
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let suggestion = did_you_mean(name, known.iter().copied());
        let (owner, name, known) = (owner.into(), name.to_owned(), known.join(", "));
        Self::Unknown { owner, kind, name, known, suggestion }
    }

    /// Error of an equation.
    pub(crate) fn library(error: impl Into<hpfracc::Error>) -> Self {
        Self::Library(Box::new(error.into()))
    }

    /// Error of a text, at its place.
    pub(crate) fn equation(place: impl Into<String>, source: EquationError) -> Self {
        Self::Equation { place: place.into(), source: Box::new(source) }
    }

    /// Exit code: 1 for an I/O error or a device failure, 2 for wrong input or a wrong parameter, 130 for an interruption.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } | Self::Write { .. } | Self::Drawing(_) | Self::Ranks(_) => 1,
            Self::Fitting(FittingError::Source(_) | FittingError::CheckpointFailed { .. }) => 1,
            Self::Fitting(FittingError::Interrupted { .. }) => 130,
            Self::Operator(OperatorError::Backend(BackendError::Device { .. })) => 1,
            #[cfg(feature = "gpu")]
            Self::Library(error) if matches!(**error, LibraryError::Simulation(Gpu(_))) => 1,
            Self::Training(error) => error.exit_code(),
            _ => 2,
        }
    }

    /// Whether the reader of standard output closed the pipe, as `| head` does; not a failure.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
