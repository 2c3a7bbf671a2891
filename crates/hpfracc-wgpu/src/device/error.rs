use hpfracc_backend::BackendError;
use thiserror::Error;

/// Errors of devices and of their drivers.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter matches the preference.
    #[error("no adapter: requested {requested}, available: {available}")]
    NoAdapter {
        /// The preference, in words.
        requested: String,
        /// Names of the adapters of this computer, or `none`.
        available: String,
    },
    /// The adapter opened no device.
    #[error("adapter `{adapter}` gave no device")]
    Request {
        /// Name of the adapter.
        adapter: String,
        /// Reason of the driver.
        #[source]
        source: wgpu::RequestDeviceError,
    },
    /// The device lacks a feature.
    #[error("`{device}` lacks {feature}")]
    MissingFeature {
        /// Name of the device.
        device: String,
        /// The feature, in words.
        feature: &'static str,
    },
    /// The device failed the self-test of a precision.
    #[error("`{device}` failed the self-test of {precision}: {detail}")]
    SelfTest {
        /// Name of the device.
        device: String,
        /// The precision.
        precision: &'static str,
        /// The computed value and the correct one.
        detail: String,
    },
    /// The driver has no memory for a buffer.
    #[error("`{device}` is out of memory: no room for a buffer of {bytes} bytes")]
    OutOfMemory {
        /// Name of the device.
        device: String,
        /// Size of the buffer.
        bytes: u64,
    },
    /// The device is lost; everything bound to it is unusable.
    #[error("`{device}` was lost: {reason}")]
    Lost {
        /// Name of the device.
        device: String,
        /// Reason of the driver.
        reason: String,
    },
    /// A buffer would exceed the memory limit.
    #[error(
        "`{device}`: a buffer of {bytes} bytes exceeds the limit of {limit} with {in_use} in use"
    )]
    Limit {
        /// Name of the device.
        device: String,
        /// Size of the buffer in bytes.
        bytes: u64,
        /// Bytes of all other buffers.
        in_use: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Steps for which there are no increments of fractional Brownian motion.
    #[error(
        "`{device}` has increments of fractional Brownian motion for {available} steps, not for {requested}"
    )]
    FractionalSteps {
        /// Name of the device.
        device: String,
        /// Number of steps.
        requested: usize,
        /// Number of steps of the noise, or most steps of a transform on the device.
        available: usize,
    },
    /// A text or a number that is no memory limit.
    #[error("`{text}` is no memory limit: {reason}")]
    MemoryLimit {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A fraction of a memory of unknown size.
    #[error("the memory size of `{device}` is unknown: give the limit in bytes, such as 2GiB")]
    UnknownMemory {
        /// Name of the device.
        device: String,
    },
    /// The file of compiled shaders cannot be written.
    #[error("cannot write compiled shaders to `{path}`")]
    PipelineFile {
        /// The file.
        path: std::path::PathBuf,
        /// Reason of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// A blocking call in a browser.
    #[error("a browser cannot block on `{device}`: use the asynchronous call")]
    WouldBlock {
        /// Name of the device.
        device: String,
    },
    /// The device belongs to the host program, and only that can open a new one.
    #[error("`{device}` belongs to the host program, which has to open a new device")]
    Hosted {
        /// Name of the device.
        device: String,
    },
    /// The driver rejected a call: a defect of this crate or of the driver.
    #[error("`{device}` rejected a call: {message}")]
    Rejected {
        /// Name of the device.
        device: String,
        /// Message of the driver.
        message: String,
    },
}

impl GpuError {
    /// The error as that of a backend.
    pub(crate) fn of(self, backend: &str) -> BackendError {
        BackendError::Device { backend: backend.to_owned(), source: Box::new(self) }
    }
}
