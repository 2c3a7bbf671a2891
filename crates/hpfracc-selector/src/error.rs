use std::path::PathBuf;
use thiserror::Error;

/// Errors in a list of candidates.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CandidatesError {
    /// Two candidates have the same name.
    #[error("two candidates are named `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
    /// Too many candidates.
    #[error("{found} candidates, at most 64 are supported")]
    TooMany {
        /// Number of candidates.
        found: usize,
    },
}

/// Errors of reading and writing wisdom files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WisdomError {
    /// An I/O error.
    #[error("wisdom file {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The file is too long.
    #[error("wisdom has {found} bytes, at most {limit} are read")]
    Long {
        /// Its length.
        found: u64,
        /// Largest length that is read.
        limit: u64,
    },
    /// The text is not a wisdom file.
    #[error("not a wisdom file: {source}")]
    Syntax {
        /// The error of the parser.
        #[from]
        source: serde_json::Error,
    },
    /// The content does not match its checksum.
    #[error("wisdom is damaged: its checksum is {found}, its content has {expected}")]
    Damaged {
        /// The checksum in the file.
        found: String,
        /// The checksum of the content.
        expected: String,
    },
    /// A file without machines.
    #[error("wisdom without a machine")]
    NoMachine,
    /// The timings are for other machines or versions: none is added.
    #[error("wisdom is for another machine: `{field}` is {found}, here it is {expected}")]
    Differs {
        /// The field that differs.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value here.
        expected: String,
    },
    /// A timing that no execution can have.
    #[error("wisdom entry {index} is impossible: {reason}")]
    Entry {
        /// Its index in the list.
        index: usize,
        /// The reason.
        reason: String,
    },
}
