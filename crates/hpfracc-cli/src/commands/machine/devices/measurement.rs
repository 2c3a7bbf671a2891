//! Peaks of an adapter, and pending measurements.

use super::timing::Timing;
use serde::Serialize;
use std::time::Duration;

/// Peaks of an adapter (roofline), measured in this run.
#[derive(Serialize)]
pub(super) struct AdapterPeaks {
    pub(super) index: usize,
    pub(super) name: String,
    /// Whether it is a software adapter, whose times do not represent a GPU.
    pub(super) software: bool,
    /// Time to open the device.
    pub(super) open_seconds: f64,
    /// Latency of an empty submission.
    pub(super) empty_submit_seconds: f64,
    /// Bytes per second, read and written, of a copy between buffers.
    pub(super) copy_rate: f64,
    pub(super) upload_rate: f64,
    pub(super) download_rate: f64,
}

/// Pending measurement with a time limit.
pub(super) struct Measurement<'a> {
    pub(super) label: String,
    pub(super) run: Box<dyn FnOnce(Duration) -> Result<Timing, String> + 'a>,
}
