#[cfg(not(target_arch = "wasm32"))]
use crate::AdapterDescription;
use crate::adapters::{self, AdapterKind};
use crate::bindings::Bindings;
use crate::heaps;
use crate::memory::Memory;
use crate::pipeline::Pipelines;
use crate::pipeline_cache::CacheFile;
use crate::timing::Meters;
use crate::{GpuError, GpuOptions};
use std::fmt;
use std::sync::{Arc, OnceLock};
use wgpu::{Adapter, AdapterInfo, Device, Features, Limits, Queue};

pub(crate) use crate::bindings::Uniform;
pub(crate) use crate::pipeline::{Binding, Pipeline};

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
    pub(crate) memory: Arc<Memory>,
    pub(crate) pipelines: Pipelines,
    pub(crate) bindings: Bindings,
    pub(crate) meters: Meters,
    pub(crate) lost: Arc<OnceLock<String>>,
    #[cfg(target_arch = "wasm32")]
    pub(crate) reports: crate::faults::Reports,
    pub(crate) pipeline_cache: Option<CacheFile>,
    /// How to make it anew; `None` for a device of the host's.
    #[cfg(not(target_arch = "wasm32"))]
    options: Option<GpuOptions>,
}

impl Gpu {
    /// The best adapter of this computer.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is none; never another device in its place.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, GpuError> {
        Self::with(GpuOptions::default())
    }

    /// The adapter wished for, by a [`Preference`](crate::Preference) or by [`GpuOptions`].
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], which lists those there are; [`GpuError::Request`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with(options: impl Into<GpuOptions>) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(options))
    }

    /// As [`Gpu::with`], for programs that must not block. In a browser there is no other way.
    ///
    /// # Errors
    /// As there.
    pub async fn request(options: impl Into<GpuOptions>) -> Result<Self, GpuError> {
        let options = options.into();
        let found = adapters::enumerate().await;
        let names: Vec<String> = found.iter().map(|a| format!("`{}`", a.get_info().name)).collect();
        let adapter =
            adapters::choose(found, &options.adapter).ok_or_else(|| GpuError::NoAdapter {
                wanted: options.adapter.to_string(),
                found: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            })?;
        let (device, queue) = open(&adapter).await?;
        Ok(Self::around(device, queue, Some(options)))
    }

    /// A new device by the same wish, in place of one that was lost. What was bound to the lost
    /// device stays lost.
    ///
    /// # Errors
    /// As [`Gpu::with`]; [`GpuError::Hosted`] for a device that belongs to the program around.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn rebuild(&self) -> Result<Self, GpuError> {
        match &self.inner.options {
            Some(options) => Self::with(options.clone()),
            None => Err(GpuError::Hosted { device: self.name().to_owned() }),
        }
    }

    /// A device that the program around already owns: nothing about it is changed but its handler
    /// for a lost device, and in a browser that for errors.
    ///
    /// Features that the host did not ask for are missing here too: [`Features::SHADER_F64`] for
    /// double precision.
    pub fn from_device(device: Device, queue: Queue) -> Self {
        Self::around(device, queue, None)
    }

    fn around(device: Device, queue: Queue, options: Option<GpuOptions>) -> Self {
        let lost = Arc::new(OnceLock::new());
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            tracing::warn!(?reason, message, "device lost");
            let _ = flag.set(format!("{reason:?}: {message}"));
        });
        let (info, limits, features) = (device.adapter_info(), device.limits(), device.features());
        tracing::debug!(name = info.name, interface = %info.backend, "device opened");
        let folder = options.as_ref().and_then(|options| options.pipeline_folder.as_deref());
        let pipeline_cache = folder.and_then(|folder| CacheFile::open(&device, &info, folder));
        let inner = Inner {
            memory: Arc::default(),
            pipelines: Pipelines::default(),
            bindings: Bindings::default(),
            meters: Meters::default(),
            queue,
            info,
            limits,
            features,
            lost,
            #[cfg(target_arch = "wasm32")]
            reports: crate::faults::Reports::of(&device),
            pipeline_cache,
            #[cfg(not(target_arch = "wasm32"))]
            options,
            device,
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

    /// Why the device is gone, if it is: every call on it is [`GpuError::Lost`] then. It shows when
    /// the device is next used.
    pub fn lost(&self) -> Option<&str> {
        self.inner.lost.get().map(String::as_str)
    }

    /// Bytes of memory that the device has in all, where the driver tells: through Vulkan. For a
    /// software adapter that is the host's memory.
    pub fn memory_bytes(&self) -> Option<u64> {
        heaps::of_device(&self.inner.device).map(|memory| memory.total)
    }

    /// Bytes of memory that this process may still take on the device, where the driver keeps count.
    /// Other programs take from the same, so that a moment later it may be less.
    pub fn free_memory_bytes(&self) -> Option<u64> {
        heaps::of_device(&self.inner.device)?.free
    }

    /// The adapters of this computer.
    #[cfg(not(target_arch = "wasm32"))]
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

    /// How many signals go through at once, so that no array outgrows what a binding can show.
    pub(crate) fn rows_at_once(&self, bytes_per_signal: usize, batch: usize) -> usize {
        let limit = self.inner.limits.max_storage_buffer_binding_size as usize;
        (limit / bytes_per_signal).clamp(1, batch.min(32768))
    }
}

async fn open(adapter: &Adapter) -> Result<(Device, Queue), GpuError> {
    let wanted = Features::SHADER_F64
        | Features::TIMESTAMP_QUERY
        | Features::SUBGROUP
        | Features::PIPELINE_CACHE;
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
