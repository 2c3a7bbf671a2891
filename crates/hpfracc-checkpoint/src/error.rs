use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Error of a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A folder or a file that cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// The action.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// I/O error.
        source: io::Error,
    },
    /// A file locked by another process.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The locked file.
        path: PathBuf,
    },
    /// A damaged file without an intact alternative.
    #[error("{} {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        damage: Damage,
    },
    /// A file in another version of the format.
    #[error("{} has the version {found}, expected {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The expected version.
        expected: u32,
    },
    /// A file of another computation.
    #[error(
        "{} is of another computation: {what} was {found}, now it is {expected}", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The difference.
        what: String,
        /// Value in the file.
        found: String,
        /// Value in the computation.
        expected: String,
    },
    /// A duplicate fact of a fingerprint.
    #[error("the fact `{fact}` is given twice")]
    Twice {
        /// Its name.
        fact: String,
    },
}

impl CheckpointError {
    /// The error of an action on a file, as a function of its cause.
    pub(crate) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}

/// Damage of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// Another number of bytes.
    #[error("has {found} bytes, expected {expected}")]
    Length {
        /// Bytes found.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Another kind of file.
    #[error("does not begin with the bytes of its kind of file")]
    Kind,
    /// Bytes have changed.
    #[error("has the checksum {found:016x}, expected {expected:016x}")]
    Checksum {
        /// Checksum of the bytes.
        found: u64,
        /// Checksum in the file.
        expected: u64,
    },
    /// The checksum is valid and the contents are not.
    #[error("has contents that do not match its version")]
    Contents,
}
