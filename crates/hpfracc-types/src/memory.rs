use crate::available_memory;
use thiserror::Error;

/// More memory than is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this needs {needed} bytes of memory, and {available} are available")]
pub struct MemoryError {
    /// Estimated bytes.
    pub needed: u64,
    /// The [available](available_memory) bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_refused_with_both_figures() {
        assert_eq!(check_memory(0.0), Ok(()));
        let refused = check_memory(f64::INFINITY).unwrap_err();
        assert_eq!(refused.needed, u64::MAX);
        assert!(refused.to_string().contains(&refused.available.to_string()));
    }
}
