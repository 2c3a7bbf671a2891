//! The machine that a command computes on.

use crate::Error;
use hpfracc::{Machine, MachineError, Settings};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What the command line names goes before what the environment says; `change` has the last word.
pub(crate) fn machine(
    backend: Option<&str>,
    change: impl FnOnce(&mut Settings),
) -> Result<Machine, Error> {
    let mut settings = Settings::from_env().map_err(Error::Environment)?;
    if let Some(name) = backend {
        settings.backend = name.to_owned();
    }
    // A size typed in vain is refused, instead of ending the process for want of memory.
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let memory = System::new_with_specifics(memory).ok().map(|system| system.total_memory());
    settings.selector.limits.host_bytes = memory.filter(|bytes| *bytes > 0);
    change(&mut settings);
    Machine::with(&settings).map_err(|error| match error {
        // Those of the environment were refused above.
        MachineError::UnknownBackend { .. } | MachineError::WithoutGpu { .. } => {
            Error::Backend(error)
        }
        error => Error::Environment(error),
    })
}
