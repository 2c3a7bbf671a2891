//! Compiled shaders, by their source.

use super::open_device::{OpenDevice, locked};
use super::pipeline_cache::PipelineCacheFile;
use crate::GpuError;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType,
    BufferBindingType, ComputePipeline, ShaderStages,
};

/// A compiled shader and the layout of its bindings.
pub(crate) struct Pipeline {
    pub(crate) compute: ComputePipeline,
    pub(crate) layout: BindGroupLayout,
}

/// The compiled shaders of a device.
pub(crate) struct Pipelines {
    device: Arc<OpenDevice>,
    file: Option<PipelineCacheFile>,
    by_source: Mutex<HashMap<String, Arc<Pipeline>>>,
}

impl Pipelines {
    /// The pipelines of a device, with the compiled shaders that an earlier run saved in `folder`.
    pub(crate) fn new(device: &Arc<OpenDevice>, folder: Option<&Path>) -> Self {
        let open = |folder: &Path| PipelineCacheFile::open(&device.device, &device.info, folder);
        Self {
            device: Arc::clone(device),
            file: folder.and_then(open),
            by_source: Mutex::default(),
        }
    }

    /// The compiled shader of this source, compiled at the first request.
    pub(crate) fn get(&self, source: &str, entry: &str) -> Result<Arc<Pipeline>, GpuError> {
        self.device.check_alive()?;
        let mut by_source = locked(&self.by_source);
        let key = format!("{entry}\n{source}");
        if let Some(pipeline) = by_source.get(&key) {
            return Ok(Arc::clone(pipeline));
        }
        let pipeline = self.device.watched(0, || Ok(self.compile(source, entry)))?;
        let pipeline = Arc::new(pipeline);
        by_source.insert(key, Arc::clone(&pipeline));
        Ok(pipeline)
    }

    fn compile(&self, source: &str, entry: &str) -> Pipeline {
        let device = &self.device.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        // Explicit, because a layout derived by wgpu omits bindings that a size does not use.
        let entries: Vec<BindGroupLayoutEntry> = source.lines().filter_map(layout_entry).collect();
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
                // All shaders of this crate write workgroup memory before they read it.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: self.file.as_ref().map(|file| &file.cache),
        });
        Pipeline { compute, layout }
    }

    /// Writes the compiled shaders to the file of the cache; `false` without one.
    pub(crate) fn save(&self) -> Result<bool, GpuError> {
        self.file.as_ref().map_or(Ok(false), |file| file.save().map(|()| true))
    }
}

/// The layout of a binding from its declaration, a line of WGSL.
fn layout_entry(line: &str) -> Option<BindGroupLayoutEntry> {
    let (binding, kind) = line.strip_prefix("@group(0) @binding(")?.split_once(") var<")?;
    let ty = match kind.split_once('>')?.0 {
        "uniform" => BufferBindingType::Uniform,
        access => BufferBindingType::Storage { read_only: access == "storage, read" },
    };
    Some(BindGroupLayoutEntry {
        binding: binding.parse().ok()?,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    })
}
