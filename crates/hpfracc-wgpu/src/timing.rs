//! The device's own clock: how long work takes there, transfers apart.

use crate::{Gpu, GpuError};
use wgpu::{CommandEncoder, Features, QuerySetDescriptor, QueryType};

impl Gpu {
    /// Seconds that the recorded work takes on the device, by its own clock.
    ///
    /// # Errors
    /// [`GpuError::MissingFeature`] if the clock cannot be read, and what the work reports.
    pub fn device_seconds(
        &self,
        record: impl FnOnce(&mut CommandEncoder) -> Result<(), GpuError>,
    ) -> Result<f64, GpuError> {
        if !self
            .inner
            .features
            .contains(Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
        {
            return Err(GpuError::MissingFeature {
                device: self.name().to_owned(),
                feature: "a clock that can be read",
            });
        }
        let queries = self.inner.device.create_query_set(&QuerySetDescriptor {
            label: None,
            ty: QueryType::Timestamp,
            count: 2,
        });
        let resolved = self.inner.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let readback = self.lend(16, crate::memory::Purpose::Readback)?;
        let mut encoder = self.inner.device.create_command_encoder(&Default::default());
        encoder.write_timestamp(&queries, 0);
        record(&mut encoder)?;
        encoder.write_timestamp(&queries, 1);
        encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, readback.buffer(), 0, 16);
        self.inner.queue.submit([encoder.finish()]);
        let mut ticks = [0u64; 2];
        self.read(readback.buffer(), &mut ticks)?;
        let period = f64::from(self.inner.queue.get_timestamp_period());
        Ok((ticks[1] - ticks[0]) as f64 * period * 1e-9)
    }
}
