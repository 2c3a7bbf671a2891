//! Machine of backends that a command computes on.

use crate::Error;
use hpfracc::{Machine, MachineError, Settings};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Machine from the environment; `backend` of the command line overrides it, `change` comes last.
pub(crate) fn machine(
    backend: Option<&str>,
    change: impl FnOnce(&mut Settings),
) -> Result<Machine, Error> {
    let mut settings = Settings::from_env().map_err(Error::Environment)?;
    if let Some(name) = backend {
        settings.backend = name.to_owned();
    }
    // Sizes beyond the memory become errors, in place of a killed process.
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let memory = System::new_with_specifics(memory).ok().map(|system| system.total_memory());
    settings.selector.memory_limits.host_bytes = memory.filter(|bytes| *bytes > 0);
    change(&mut settings);
    Machine::with(&settings).map_err(|error| match error {
        // Names from the environment were checked above.
        MachineError::UnknownBackend { .. } | MachineError::WithoutGpu { .. } => {
            Error::Backend(error)
        }
        error => Error::Environment(error),
    })
}
