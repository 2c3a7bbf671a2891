use super::program::NotOnGpu;
use crate::GpuError;
use thiserror::Error;

/// Error of a network on a GPU.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuNetworkError {
    /// A layer without shaders.
    #[error(transparent)]
    NotOnGpu(#[from] NotOnGpu),
    /// An argument of another size.
    #[error("{what} has the size {found}, expected {expected}")]
    Size {
        /// The argument.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The size expected.
        expected: usize,
    },
    /// A buffer that no shader can address.
    #[error(
        "{lanes} samples or paths take {bytes} bytes in one buffer, and `{device}` binds {limit}: take fewer"
    )]
    TooLarge {
        /// Name of the device.
        device: String,
        /// Number of samples, of equations that of paths.
        lanes: usize,
        /// Bytes of the largest buffer.
        bytes: u64,
        /// Bytes that a shader can address.
        limit: u64,
    },
    /// The device has failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Error for an argument of another size.
pub(super) fn size(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), GpuNetworkError> {
    if found == expected { Ok(()) } else { Err(GpuNetworkError::Size { what, found, expected }) }
}
