//! Peaks of an adapter, and measurements that are still to be made.

use super::timing::Timing;
use serde::Serialize;
use std::time::Duration;

/// What an adapter can do at most, by measurements in this run.
#[derive(Serialize)]
pub(super) struct AdapterPeaks {
    pub(super) index: usize,
    pub(super) name: String,
    /// Whether it is the processor, pretending: then its times say nothing of GPUs.
    pub(super) software: bool,
    /// Opening the device.
    pub(super) open_seconds: f64,
    /// Handing over no work and waiting for its end.
    pub(super) empty_submit_seconds: f64,
    /// Bytes per second from one buffer to another, read and written.
    pub(super) copy_rate: f64,
    pub(super) upload_rate: f64,
    pub(super) download_rate: f64,
}

/// One measurement, still to be made within a time.
pub(super) struct Measurement<'a> {
    pub(super) label: String,
    pub(super) run: Box<dyn FnOnce(Duration) -> Result<Timing, String> + 'a>,
}
