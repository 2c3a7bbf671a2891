//! Estimates of memory, compared with what is available before anything is allocated.

use crate::SdeError;
use hpfracc_types::{MemoryError, check_memory};

/// Refuses a number of bytes, the product of `sizes`, that exceeds the available memory.
///
/// # Errors
/// [`SdeError::TooLarge`].
pub(crate) fn room_for(what: &'static str, sizes: &[usize]) -> Result<(), SdeError> {
    let bytes: f64 = sizes.iter().map(|size| *size as f64).product();
    check_memory(bytes / size_of::<f64>() as f64).map_err(|MemoryError { needed, available }| {
        SdeError::TooLarge { what, bytes: needed, available }
    })
}
