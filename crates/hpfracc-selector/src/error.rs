use std::path::PathBuf;
use thiserror::Error;

/// Why a list of candidates makes no selector.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CandidatesError {
    /// Candidates are told apart by their names.
    #[error("two candidates are named `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
    /// More candidates than a choice is made of.
    #[error("{found} candidates, at most 64 can be chosen from")]
    TooMany {
        /// Their number.
        found: usize,
    },
}

/// Why remembered timings were not read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WisdomError {
    /// The file system refused.
    #[error("wisdom file {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// The file is longer than any that is written.
    #[error("wisdom has {found} bytes, at most {limit} are read")]
    Long {
        /// Its length.
        found: u64,
        /// The longest length read.
        limit: u64,
    },
    /// Not the text that was written.
    #[error("not a wisdom file: {source}")]
    Syntax {
        /// What the parser said.
        #[from]
        source: serde_json::Error,
    },
    /// The content was changed after it was written.
    #[error("wisdom is damaged: its checksum is {found}, its content has {expected}")]
    Damaged {
        /// The checksum in the file.
        found: String,
        /// The checksum of the content.
        expected: String,
    },
    /// Timings of another machine, or of another version: none of them is taken.
    #[error("wisdom is for another machine: `{field}` is {found}, here it is {expected}")]
    Differs {
        /// The field that differs.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value here.
        expected: String,
    },
    /// An entry that no execution could have made.
    #[error("wisdom entry {index} is impossible: {reason}")]
    Entry {
        /// Its place in the list.
        index: usize,
        /// What is wrong with it.
        reason: String,
    },
}
