//! The peak rate of fused multiply-adds.

use super::clock::{Clock, LEAST_DURATION};
use crate::device::Pipeline;
use crate::{Gpu, GpuError};
use std::sync::Arc;
use wgpu::{Buffer, BufferUsages};

/// Multiply-adds of an invocation in one round: four registers of four lanes.
const LANES: u32 = 16;

const ROUNDS: u32 = 256;

/// Invocations of a workgroup.
const GROUP: u32 = 256;

/// Most workgroups: many times what fills a device.
const MAX_GROUPS: u32 = 32768;

pub(super) struct FmaPeak {
    pipeline: Arc<Pipeline>,
    sink: Buffer,
    rounds: Buffer,
    groups: u32,
}

impl FmaPeak {
    pub(super) fn new(gpu: &Gpu, scalar: &str) -> Result<Self, GpuError> {
        let source = format!("alias real = {scalar};\n{}", include_str!("peak.wgsl"));
        Ok(Self {
            pipeline: gpu.pipeline(&source, "peak")?,
            sink: gpu.open_device().create_buffer(16, BufferUsages::STORAGE)?,
            // The factor is 3/4: no overflow and no subnormal numbers.
            rounds: gpu.uniform([ROUNDS as usize, 3, 4, 0]),
            groups: 4,
        })
    }

    /// Multiply-adds per second.
    pub(super) fn rate(&mut self, gpu: &Gpu, clock: &Clock) -> Result<f64, GpuError> {
        loop {
            let seconds = clock.time(gpu, |encoder| {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                let buffers = [&self.sink, &self.rounds];
                gpu.dispatch(&mut pass, &self.pipeline, &buffers, [self.groups, 1]);
            })?;
            if seconds >= LEAST_DURATION.as_secs_f64() || self.groups >= MAX_GROUPS {
                let operations = [self.groups, GROUP, LANES, ROUNDS].map(f64::from);
                return Ok(operations.iter().product::<f64>() / seconds);
            }
            self.groups *= 2;
        }
    }
}
