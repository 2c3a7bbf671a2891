//! Compiled shaders, and how they are run.

use crate::{Gpu, GpuError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, Buffer,
    BufferBindingType, ComputePass, ComputePipeline, ShaderStages,
};

/// A compiled shader and the layout of its bindings.
pub(crate) struct Pipeline {
    pub(crate) compute: ComputePipeline,
    pub(crate) layout: BindGroupLayout,
}

/// The compiled shaders of a device, by their text.
pub(crate) type Pipelines = Mutex<HashMap<String, Arc<Pipeline>>>;

/// What a shader finds at a binding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding {
    /// An array that it reads.
    Read,
    /// An array that it writes.
    Write,
    /// A few numbers, the same for all invocations.
    Uniform,
}

impl Gpu {
    /// The compiled shader with this text, compiled when first asked for.
    ///
    /// `bindings` says what stands at 0, 1, ...: written out, because a layout read from the shader
    /// leaves out what a size happens not to use.
    pub(crate) fn pipeline(
        &self,
        source: &str,
        entry: &str,
        bindings: &[Binding],
    ) -> Result<Arc<Pipeline>, GpuError> {
        self.check_alive()?;
        let mut pipelines = self.inner.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{entry}\n{source}");
        if let Some(pipeline) = pipelines.get(&key) {
            return Ok(Arc::clone(pipeline));
        }
        let pipeline = self.watched(0, || Ok(self.compile(source, entry, bindings)))?;
        let pipeline = Arc::new(pipeline);
        pipelines.insert(key, Arc::clone(&pipeline));
        Ok(pipeline)
    }

    fn compile(&self, source: &str, entry: &str, bindings: &[Binding]) -> Pipeline {
        let device = &self.inner.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let entries: Vec<BindGroupLayoutEntry> = (0..).zip(bindings).map(entry_of).collect();
        let layout = device.create_bind_group_layout(&BindGroupLayoutDescriptor {
            label: Some(entry),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(entry),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let compute = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every shader here writes workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: self.inner.pipeline_cache.as_ref().map(|file| &file.cache),
        });
        Pipeline { compute, layout }
    }

    /// Records one run of a shader over a grid of workgroups, with these buffers at 0, 1, ...
    pub(crate) fn dispatch(
        &self,
        pass: &mut ComputePass<'_>,
        pipeline: &Pipeline,
        buffers: &[&Buffer],
        [x, y]: [u32; 2],
    ) {
        let group = self.bind_group(&pipeline.layout, buffers);
        pass.set_pipeline(&pipeline.compute);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
}

fn entry_of((binding, what): (u32, &Binding)) -> BindGroupLayoutEntry {
    let ty = match what {
        Binding::Read => BufferBindingType::Storage { read_only: true },
        Binding::Write => BufferBindingType::Storage { read_only: false },
        Binding::Uniform => BufferBindingType::Uniform,
    };
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}
