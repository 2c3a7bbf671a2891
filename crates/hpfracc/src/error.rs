use thiserror::Error;

/// Errors in the settings of a machine.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// No backend of this machine has that name.
    #[error("unknown backend `{name}`; known are {known}")]
    UnknownBackend {
        /// The name.
        name: String,
        /// The valid names.
        known: String,
    },
    /// The backend runs on a GPU, which this build does not support.
    #[error(
        "backend `{name}` runs on a GPU, and this build has no GPU support (feature `gpu` of the crate hpfracc is off); known are {known}"
    )]
    WithoutGpu {
        /// The name.
        name: String,
        /// The valid names.
        known: String,
    },
    /// All backends are disabled.
    #[error("no backend is left to choose from: {} disabled", .names.join(", "))]
    NothingLeft {
        /// The disabled names.
        names: Vec<String>,
    },
    /// An invalid fraction of memory.
    #[error("{fraction} of a GPU's memory: expected a fraction above 0 and at most 1")]
    MemoryFraction {
        /// The fraction.
        fraction: f64,
    },
    /// The thread pool could not be made.
    #[error("a pool of {threads} threads was refused: {reason}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The reason.
        reason: String,
    },
    /// The wisdom file cannot be used.
    #[error("wisdom of {}: {reason}", .path.display())]
    Wisdom {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An environment variable has an invalid value.
    #[error("{variable}=`{value}`: {reason}")]
    Environment {
        /// The variable's name.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
}
