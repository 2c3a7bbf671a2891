//! How long recorded work takes.

use super::{read, wait};
use crate::{Gpu, GpuError};
use std::time::Instant;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePassDescriptor,
    ComputePassTimestampWrites, Features, QuerySet, QuerySetDescriptor, QueryType,
};

/// The device's own clock, or the host's where the device has none.
pub(super) enum Clock {
    Own { queries: QuerySet, resolved: Buffer, readback: Buffer },
    Host,
}

/// Two counts of ticks.
const BYTES: u64 = 16;

impl Clock {
    pub(super) fn of(gpu: &Gpu) -> Self {
        if !gpu.device().features().contains(Features::TIMESTAMP_QUERY) {
            return Self::Host;
        }
        let buffer = |usage| {
            let descriptor =
                BufferDescriptor { label: None, size: BYTES, usage, mapped_at_creation: false };
            gpu.device().create_buffer(&descriptor)
        };
        Self::Own {
            queries: gpu.device().create_query_set(&QuerySetDescriptor {
                label: None,
                ty: QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            readback: buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        }
    }

    pub(super) fn is_own(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Does what is recorded and tells its seconds.
    pub(super) fn time(
        &self,
        gpu: &Gpu,
        record: impl FnOnce(&mut CommandEncoder),
    ) -> Result<f64, GpuError> {
        gpu.watched(0, || {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            match self {
                Self::Own { queries, resolved, readback } => {
                    // Only a pass can read the clock: one without work stands before and one behind.
                    let reading = |beginning, end| ComputePassDescriptor {
                        label: None,
                        timestamp_writes: Some(ComputePassTimestampWrites {
                            query_set: queries,
                            beginning_of_pass_write_index: beginning,
                            end_of_pass_write_index: end,
                        }),
                    };
                    drop(encoder.begin_compute_pass(&reading(None, Some(0))));
                    record(&mut encoder);
                    drop(encoder.begin_compute_pass(&reading(Some(1), None)));
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
