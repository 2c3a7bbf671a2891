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

/// Bytes that this process may still take: free memory of the computer or of its control group, and
/// what is left of a limit of the address space; `None` if the operating system reports nothing.
pub(crate) fn available() -> Option<u64> {
    [of_computer(), of_address_space()].into_iter().flatten().min()
}

#[cfg(feature = "commands")]
fn of_computer() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    let group = system.cgroup_limits().map(|group| group.free_memory);
    let free = system.available_memory().min(group.unwrap_or(u64::MAX));
    Some(free).filter(|bytes| *bytes > 0)
}

#[cfg(not(feature = "commands"))]
fn of_computer() -> Option<u64> {
    None
}

/// What is left of the limit that `ulimit -v` sets.
#[cfg(target_os = "linux")]
fn of_address_space() -> Option<u64> {
    let number = |file: &str, key: &str| -> Option<u64> {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let limit = number("/proc/self/limits", "Max address space")?;
    let used = number("/proc/self/status", "VmSize:")?.saturating_mul(1 << 10);
    Some(limit.saturating_sub(used))
}

#[cfg(not(target_os = "linux"))]
fn of_address_space() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exceeds_the_memory_is_refused_with_both_figures() {
        assert!(require("nothing", 0, "").is_ok());
        if cfg!(feature = "commands") {
            let error = require("all", u64::MAX, "take less").unwrap_err().to_string();
            assert!(error.starts_with("all needs 17592186044416 MiB of memory, "), "{error}");
            assert!(error.ends_with(" MiB are available; take less"), "{error}");
        }
    }
}
