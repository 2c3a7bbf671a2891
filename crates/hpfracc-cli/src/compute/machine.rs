//! Machine of backends that a command computes on.

use crate::Error;
use crate::output::diagnostic;
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
    settings.selector.memory_limits.host_bytes = memory_bytes();
    change(&mut settings);
    Machine::with(&settings).map_err(|error| match error {
        // Names from the environment were checked above.
        MachineError::UnknownBackend { .. } | MachineError::WithoutGpu { .. } => {
            Error::Backend(error)
        }
        error => Error::Environment(error),
    })
}

/// Memory of this computer, if the operating system reports it.
pub(crate) fn memory_bytes() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    Some(system.total_memory()).filter(|bytes| *bytes > 0)
}

/// Writes a diagnostic if the wisdom file was ignored.
pub(crate) fn report_wisdom(machine: &Machine) {
    if let Some(reason) = machine.wisdom_refused() {
        diagnostic(&format!("the file of HPFRACC_WISDOM is ignored: {reason}"));
    }
}
