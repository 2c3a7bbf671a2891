//! Construction and classification of errors: exit codes and closed pipes.

use super::Error;
use hpfracc::backend::BackendError;
use hpfracc::operators::OperatorError;
use std::io;

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
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        Self::Unknown { owner: owner.into(), kind, name: name.to_owned(), known }
    }

    /// Exit code: 1 for an I/O error or a device failure, 2 for wrong input or a wrong parameter.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } | Self::Write { .. } | Self::Drawing { .. } => 1,
            Self::Operator(OperatorError::Backend(BackendError::Device { .. })) => 1,
            Self::Training(error) => error.exit_code(),
            _ => 2,
        }
    }

    /// Whether the reader of standard output closed the pipe, as `| head` does; not a failure.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
