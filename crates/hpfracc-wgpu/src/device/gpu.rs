#[cfg(not(target_arch = "wasm32"))]
use super::adapters::AdapterDescription;
use super::adapters::{self, AdapterKind, Preference};
use super::bind_groups::BindGroups;
use super::buffer_pool::{BufferPool, BufferPoolStats, PooledBuffer, Purpose};
use super::memory::MemoryLimit;
use super::memory::heaps;
use super::open_device::OpenDevice;
use super::pipelines::{Pipeline, Pipelines};
use super::timing::{Meter, Meters};
use crate::GpuError;
use hpfracc_equation::wgsl::NumberFormat;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
#[cfg(feature = "networks")]
use wgpu::BufferUsages;
use wgpu::{Adapter, Buffer, ComputePass, Device, Features, Limits, Queue};

/// A device of this computer, opened by this crate or lent by the host program.
///
/// Cloning is cheap: clones share the device, its buffer pool and its compiled shaders.
#[derive(Clone)]
pub struct Gpu {
    inner: Arc<Inner>,
}

struct Inner {
    device: Arc<OpenDevice>,
    bind_groups: Arc<BindGroups>,
    pool: Arc<BufferPool>,
    pipelines: Pipelines,
    meters: Arc<Meters>,
    bytes_read: AtomicU64,
    /// Whether `fma` has one rounding in `f32` and in `f64`, once it was measured.
    fused: [OnceLock<bool>; 2],
    /// The options of [`Gpu::rebuild`]; `None` for a device of the host program.
    #[cfg(not(target_arch = "wasm32"))]
    options: Option<GpuOptions>,
}

/// Options of [`Gpu::with`]. A [`Preference`] alone converts to options.
///
/// ```no_run
/// use hpfracc_wgpu::{Gpu, GpuOptions, Preference};
///
/// let best = Gpu::with(Preference::Best)?;
/// let folder = Some(std::env::temp_dir().join("shaders"));
/// let cached = Gpu::with(GpuOptions { pipeline_folder: folder, ..Default::default() })?;
/// # Ok::<(), hpfracc_wgpu::GpuError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GpuOptions {
    /// Choice of the adapter.
    pub adapter: Preference,
    /// Folder of compiled shaders: what [`Gpu::save_pipelines`] wrote there is loaded. A damaged
    /// file is ignored with a warning in the log.
    ///
    /// The driver trusts the file. Its checksum detects damage but no forgery: only users that the
    /// program trusts may have write access to the folder.
    pub pipeline_folder: Option<PathBuf>,
}

impl From<Preference> for GpuOptions {
    fn from(adapter: Preference) -> Self {
        Self { adapter, pipeline_folder: None }
    }
}

impl From<&Preference> for GpuOptions {
    fn from(adapter: &Preference) -> Self {
        adapter.clone().into()
    }
}

impl Gpu {
    /// Opens the best adapter of this computer.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is none; the CPU never takes its place.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, GpuError> {
        Self::with(GpuOptions::default())
    }

    /// Opens the adapter of a [`Preference`] or of [`GpuOptions`].
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], which lists the adapters of this computer; [`GpuError::Request`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with(options: impl Into<GpuOptions>) -> Result<Self, GpuError> {
        pollster::block_on(Self::request(options))
    }

    /// [`Gpu::with`] as a future, for programs that must not block, such as those in a browser.
    ///
    /// # Errors
    /// Those of [`Gpu::with`].
    pub async fn request(options: impl Into<GpuOptions>) -> Result<Self, GpuError> {
        let options = options.into();
        let found = adapters::enumerate().await;
        let names: Vec<String> = found.iter().map(|a| format!("`{}`", a.get_info().name)).collect();
        let adapter =
            adapters::choose(found, &options.adapter).ok_or_else(|| GpuError::NoAdapter {
                requested: options.adapter.to_string(),
                available: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            })?;
        let (device, queue) = open(&adapter).await?;
        let gpu = Self::around(device, queue, Some(options));
        // Where nothing may block later.
        #[cfg(target_arch = "wasm32")]
        gpu.measure_fused_once(hpfracc_equation::wgsl::NumberFormat::Single).await?;
        Ok(gpu)
    }

    /// Opens a new device with the same options and memory limit, in place of a lost one. Maps
    /// bound on the lost device stay lost.
    ///
    /// # Errors
    /// Those of [`Gpu::with`]; [`GpuError::Hosted`] for a device of the host program; [`GpuError::Lost`] in a
    /// fork of the process that opened it, where drivers do not work.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn rebuild(&self) -> Result<Self, GpuError> {
        if self.inner.device.is_of_another_process() {
            self.inner.device.check_alive()?;
        }
        match &self.inner.options {
            Some(options) => {
                let gpu = Self::with(options.clone())?;
                gpu.pool().set_limit(self.memory_limit());
                Ok(gpu)
            }
            None => Err(GpuError::Hosted { device: self.name().to_owned() }),
        }
    }

    /// Computes on a device that the host program owns. Only its callback for a lost device is
    /// replaced, and in a browser its handler for errors. wgpu has one callback for each device:
    /// of several values made from one device only the last learns of a loss, so make one value
    /// and clone it.
    ///
    /// Features that the host program did not request are missing: [`Features::SHADER_F64`] for
    /// double precision.
    pub fn from_device(device: Device, queue: Queue) -> Self {
        Self::around(device, queue, None)
    }

    fn around(device: Device, queue: Queue, options: Option<GpuOptions>) -> Self {
        let device = Arc::new(OpenDevice::new(device, queue));
        let bind_groups = Arc::new(BindGroups::new(Arc::clone(&device)));
        let folder = options.as_ref().and_then(|options| options.pipeline_folder.as_deref());
        let inner = Inner {
            pool: Arc::new(BufferPool::new(Arc::clone(&device), Arc::clone(&bind_groups))),
            pipelines: Pipelines::new(&device, folder),
            meters: Arc::default(),
            bytes_read: AtomicU64::new(0),
            fused: Default::default(),
            bind_groups,
            device,
            #[cfg(not(target_arch = "wasm32"))]
            options,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Name of the adapter.
    pub fn name(&self) -> &str {
        self.inner.device.name()
    }

    /// Kind of the adapter.
    pub fn kind(&self) -> AdapterKind {
        adapters::kind(self.inner.device.info.device_type)
    }

    /// Reason of the loss of the device, if it is lost: then every call on it fails with
    /// [`GpuError::Lost`]. A loss is detected when the device is next used.
    pub fn lost(&self) -> Option<&str> {
        self.inner.device.lost()
    }

    /// Memory of the device in bytes, where the driver reports it: through Vulkan. For a software
    /// adapter this is the part of the host's memory that its driver reports.
    pub fn memory_bytes(&self) -> Option<u64> {
        heaps::of_device(self.device()).map(|memory| memory.total)
    }

    /// Device memory available to this process in bytes, where the driver reports a budget. Other
    /// programs share it, so the value may change at any time.
    pub fn free_memory_bytes(&self) -> Option<u64> {
        heaps::of_device(self.device())?.free
    }

    /// The adapters of this computer.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn adapters() -> Vec<AdapterDescription> {
        adapters::adapters()
    }

    /// The wgpu device, for a host program that shares it.
    pub fn device(&self) -> &Device {
        &self.inner.device.device
    }

    /// The wgpu queue, for a host program that shares it.
    pub fn queue(&self) -> &Queue {
        &self.inner.device.queue
    }

    /// Counters of the buffer pool since the device was opened.
    pub fn buffer_pool_stats(&self) -> BufferPoolStats {
        self.pool().stats()
    }

    /// Bytes of results that were read from the device since it was opened.
    pub fn bytes_read(&self) -> u64 {
        self.inner.bytes_read.load(Ordering::Relaxed)
    }

    /// Counts bytes that are read.
    pub(super) fn count_read(&self, bytes: u64) {
        self.inner.bytes_read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Limits the memory of this crate's buffers on the device, for all clones of this value.
    ///
    /// A plan that needs more is rejected before anything is bound. A call that would need more
    /// destroys free buffers first, and fails if that does not suffice.
    ///
    /// # Errors
    /// [`GpuError::UnknownMemory`] for a fraction if the driver does not report the device's
    /// memory, [`GpuError::MemoryLimit`] for a fraction outside (0, 1].
    pub fn limit_memory(&self, limit: MemoryLimit) -> Result<(), GpuError> {
        let bytes = limit.bytes(self.name(), self.memory_bytes())?;
        self.pool().set_limit(bytes);
        Ok(())
    }

    /// The limit set by [`Gpu::limit_memory`] in bytes, if there is one.
    pub fn memory_limit(&self) -> Option<u64> {
        self.pool().limit()
    }

    /// Starts to measure shader time on the device.
    ///
    /// # Errors
    /// [`GpuError::MissingFeature`] if the device has no timestamp queries.
    pub fn meter(&self) -> Result<Meter, GpuError> {
        Meter::new(&self.inner.device, &self.inner.meters)
    }

    /// Saves the compiled shaders in the folder of [`GpuOptions::pipeline_folder`] for the next
    /// run. Returns `false` without such a folder and where the interface has no pipeline caches
    /// (all but Vulkan).
    ///
    /// Call it after planning. Dropping the device does not save: a full disk could not be
    /// reported, and a process that is killed drops nothing.
    ///
    /// # Errors
    /// [`GpuError::PipelineFile`] if the file cannot be written.
    pub fn save_pipelines(&self) -> Result<bool, GpuError> {
        self.inner.pipelines.save()
    }

    /// Whether shaders have numbers and integers of 64 bits, which ensembles in double precision need. (Maps need
    /// [`Gpu::f64`] alone.)
    pub fn has_double_precision(&self) -> bool {
        self.has(Features::SHADER_F64 | Features::SHADER_INT64)
    }

    /// The device with its typed errors.
    pub(crate) fn open_device(&self) -> &OpenDevice {
        &self.inner.device
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.device.limits
    }

    pub(crate) fn has(&self, feature: Features) -> bool {
        self.inner.device.features.contains(feature)
    }

    pub(crate) fn pool(&self) -> &Arc<BufferPool> {
        &self.inner.pool
    }

    /// Whether `fma` of the device's numbers in a format has one rounding, once it was measured.
    pub(crate) fn fused(&self, format: NumberFormat) -> &OnceLock<bool> {
        let [single, double] = &self.inner.fused;
        if format == NumberFormat::Double { double } else { single }
    }

    pub(super) fn meters(&self) -> &Arc<Meters> {
        &self.inner.meters
    }

    /// A buffer of the pool of at least `bytes` bytes.
    pub(crate) fn acquire(&self, bytes: u64, purpose: Purpose) -> Result<PooledBuffer, GpuError> {
        self.pool().acquire(bytes, purpose)
    }

    /// The compiled shader of this source.
    pub(crate) fn pipeline(&self, source: &str, entry: &str) -> Result<Arc<Pipeline>, GpuError> {
        self.inner.pipelines.get(source, entry)
    }

    /// A uniform buffer with these four whole numbers.
    pub(crate) fn uniform(&self, values: [usize; 4]) -> Buffer {
        self.inner.bind_groups.uniform(values)
    }

    /// A uniform buffer with these words, which is not shared.
    #[cfg(feature = "networks")]
    pub(crate) fn uniform_words(&self, words: &[u32]) -> Result<Buffer, GpuError> {
        let (device, usage) = (&self.inner.device, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let buffer = device.create_buffer(size_of_val(words) as u64, usage)?;
        device.watched(0, || {
            device.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            Ok(())
        })?;
        Ok(buffer)
    }

    /// Records one dispatch of a shader over a grid of workgroups, with these buffers at bindings
    /// 0, 1, ...
    pub(crate) fn dispatch(
        &self,
        pass: &mut ComputePass<'_>,
        pipeline: &Pipeline,
        buffers: &[&Buffer],
        [x, y]: [u32; 2],
    ) {
        let group = self.inner.bind_groups.group(&pipeline.layout, buffers);
        pass.set_pipeline(&pipeline.compute);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Most signals of one submission: no array exceeds a storage buffer binding.
    pub(crate) fn signals_at_once(&self, bytes_per_signal: usize, batch: usize) -> usize {
        let limit = self.limits().max_storage_buffer_binding_size as usize;
        (limit / bytes_per_signal).clamp(1, batch.min(32768))
    }
}

async fn open(adapter: &Adapter) -> Result<(Device, Queue), GpuError> {
    let optional = Features::SHADER_F64
        | Features::SHADER_F16
        | Features::SHADER_INT64
        | Features::TIMESTAMP_QUERY
        | Features::SUBGROUP
        | Features::PIPELINE_CACHE;
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("hpfracc"),
        required_features: adapter.features() & optional,
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
