//! The device's own clock: how long shaders take there, transfers apart.

use crate::answer::Answer;
use crate::memory::{Lent, Purpose};
use crate::{Gpu, GpuError};
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{
    CommandEncoder, ComputePassTimestampWrites, Features, QuerySet, QuerySetDescriptor, QueryType,
};

/// Adds up the time that shaders take on a device, by the device's own clock.
///
/// While it lives, every call on the device and on its clones is measured from the start of its
/// first shader to the end of its last one; the copies there and back are not counted. Calls of
/// other threads are counted too, and so are those of other plans: to measure one map, let nothing
/// else run on the device.
///
/// ```no_run
/// # use hpfracc_backend::LinearMap;
/// # use hpfracc_wgpu::Gpu;
/// # fn measure(gpu: &Gpu, map: &dyn LinearMap<f32>, x: &[f32], y: &mut [f32]) ->
/// #     Result<f64, Box<dyn std::error::Error>> {
/// map.apply(x, y)?; // the first call also makes buffers
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
    gpu: Gpu,
    tally: Arc<Tally>,
}

#[derive(Debug, Default)]
struct Tally(Mutex<(u64, f64)>);

impl Tally {
    fn add(&self, seconds: f64) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *sums = (sums.0 + 1, sums.1 + seconds);
    }

    fn read(&self) -> (u64, f64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The meters that live, and the clocks that were made for them.
#[derive(Default)]
pub(crate) struct Meters {
    tallies: Mutex<Vec<Arc<Tally>>>,
    queries: Mutex<Vec<QuerySet>>,
}

impl Gpu {
    /// Starts to measure.
    ///
    /// # Errors
    /// [`GpuError::MissingFeature`] if the device's clock cannot be read.
    pub fn meter(&self) -> Result<Meter, GpuError> {
        if !self.inner.features.contains(Features::TIMESTAMP_QUERY) {
            let feature = "a clock that can be read";
            return Err(GpuError::MissingFeature { device: self.name().to_owned(), feature });
        }
        let tally = Arc::new(Tally::default());
        let mut tallies = self.inner.meters.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies.push(Arc::clone(&tally));
        Ok(Meter { gpu: self.clone(), tally })
    }
}

impl Meter {
    /// Seconds from the start of the first shader of a call to the end of its last one, over all
    /// calls that have ended since the meter was made.
    pub fn device_seconds(&self) -> f64 {
        self.tally.read().1
    }

    /// How many calls that were: one for each part in which a batch went to the device.
    pub fn calls(&self) -> u64 {
        self.tally.read().0
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let tallies = &self.gpu.inner.meters.tallies;
        let mut tallies = tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies.retain(|tally| !Arc::ptr_eq(tally, &self.tally));
    }
}

/// The start and the end of one call.
pub(crate) struct Clock {
    gpu: Gpu,
    /// Taken when the clock goes back.
    queries: Option<QuerySet>,
    resolved: Lent,
    /// Taken when it is read.
    readback: Option<Lent>,
    tallies: Vec<Arc<Tally>>,
}

/// Two readings of eight bytes.
const BYTES: u64 = 16;

impl Clock {
    /// A clock for one call, if anybody measures.
    pub(crate) fn of(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        let Meters { tallies, queries } = &gpu.inner.meters;
        let tallies = tallies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if tallies.is_empty() {
            return Ok(None);
        }
        let kept = queries.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let make = || {
            let descriptor = QuerySetDescriptor { label: None, ty: QueryType::Timestamp, count: 2 };
            gpu.watched(BYTES, || Ok(gpu.inner.device.create_query_set(&descriptor)))
        };
        let queries = Some(kept.map_or_else(make, Ok)?);
        let resolved = gpu.lend(BYTES, Purpose::Ticks)?;
        let readback = Some(gpu.lend(BYTES, Purpose::Readback)?);
        Ok(Some(Self { gpu: gpu.clone(), queries, resolved, readback, tallies }))
    }

    fn queries(&self) -> &QuerySet {
        self.queries.as_ref().expect("the queries leave only when dropped")
    }

    fn readback(&self) -> &Lent {
        self.readback.as_ref().expect("the readings leave only when they are read")
    }

    /// What to tell the pass to be measured.
    pub(crate) fn writes(&self) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: self.queries(),
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Records the way of the readings to the host, after the pass.
    pub(crate) fn resolve(&self, encoder: &mut CommandEncoder) {
        let (resolved, readback) = (self.resolved.buffer(), self.readback().buffer());
        encoder.resolve_query_set(self.queries(), 0..2, resolved, 0);
        encoder.copy_buffer_to_buffer(resolved, 0, readback, 0, BYTES);
    }

    /// Asks for the readings, after the submission.
    pub(crate) fn ask(&self) -> Answer {
        Answer::of(self.readback().buffer(), BYTES)
    }

    /// Tells the meters.
    pub(crate) async fn note(mut self, answer: Answer) -> Result<(), GpuError> {
        let mut ticks = [0u64; 2];
        let Some(readback) = self.readback.take() else { return Ok(()) };
        self.gpu.receive(answer, readback, &mut ticks).await?;
        let nanoseconds = f64::from(self.gpu.inner.queue.get_timestamp_period());
        let seconds = ticks[1].saturating_sub(ticks[0]) as f64 * nanoseconds * 1e-9;
        for tally in &self.tallies {
            tally.add(seconds);
        }
        Ok(())
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        let queries = &self.gpu.inner.meters.queries;
        queries.lock().unwrap_or_else(PoisonError::into_inner).extend(self.queries.take());
    }
}
