use crate::adapters::{self, AdapterKind, Preference};
use crate::memory::Memory;
use crate::{AdapterDescription, GpuError};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wgpu::{
    Adapter, AdapterInfo, BindGroupDescriptor, BindGroupEntry, BindGroupLayout,
    BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, Buffer, BufferBindingType,
    BufferDescriptor, BufferUsages, CommandEncoder, ComputePipeline, Device, Features, Limits,
    Queue, ShaderStages,
};

/// A device of this computer, or one lent by the program around, ready to compute.
///
/// Cloning is cheap: clones share the device, its buffers and its compiled shaders.
#[derive(Clone)]
pub struct Gpu {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) info: AdapterInfo,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    pub(crate) memory: Memory,
    pipelines: Mutex<HashMap<String, Arc<Pipeline>>>,
    pub(crate) lost: Arc<OnceLock<String>>,
    wish: Option<Preference>,
}

/// A compiled shader and the layout of its bindings.
pub(crate) struct Pipeline {
    pub(crate) compute: ComputePipeline,
    pub(crate) layout: BindGroupLayout,
}

impl Gpu {
    /// The best adapter of this computer.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is none; never another device in its place.
    pub fn new() -> Result<Self, GpuError> {
        Self::with(&Preference::Best)
    }

    /// The adapter wished for.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], which lists those there are; [`GpuError::Request`].
    pub fn with(wish: &Preference) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(wish))
    }

    /// As [`Gpu::with`], for programs that must not block, such as those in a browser.
    ///
    /// # Errors
    /// As there.
    pub async fn request(wish: &Preference) -> Result<Self, GpuError> {
        let found = adapters::enumerate().await;
        let names: Vec<String> = found.iter().map(|a| format!("`{}`", a.get_info().name)).collect();
        let adapter = adapters::choose(found, wish).ok_or_else(|| GpuError::NoAdapter {
            wanted: wish.to_string(),
            found: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
        })?;
        let (device, queue) = open(&adapter).await?;
        Ok(Self::around(device, queue, Some(wish.clone())))
    }

    /// A new device on the same adapter, in place of one that was lost. What was bound to the lost
    /// device stays lost.
    ///
    /// # Errors
    /// As [`Gpu::with`]; [`GpuError::Hosted`] for a device that belongs to the program around.
    pub fn rebuild(&self) -> Result<Self, GpuError> {
        match &self.inner.wish {
            Some(wish) => Self::with(wish),
            None => Err(GpuError::Hosted { device: self.name().to_owned() }),
        }
    }

    /// A device that the program around already owns: nothing about it is changed but its handler
    /// for a lost device.
    ///
    /// Features that the host did not ask for are missing here too: [`Features::SHADER_F64`] for
    /// double precision.
    pub fn from_device(device: Device, queue: Queue) -> Self {
        Self::around(device, queue, None)
    }

    fn around(device: Device, queue: Queue, wish: Option<Preference>) -> Self {
        let lost = Arc::new(OnceLock::new());
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            let _ = flag.set(format!("{reason:?}: {message}"));
        });
        let (info, limits, features) = (device.adapter_info(), device.limits(), device.features());
        let inner = Inner {
            memory: Memory::default(),
            device,
            queue,
            info,
            limits,
            features,
            pipelines: Mutex::new(HashMap::new()),
            lost,
            wish,
        };
        Self { inner: Arc::new(inner) }
    }

    /// The name that the driver gives the adapter.
    pub fn name(&self) -> &str {
        &self.inner.info.name
    }

    /// What kind of thing the adapter is.
    pub fn kind(&self) -> AdapterKind {
        adapters::kind(self.inner.info.device_type)
    }

    /// The adapters of this computer.
    pub fn adapters() -> Vec<AdapterDescription> {
        adapters::adapters()
    }

    /// The device, for a host that shares it.
    pub fn device(&self) -> &Device {
        &self.inner.device
    }

    /// The queue, for a host that shares it.
    pub fn queue(&self) -> &Queue {
        &self.inner.queue
    }

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
            cache: None,
        });
        Pipeline { compute, layout }
    }
}

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

/// A few whole numbers that all invocations see.
pub(crate) struct Uniform(Buffer);

impl Uniform {
    pub(crate) fn new(gpu: &Gpu, values: [usize; 4]) -> Self {
        let words = values.map(|value| value as u32);
        let buffer = gpu.inner.device.create_buffer(&BufferDescriptor {
            label: None,
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.inner.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&words));
        Self(buffer)
    }

    pub(crate) fn buffer(&self) -> &Buffer {
        &self.0
    }
}

impl Gpu {
    /// Records one run of a shader over a grid of workgroups, with these buffers at 0, 1, ...
    pub(crate) fn dispatch(
        &self,
        encoder: &mut CommandEncoder,
        pipeline: &Pipeline,
        buffers: &[&Buffer],
        [x, y]: [u32; 2],
    ) {
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(buffers)
            .map(|(binding, b)| BindGroupEntry { binding, resource: b.as_entire_binding() })
            .collect();
        let bindings = self.inner.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &pipeline.layout,
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline.compute);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// How many signals go through at once, so that no array outgrows what a binding can show.
    pub(crate) fn rows_at_once(&self, bytes_per_signal: usize, batch: usize) -> usize {
        let limit = self.inner.limits.max_storage_buffer_binding_size as usize;
        (limit / bytes_per_signal).clamp(1, batch.min(32768))
    }
}

async fn open(adapter: &Adapter) -> Result<(Device, Queue), GpuError> {
    let wanted = Features::SHADER_F64
        | Features::TIMESTAMP_QUERY
        | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | Features::SUBGROUP;
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("hpfracc"),
        required_features: adapter.features() & wanted,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    adapter
        .request_device(&descriptor)
        .await
        .map_err(|source| GpuError::Request { adapter: adapter.get_info().name, source })
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("name", &self.name()).field("kind", &self.kind()).finish()
    }
}
