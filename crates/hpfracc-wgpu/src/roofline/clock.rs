//! Duration of recorded commands.

use crate::{Gpu, GpuError};
use std::time::{Duration, Instant};
use wgpu::{
    Buffer, BufferUsages, CommandEncoder, ComputePassDescriptor, ComputePassTimestampWrites,
    Features, MapMode, PollType, QuerySet,
};

/// Least duration of a measurement on a hardware device: above the resolution of its clock and the
/// time in which its frequency rises.
pub(super) const LEAST_DURATION: Duration = Duration::from_millis(2);

/// Timestamp queries of the device, or the clock of the host where it has none.
pub(super) enum Clock {
    Device { queries: QuerySet, resolved: Buffer, readback: Buffer },
    Host,
}

/// Size of two timestamps.
const BYTES: u64 = 16;

impl Clock {
    pub(super) fn of(gpu: &Gpu) -> Result<Self, GpuError> {
        if !gpu.has(Features::TIMESTAMP_QUERY) {
            return Ok(Self::Host);
        }
        let device = gpu.open_device();
        let buffer = |usage| device.create_buffer(BYTES, usage);
        Ok(Self::Device {
            queries: device.create_timestamps()?,
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC)?,
            readback: buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
        })
    }

    pub(super) fn is_device(&self) -> bool {
        matches!(self, Self::Device { .. })
    }

    /// Runs the recorded commands and returns their duration in seconds.
    pub(super) fn time(
        &self,
        gpu: &Gpu,
        record: impl FnOnce(&mut CommandEncoder),
    ) -> Result<f64, GpuError> {
        gpu.open_device().watched(0, || {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            match self {
                Self::Device { queries, resolved, readback } => {
                    // Only passes write timestamps: an empty one before and one after.
                    let empty_pass = |beginning, end| ComputePassDescriptor {
                        label: None,
                        timestamp_writes: Some(ComputePassTimestampWrites {
                            query_set: queries,
                            beginning_of_pass_write_index: beginning,
                            end_of_pass_write_index: end,
                        }),
                    };
                    drop(encoder.begin_compute_pass(&empty_pass(None, Some(0))));
                    record(&mut encoder);
                    drop(encoder.begin_compute_pass(&empty_pass(Some(1), None)));
                    encoder.resolve_query_set(queries, 0..2, resolved, 0);
                    encoder.copy_buffer_to_buffer(resolved, 0, readback, 0, BYTES);
                    gpu.queue().submit([encoder.finish()]);
                    let mut ticks = [0u64; 2];
                    read(gpu, readback, bytemuck::cast_slice_mut(&mut ticks))?;
                    let period = f64::from(gpu.queue().get_timestamp_period());
                    Ok(ticks[1].saturating_sub(ticks[0]) as f64 * period * 1e-9)
                }
                Self::Host => {
                    record(&mut encoder);
                    let start = Instant::now();
                    gpu.queue().submit([encoder.finish()]);
                    wait(gpu)?;
                    Ok(start.elapsed().as_secs_f64())
                }
            }
        })
    }
}

/// Waits for the device.
pub(super) fn wait(gpu: &Gpu) -> Result<(), GpuError> {
    gpu.open_device().poll(PollType::wait_indefinitely())
}

/// Waits for the device and copies the first bytes of a buffer.
pub(super) fn read(gpu: &Gpu, buffer: &Buffer, to: &mut [u8]) -> Result<(), GpuError> {
    let slice = buffer.slice(..to.len() as u64);
    slice.map_async(MapMode::Read, |_| ());
    wait(gpu)?;
    let view = slice.get_mapped_range().map_err(|error| gpu.open_device().rejected(&error))?;
    to.copy_from_slice(&view);
    drop(view);
    buffer.unmap();
    Ok(())
}
