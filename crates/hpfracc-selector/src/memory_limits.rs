use crate::candidate::Place;
use hpfracc_backend::{BackendError, Workload};

/// Memory limits of plans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryLimits {
    /// Bytes in the host's memory of one call of a bound map: its kernel, signals and results, and
    /// the map with its scratch memory.
    pub host_bytes: Option<u64>,
    /// Fraction of the free memory of a device for one bound map.
    pub device_fraction: f64,
}

impl MemoryLimits {
    /// Bytes that a plan at this place may take now, if there is a limit.
    pub(crate) fn at(self, place: &Place) -> Option<u64> {
        match place {
            Place::Host | Place::Threads(_) => self.host_bytes,
            Place::Device { free, .. } => {
                free().map(|bytes| (bytes as f64 * self.device_fraction.clamp(0.0, 1.0)) as u64)
            }
        }
    }
}

/// Bytes of the kernel, the signals and the results of a call.
pub(crate) fn slices<T>(workload: Workload) -> usize {
    let of_signal = workload.signal_len().saturating_add(workload.output_len());
    let numbers = of_signal.saturating_mul(workload.batch()).saturating_add(workload.kernel_len());
    numbers.saturating_mul(size_of::<T>())
}

/// Refuses a workload that needs more bytes than the limit.
pub(crate) fn check(
    backend: &str,
    workload: Workload,
    needed: usize,
    limit: Option<u64>,
) -> Result<(), BackendError> {
    match limit {
        Some(limit) if needed as u64 > limit => {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            Err(BackendError::Memory { backend: backend.to_owned(), workload, needed, limit })
        }
        _ => Ok(()),
    }
}
