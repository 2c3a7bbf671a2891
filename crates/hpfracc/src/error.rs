use crate::{Machine, Settings};
use thiserror::Error;

/// Why a machine could not be put together as asked.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// No backend of this machine has that name.
    #[error("unknown backend `{name}`; known are {}", known())]
    UnknownBackend {
        /// The name given.
        name: String,
    },
    /// The backend runs on a GPU, which this build does not support.
    #[error(
        "backend `{name}` runs on a GPU, and this build has no GPU support (feature `gpu` of the crate hpfracc is off); known are {}",
        known()
    )]
    WithoutGpu {
        /// The name given.
        name: String,
    },
    /// All that could be chosen is disabled.
    #[error("no backend is left to choose from: {} disabled", .names.join(", "))]
    NothingLeft {
        /// The names disabled.
        names: Vec<String>,
    },
    /// No part of a memory.
    #[error("{fraction} is no part of a GPU's memory: a fraction is above 0 and at most 1")]
    MemoryFraction {
        /// The fraction given.
        fraction: f64,
    },
    /// No pool of so many threads.
    #[error("a pool of {threads} threads was refused: {reason}")]
    Threads {
        /// The number asked for.
        threads: usize,
        /// Why not.
        reason: String,
    },
    /// The file of remembered timings cannot be used.
    #[error("wisdom of {}: {reason}", .path.display())]
    Wisdom {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A variable of the environment that cannot be followed.
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

fn known() -> String {
    let names = Machine::backend_names().join(", ");
    let positions =
        if cfg!(feature = "gpu") { "; `@1` behind a GPU's name means adapter 1" } else { "" };
    format!("{}, {names}{positions}; `+` between two names splits batches", Settings::AUTO)
}
