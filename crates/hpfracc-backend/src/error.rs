use crate::{Shape, Workload};
use thiserror::Error;

/// What a backend, a plan or a map answers when it cannot do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackendError {
    /// A slice does not have the length that the workload demands.
    #[error("`{argument}` has length {found}, expected {expected} for {workload}")]
    Length {
        /// The argument's name: `kernel`, `x` or `y`.
        argument: &'static str,
        /// Its length.
        found: usize,
        /// The length demanded.
        expected: usize,
        /// The workload that demands it.
        workload: Workload,
    },
    /// One of the sizes of a workload is zero, or their product does not fit the address space.
    #[error("{workload} has no elements or too many to address")]
    Size {
        /// The workload asked for.
        workload: Workload,
    },
    /// A shape needs between 1 and [`Shape::MAX_RANK`] axes.
    #[error("a shape has 1 to {max} axes, got {rank}", max = Shape::MAX_RANK)]
    Rank {
        /// The number of axes given.
        rank: usize,
    },
    /// A symbol that maps real signals to complex ones: it must be the conjugate of its mirror
    /// image.
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
        /// The workload asked for.
        workload: Workload,
        /// Why not.
        reason: &'static str,
    },
    /// The plan would need more memory than it may take.
    #[error("backend `{backend}` needs {needed} bytes for {workload}, allowed are {limit}")]
    Memory {
        /// The backend's name.
        backend: String,
        /// The workload asked for.
        workload: Workload,
        /// Bytes that the plan would need.
        needed: usize,
        /// Bytes that it may take.
        limit: usize,
    },
    /// The device failed; the same call may succeed elsewhere.
    #[error("device of backend `{backend}` failed")]
    Device {
        /// The backend's name.
        backend: String,
        /// What the device reported.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl BackendError {
    /// Whether the caller's input is at fault, so that no other backend could do better.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::Length { .. } | Self::Size { .. } | Self::Rank { .. } | Self::NotHermitian { .. }
        )
    }

    /// The same answer in the name of a backend around the one that gave it.
    pub(crate) fn named(mut self, name: &str) -> Self {
        match &mut self {
            Self::Unsupported { backend, .. }
            | Self::Memory { backend, .. }
            | Self::Device { backend, .. } => name.clone_into(backend),
            _ => {}
        }
        self
    }
}
