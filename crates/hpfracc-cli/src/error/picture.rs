//! Errors of pictures and files as errors of a command.

use super::Error;
use hpfracc_plot::PlotError;

impl From<PlotError> for Error {
    fn from(error: PlotError) -> Self {
        match error {
            PlotError::Write { name, source } => Self::Write { name, source },
            PlotError::Format { path } => Self::PictureFormat { path },
            PlotError::Drawing { reason } => Self::Drawing(reason),
            other => Self::Drawing(other.to_string()),
        }
    }
}
