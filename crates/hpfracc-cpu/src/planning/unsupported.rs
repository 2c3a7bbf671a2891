use hpfracc_backend::{BackendError, Workload};

/// The answer of a backend to a kind of workload that it has no algorithm for.
pub(crate) fn unsupported(backend: &str, workload: Workload, reason: &'static str) -> BackendError {
    BackendError::Unsupported { backend: backend.to_owned(), workload, reason }
}
