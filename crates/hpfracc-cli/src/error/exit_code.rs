//! Classification of errors: exit codes and closed pipes.

use super::Error;
use hpfracc::backend::BackendError;
use hpfracc::operators::OperatorError;
use std::io;

impl Error {
    pub(crate) fn of_solve(failure: impl Into<hpfracc::ode::Failure>) -> Self {
        Self::Solve(Box::new(failure.into()))
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
