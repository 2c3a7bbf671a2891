//! Memory that the process can still take, and the refusal of more.

use std::fs::read_to_string;
use thiserror::Error;

/// More memory than is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this needs {needed} bytes of memory, and {available} are available")]
pub struct MemoryError {
    /// Estimated bytes.
    pub needed: u64,
    /// Bytes that the process can still take.
    pub available: u64,
}

/// Estimates below this are not compared: reading the limits costs some 50 microseconds.
const SMALL: u64 = 1 << 24;

/// Refuses an allocation that exceeds the available memory, before it is made. `numbers` is a
/// count of values of 8 bytes, as f64 to tell overflow.
///
/// ```
/// use hpfracc_types::check_memory;
///
/// assert!(check_memory(1e3).is_ok());
/// let refused = check_memory(1e17).unwrap_err();
/// assert_eq!(refused.needed, 800_000_000_000_000_000);
/// assert!(refused.available < refused.needed);
/// ```
///
/// # Errors
/// [`MemoryError`] with both figures.
pub fn check_memory(numbers: f64) -> Result<(), MemoryError> {
    let needed = (8.0 * numbers) as u64;
    if needed < SMALL {
        return Ok(());
    }
    let available = available_memory().unwrap_or(isize::MAX as u64);
    if needed <= available { Ok(()) } else { Err(MemoryError { needed, available }) }
}

/// Bytes that the process can still take: the least of the free memory of the computer and of its
/// control group, and of the rest of the address space (`ulimit -v`). None where the system does
/// not tell (other than Linux).
pub fn available_memory() -> Option<u64> {
    let host = file_field("/proc/meminfo", "MemAvailable:").map(|kib| kib * 1024);
    let address_space = file_field("/proc/self/limits", "Max address space").and_then(|limit| {
        let taken = file_field("/proc/self/status", "VmSize:")? * 1024;
        Some(limit.saturating_sub(taken))
    });
    [host, address_space, control_group()].into_iter().flatten().min()
}

/// Limit of the control group less the memory that it cannot give back.
fn control_group() -> Option<u64> {
    let folder = "/sys/fs/cgroup";
    let limit = whole(&format!("{folder}/memory.max"))?;
    let taken = whole(&format!("{folder}/memory.current"))?;
    let cached = file_field(&format!("{folder}/memory.stat"), "inactive_file").unwrap_or(0);
    Some(limit.saturating_sub(taken.saturating_sub(cached)))
}

/// A file that is one number; None for "max".
fn whole(path: &str) -> Option<u64> {
    read_to_string(path).ok()?.trim().parse().ok()
}

/// The first number after a name at the start of a line; None if there is another word.
fn file_field(path: &str, name: &str) -> Option<u64> {
    field(&read_to_string(path).ok()?, name)
}

fn field(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_system_files() {
        let text = "MemTotal: 16 kB\nMemAvailable:   12 kB\nMax address space  unlimited  bytes\n";
        assert_eq!(field(text, "MemAvailable:"), Some(12));
        assert_eq!(field(text, "Max address space"), None);
        assert_eq!(field(text, "SwapFree:"), None);
    }

    #[test]
    fn more_than_there_is_is_refused_with_both_figures() {
        assert_eq!(check_memory(0.0), Ok(()));
        let refused = check_memory(f64::INFINITY).unwrap_err();
        assert_eq!(refused.needed, u64::MAX);
        assert!(refused.to_string().contains(&refused.available.to_string()));
    }
}
