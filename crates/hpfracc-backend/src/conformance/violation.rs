use crate::{Backend, Workload};
use hpfracc_types::Real;
use thiserror::Error;

/// A violation of the conformance suite.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("backend `{backend}` ({scalar}), {workload}: {defect}")]
pub struct Violation {
    /// The backend's name.
    pub backend: String,
    /// The scalar type.
    pub scalar: &'static str,
    /// The workload.
    pub workload: Workload,
    /// The reason.
    pub defect: String,
}

pub(super) fn at<T: Real>(
    backend: &dyn Backend<T>,
    workload: Workload,
    defect: impl Into<String>,
) -> Violation {
    Violation {
        backend: backend.name().to_owned(),
        scalar: T::NAME,
        workload,
        defect: defect.into(),
    }
}
