use crate::{Backend, Workload};
use hpfracc_types::Real;
use thiserror::Error;

/// A backend that does not conform: which, where and how.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("backend `{backend}` ({scalar}), {workload}: {defect}")]
pub struct Violation {
    /// The backend's name.
    pub backend: String,
    /// The scalar type.
    pub scalar: &'static str,
    /// The workload at which it was found.
    pub workload: Workload,
    /// What is wrong.
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
