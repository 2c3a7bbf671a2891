use std::io;
use std::path::PathBuf;

/// Table of numbers that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}", path = path.display())]
pub struct SourceError {
    /// File.
    pub path: PathBuf,
    /// Reason.
    pub reason: String,
}

impl SourceError {
    pub(crate) fn new(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, action: &str, error: &io::Error) -> Self {
        Self::new(path, format!("cannot {action}: {error}"))
    }
}
