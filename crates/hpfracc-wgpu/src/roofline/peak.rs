//! The peak rate of fused multiply-adds.

use super::clock::{Clock, LEAST_DURATION};
use crate::{Gpu, GpuError};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BufferDescriptor, BufferUsages, ComputePipeline,
};

/// Multiply-adds of an invocation in one round: four registers of four lanes.
const LANES: u32 = 16;

const ROUNDS: u32 = 256;

/// Invocations of a workgroup.
const GROUP: u32 = 256;

/// Most workgroups: many times what fills a device.
const MAX_GROUPS: u32 = 32768;

pub(super) struct FmaPeak {
    pipeline: ComputePipeline,
    bindings: BindGroup,
    groups: u32,
}

impl FmaPeak {
    pub(super) fn new(gpu: &Gpu, scalar: &str) -> Result<Self, GpuError> {
        let device = gpu.device();
        gpu.open_device().watched(0, || {
            let source = format!("alias real = {scalar};\n{}", include_str!("peak.wgsl"));
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("peak"),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("peak"),
                layout: None,
                module: &module,
                entry_point: Some("peak"),
                compilation_options: Default::default(),
                cache: None,
            });
            let buffer = |usage| {
                device.create_buffer(&BufferDescriptor {
                    label: None,
                    size: 16,
                    usage,
                    mapped_at_creation: false,
                })
            };
            let sink = buffer(BufferUsages::STORAGE);
            let rounds = buffer(BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            // The factor is 3/4: no overflow and no subnormal numbers.
            gpu.queue().write_buffer(&rounds, 0, bytemuck::cast_slice(&[ROUNDS, 3, 4, 0]));
            let entry = |binding, resource| BindGroupEntry { binding, resource };
            let bindings = device.create_bind_group(&BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[
                    entry(0, sink.as_entire_binding()),
                    entry(1, rounds.as_entire_binding()),
                ],
            });
            Ok(Self { pipeline, bindings, groups: 4 })
        })
    }

    /// Multiply-adds per second.
    pub(super) fn rate(&mut self, gpu: &Gpu, clock: &Clock) -> Result<f64, GpuError> {
        loop {
            let seconds = clock.time(gpu, |encoder| {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&self.pipeline);
                pass.set_bind_group(0, &self.bindings, &[]);
                pass.dispatch_workgroups(self.groups, 1, 1);
            })?;
            if seconds >= LEAST_DURATION.as_secs_f64() || self.groups >= MAX_GROUPS {
                let operations = [self.groups, GROUP, LANES, ROUNDS].map(f64::from);
                return Ok(operations.iter().product::<f64>() / seconds);
            }
            self.groups *= 2;
        }
    }
}
