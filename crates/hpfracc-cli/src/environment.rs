//! The machine that a command computes on.

use crate::Error;
use hpfracc::{Machine, MachineError, Settings};

/// What the command line names goes before what the environment says; `change` has the last word.
pub(crate) fn machine(
    backend: Option<&str>,
    change: impl FnOnce(&mut Settings),
) -> Result<Machine, Error> {
    let mut settings = Settings::from_env().map_err(Error::Environment)?;
    if let Some(name) = backend {
        settings.backend = name.to_owned();
    }
    change(&mut settings);
    Machine::with(&settings).map_err(|error| match error {
        // Those of the environment were refused above.
        MachineError::UnknownBackend { .. } | MachineError::WithoutGpu { .. } => {
            Error::Backend(error)
        }
        error => Error::Environment(error),
    })
}
