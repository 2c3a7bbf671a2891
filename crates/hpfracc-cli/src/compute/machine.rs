//! Machine of backends that a command computes on.

use crate::Error;
use crate::memory;
use crate::output::diagnostic;
use crate::text::did_you_mean;
use hpfracc::{Machine, MachineError, Settings};

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
    settings.selector.memory_limits.host_bytes = memory::available();
    change(&mut settings);
    Machine::with(&settings).map_err(|error| match error {
        // Names from the environment were checked above.
        MachineError::UnknownBackend { ref name, ref known } => {
            let suggestion = did_you_mean(name, known.split(", "));
            Error::Backend(error, suggestion)
        }
        MachineError::WithoutGpu { .. } => Error::Backend(error, String::new()),
        error => Error::Environment(error),
    })
}

/// Writes a diagnostic if the wisdom file was ignored.
pub(crate) fn report_wisdom(machine: &Machine) {
    if let Some(reason) = machine.wisdom_refused() {
        diagnostic(&format!("the file of HPFRACC_WISDOM is ignored: {reason}"));
    }
}
