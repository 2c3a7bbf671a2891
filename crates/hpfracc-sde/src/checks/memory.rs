//! Estimates of memory, compared with what is available before anything is allocated.

use crate::SdeError;
use hpfracc_types::available_memory;

/// Allocations below this are made without a question, which takes a tenth of a millisecond.
const SMALL: u64 = 1 << 26;

/// Refuses a number of bytes, the product of `sizes`, that exceeds the available memory.
///
/// # Errors
/// [`SdeError::TooLarge`].
pub(crate) fn room_for(what: &'static str, sizes: &[usize]) -> Result<(), SdeError> {
    let bytes = sizes.iter().fold(1u64, |bytes, size| bytes.saturating_mul(*size as u64));
    if bytes < SMALL {
        return Ok(());
    }
    let available = available_memory().unwrap_or(isize::MAX as u64);
    if bytes <= available { Ok(()) } else { Err(SdeError::TooLarge { what, bytes, available }) }
}
