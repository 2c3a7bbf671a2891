use crate::shape::Shape;
use crate::workload::Workload;
use thiserror::Error;

/// Errors of backends, plans and maps.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackendError {
    /// A slice does not have the length that the workload requires.
    #[error("`{argument}` has length {found}, expected {expected} for {workload}")]
    Length {
        /// The argument's name: `kernel`, `x` or `y`.
        argument: &'static str,
        /// Its length.
        found: usize,
        /// The required length.
        expected: usize,
        /// The workload.
        workload: Workload,
    },
    /// One of the sizes of a workload is zero, or their product does not fit the address space.
    #[error("{workload} has no elements or too many to address")]
    Size {
        /// The workload.
        workload: Workload,
    },
    /// A shape needs between 1 and [`Shape::MAX_RANK`] axes.
    #[error("a shape has 1 to {max} axes, got {rank}", max = Shape::MAX_RANK)]
    Rank {
        /// The number of axes.
        rank: usize,
    },
    /// The symbol maps real signals to complex ones: it must be the conjugate of its mirror image.
    #[error(
        "the symbol is not Hermitian at frequency {frequency:?}: real signals would turn complex"
    )]
    NotHermitian {
        /// The frequency index along each axis.
        frequency: Vec<usize>,
    },
    /// This backend has no algorithm for such workloads.
    #[error("backend `{backend}` cannot plan {workload}: {reason}")]
    Unsupported {
        /// The backend's name.
        backend: String,
        /// The workload.
        workload: Workload,
        /// The reason.
        reason: &'static str,
    },
    /// The plan needs more memory than the limit.
    #[error("backend `{backend}` needs {needed} bytes for {workload}, the limit is {limit}")]
    Memory {
        /// The backend's name.
        backend: String,
        /// The workload.
        workload: Workload,
        /// Bytes that the plan needs.
        needed: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The device failed; the same call may succeed elsewhere.
    #[error("device of backend `{backend}` failed")]
    Device {
        /// The backend's name.
        backend: String,
        /// The error of the device.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl BackendError {
    /// The error of a backend that has no algorithm for a workload.
    pub fn unsupported(backend: &str, workload: Workload, reason: &'static str) -> Self {
        Self::Unsupported { backend: backend.to_owned(), workload, reason }
    }

    /// Whether the input is invalid, so that every other backend would fail as well.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::Length { .. } | Self::Size { .. } | Self::Rank { .. } | Self::NotHermitian { .. }
        )
    }

    /// The message with those of its causes, on one line.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }

    /// The same error under the name of a backend that contains the one that failed.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        match &mut self {
            Self::Unsupported { backend, .. }
            | Self::Memory { backend, .. }
            | Self::Device { backend, .. } => name.clone_into(backend),
            _ => {}
        }
        self
    }
}
