use crate::{Machine, Settings};
use thiserror::Error;

/// Why a machine could not be put together as asked.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// No backend of this machine has that name.
    #[error("unknown backend `{name}`; known are {}, {}", Settings::AUTO, Machine::backend_names().join(", "))]
    UnknownBackend {
        /// The name given.
        name: String,
    },
    /// The backend runs on a GPU, which this build does not support.
    #[error(
        "backend `{name}` runs on a GPU, and this build has no GPU support (feature `gpu` of the crate hpfracc is off); known are {}, {}",
        Settings::AUTO,
        Machine::backend_names().join(", ")
    )]
    WithoutGpu {
        /// The name given.
        name: String,
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
