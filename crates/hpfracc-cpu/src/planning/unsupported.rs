use hpfracc_backend::{BackendError, Workload};

/// The error for a kind of workload that a backend has no algorithm for.
pub(crate) fn unsupported(backend: &str, workload: Workload, reason: &'static str) -> BackendError {
    BackendError::Unsupported { backend: backend.to_owned(), workload, reason }
}
