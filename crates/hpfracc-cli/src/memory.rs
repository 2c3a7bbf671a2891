//! Memory that is available, and requests that exceed it.

use crate::Error;

/// Checks that `bytes` more are available; `what` needs them.
///
/// # Errors
/// [`Error::Memory`] with both numbers, and what to do `instead`.
pub(crate) fn require(
    what: impl Into<String>,
    needed: u64,
    instead: &'static str,
) -> Result<(), Error> {
    match available() {
        Some(available) if needed > available => {
            Err(Error::Memory { what: what.into(), needed, available, instead })
        }
        _ => Ok(()),
    }
}

/// Bytes that this process may still allocate; `None` if the operating system reports nothing.
pub(crate) fn available() -> Option<u64> {
    hpfracc::types::available_memory().or_else(of_other_systems)
}

#[cfg(feature = "commands")]
fn of_other_systems() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    Some(system.available_memory()).filter(|bytes| *bytes > 0)
}

#[cfg(not(feature = "commands"))]
fn of_other_systems() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exceeds_the_memory_is_refused_with_both_figures() {
        assert!(require("nothing", 0, "").is_ok());
        if available().is_some() {
            let error = require("all", u64::MAX, "take less").unwrap_err().to_string();
            assert!(error.starts_with("all needs 17592186044416 MiB of memory, "), "{error}");
            assert!(error.ends_with(" MiB are available; take less"), "{error}");
        }
    }
}
