//! The device's clock: timestamps around the compute pass of a call, without the transfers.

use super::buffer_pool::{BufferPool, PooledBuffer, Purpose};
use super::open_device::{OpenDevice, locked};
use super::readback::Readback;
use crate::GpuError;
use std::sync::{Arc, Mutex};
use wgpu::{CommandEncoder, ComputePassTimestampWrites, Features, QuerySet};

/// Sums the shader time of all calls on a device, by the device's clock.
///
/// While a meter exists, each call on the device and its clones is measured from the start of its
/// first shader to the end of its last one; transfers are not included. Calls of other threads and
/// of other plans count too: to measure one map, run nothing else on the device.
///
/// ```no_run
/// # use hpfracc_backend::LinearMap;
/// # use hpfracc_wgpu::Gpu;
/// # fn measure(gpu: &Gpu, map: &dyn LinearMap<f32>, x: &[f32], y: &mut [f32]) ->
/// #     Result<f64, Box<dyn std::error::Error>> {
/// map.apply(x, y)?; // the first call also creates buffers
/// let meter = gpu.meter()?;
/// for _ in 0..10 {
///     map.apply(x, y)?;
/// }
/// let seconds = meter.device_seconds() / meter.calls() as f64;
/// # Ok(seconds)
/// # }
/// ```
#[derive(Debug)]
pub struct Meter {
    meters: Arc<Meters>,
    tally: Arc<Tally>,
}

/// Number of calls and their seconds.
type Tally = Mutex<(u64, f64)>;

/// The active meters of a device, and query sets for reuse.
#[derive(Debug, Default)]
pub(crate) struct Meters {
    tallies: Mutex<Vec<Arc<Tally>>>,
    query_sets: Mutex<Vec<QuerySet>>,
}

impl Meter {
    pub(super) fn new(device: &OpenDevice, meters: &Arc<Meters>) -> Result<Self, GpuError> {
        if !device.features.contains(Features::TIMESTAMP_QUERY) {
            let feature = "timestamp queries";
            return Err(GpuError::MissingFeature { device: device.name().to_owned(), feature });
        }
        let tally = Arc::new(Tally::default());
        locked(&meters.tallies).push(Arc::clone(&tally));
        Ok(Self { meters: Arc::clone(meters), tally })
    }

    /// Seconds from the start of the first shader of a call to the end of its last one, summed over
    /// all calls that have ended since the meter was created.
    pub fn device_seconds(&self) -> f64 {
        locked(&self.tally).1
    }

    /// Number of calls measured: one for each part of a split batch.
    pub fn calls(&self) -> u64 {
        locked(&self.tally).0
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        locked(&self.meters.tallies).retain(|tally| !Arc::ptr_eq(tally, &self.tally));
    }
}

/// Timestamps at the start and the end of one call.
pub(crate) struct CallTimer {
    meters: Arc<Meters>,
    tallies: Vec<Arc<Tally>>,
    /// `None` once dropped.
    queries: Option<QuerySet>,
    resolved: PooledBuffer,
}

/// Size of two timestamps.
const BYTES: u64 = 16;

impl CallTimer {
    /// The timer of one call and the buffer that its timestamps are read from; `None` without an
    /// active meter.
    pub(super) fn start(
        pool: &Arc<BufferPool>,
        meters: &Arc<Meters>,
    ) -> Result<Option<(Self, PooledBuffer)>, GpuError> {
        let tallies = locked(&meters.tallies).clone();
        if tallies.is_empty() {
            return Ok(None);
        }
        let cached = locked(&meters.query_sets).pop();
        let queries = Some(cached.map_or_else(|| pool.device.create_timestamps(), Ok)?);
        let resolved = pool.acquire(BYTES, Purpose::Timestamps)?;
        let readback = pool.acquire(BYTES, Purpose::Readback)?;
        Ok(Some((Self { meters: Arc::clone(meters), tallies, queries, resolved }, readback)))
    }

    fn queries(&self) -> &QuerySet {
        self.queries.as_ref().expect("the queries leave only when dropped")
    }

    /// The timestamp writes of the measured pass.
    pub(super) fn writes(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: self.queries(),
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Records the copy of the timestamps to `readback`, after the pass.
    pub(super) fn resolve(&self, encoder: &mut CommandEncoder, readback: &PooledBuffer) {
        let resolved = self.resolved.buffer();
        encoder.resolve_query_set(self.queries(), 0..2, resolved, 0);
        encoder.copy_buffer_to_buffer(resolved, 0, readback.buffer(), 0, BYTES);
    }

    /// Maps the timestamps, after the submission.
    pub(super) fn read(readback: PooledBuffer) -> Readback {
        Readback::start(readback, BYTES)
    }

    /// Adds the duration of the call to the meters.
    pub(super) async fn finish(self, timestamps: Readback) -> Result<(), GpuError> {
        let mut ticks = [0u64; 2];
        timestamps.copy_to(&mut ticks).await?;
        let nanoseconds = f64::from(self.resolved.device().queue.get_timestamp_period());
        let seconds = ticks[1].saturating_sub(ticks[0]) as f64 * nanoseconds * 1e-9;
        for tally in &self.tallies {
            let mut sums = locked(tally);
            *sums = (sums.0 + 1, sums.1 + seconds);
        }
        Ok(())
    }
}

impl Drop for CallTimer {
    fn drop(&mut self) {
        locked(&self.meters.query_sets).extend(self.queries.take());
    }
}
