use hpfracc_backend::BackendError;
use thiserror::Error;

/// What goes wrong between this crate and a device.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter fits the wish.
    #[error("no adapter: wanted {wanted}, found {found}")]
    NoAdapter {
        /// What was asked for.
        wanted: String,
        /// The adapters there are, or `none`.
        found: String,
    },
    /// The adapter gave no device.
    #[error("adapter `{adapter}` gave no device")]
    Request {
        /// The adapter's name.
        adapter: String,
        /// Its reason.
        #[source]
        source: wgpu::RequestDeviceError,
    },
    /// The device lacks a feature that the scalar type needs.
    #[error("`{device}` lacks {feature}")]
    MissingFeature {
        /// The device's name.
        device: String,
        /// The feature, in words.
        feature: &'static str,
    },
    /// The device computes wrongly in this scalar type.
    #[error("`{device}` failed the self-test of {scalar}: {detail}")]
    SelfTest {
        /// The device's name.
        device: String,
        /// The scalar type.
        scalar: &'static str,
        /// What was computed and what is right.
        detail: String,
    },
    /// The device has no room for a buffer.
    #[error("`{device}` is out of memory, asked for {bytes} bytes")]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// Size of the buffer that did not fit.
        bytes: u64,
    },
    /// The device was lost; nothing that was on it can be used any more.
    #[error("`{device}` was lost: {reason}")]
    Lost {
        /// The device's name.
        device: String,
        /// What the driver says.
        reason: String,
    },
    /// More memory than was allowed.
    #[error("`{device}` would need {bytes} bytes beside {in_use} in use, allowed are {limit}")]
    Limit {
        /// The device's name.
        device: String,
        /// Bytes asked for.
        bytes: u64,
        /// Bytes that other buffers take.
        in_use: u64,
        /// Bytes allowed in all.
        limit: u64,
    },
    /// This is no limit of memory.
    #[error("`{text}` is no memory limit: {reason}")]
    MemoryLimit {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A fraction of a memory whose size the driver does not tell.
    #[error("how much memory `{device}` has is unknown: give the limit in bytes, such as 2GiB")]
    UnknownMemory {
        /// The device's name.
        device: String,
    },
    /// The file of compiled shaders cannot be written.
    #[error("compiled shaders cannot be kept in `{path}`")]
    PipelineFile {
        /// The file.
        path: std::path::PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// A call that waits, where nothing may wait.
    #[error("in a browser no call may wait for `{device}`: use the asynchronous one")]
    WouldWait {
        /// The device's name.
        device: String,
    },
    /// The device belongs to the program around, which alone can make a new one.
    #[error("`{device}` belongs to the host program, which has to make it anew")]
    Hosted {
        /// The device's name.
        device: String,
    },
    /// The driver refused a call: a defect of this crate or of the driver.
    #[error("`{device}` refused a call: {message}")]
    Refused {
        /// The device's name.
        device: String,
        /// What the driver says.
        message: String,
    },
}

impl GpuError {
    /// As the answer of a backend.
    pub(crate) fn of(self, backend: &str) -> BackendError {
        BackendError::Device { backend: backend.to_owned(), source: Box::new(self) }
    }
}
