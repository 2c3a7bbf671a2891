use super::memory::heaps;
use std::fmt;
use wgpu::{Adapter, DeviceType, Features};

/// Kind of an adapter, in the order of [`Preference::Best`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum AdapterKind {
    /// A GPU with its own memory.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A GPU seen through a hypervisor.
    Virtual,
    /// Something else.
    Other,
    /// A software implementation on the CPU: correct, but slow.
    Software,
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete GPU",
            Self::Integrated => "integrated GPU",
            Self::Virtual => "virtual GPU",
            Self::Software => "software",
            Self::Other => "other",
        })
    }
}

/// An adapter of this computer, as its driver describes it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AdapterDescription {
    /// Index in the list of [`adapters()`].
    pub index: usize,
    /// Name given by the driver.
    pub name: String,
    /// Graphics interface: `vulkan`, `metal`, `dx12` or `webgpu`.
    pub interface: String,
    /// Name and version of the driver.
    pub driver: String,
    /// Kind of the adapter.
    pub kind: AdapterKind,
    /// Whether shaders have double precision.
    pub f64: bool,
    /// Whether shaders have half precision.
    pub f16: bool,
    /// Whether shaders have subgroup operations.
    pub subgroups: bool,
    /// Whether the device has timestamp queries.
    pub timestamps: bool,
    /// Device memory in bytes, where the driver reports it: through Vulkan. For a software adapter
    /// this is the part of the host's memory that its driver reports.
    pub memory_bytes: Option<u64>,
    /// Largest buffer in bytes.
    pub max_buffer_bytes: u64,
    /// Largest storage buffer binding in bytes.
    pub max_binding_bytes: u64,
    /// Workgroup memory in bytes.
    pub workgroup_bytes: u32,
    /// Most invocations of a workgroup.
    pub workgroup_size: u32,
}

/// Choice of an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Preference {
    /// The most capable one: discrete before integrated before virtual before software.
    #[default]
    Best,
    /// The adapter at this index in the list of [`adapters`].
    Index(usize),
    /// The first adapter whose name contains this text, ignoring case.
    Name(String),
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Best => write!(f, "the best adapter"),
            Self::Index(index) => write!(f, "adapter {index}"),
            Self::Name(name) => write!(f, "an adapter named `{name}`"),
        }
    }
}

/// The adapters of this computer in the driver's order; an empty list if there is none.
#[cfg(not(target_arch = "wasm32"))]
pub fn adapters() -> Vec<AdapterDescription> {
    pollster::block_on(request_adapters())
}

/// [`adapters`] as a future, for programs that must not block, such as those in a browser.
pub async fn request_adapters() -> Vec<AdapterDescription> {
    let adapters = enumerate().await;
    adapters.iter().enumerate().map(|(index, adapter)| describe(index, adapter)).collect()
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    // Without OpenGL, which lists the same devices again, without double precision or timestamps.
    descriptor.backends = wgpu::Backends::PRIMARY;
    wgpu::Instance::new(descriptor)
}

pub(crate) async fn enumerate() -> Vec<Adapter> {
    instance().enumerate_adapters(wgpu::Backends::PRIMARY).await
}

/// The preferred one of these adapters.
pub(crate) fn choose(adapters: Vec<Adapter>, preference: &Preference) -> Option<Adapter> {
    match preference {
        Preference::Index(index) => adapters.into_iter().nth(*index),
        Preference::Name(name) => {
            let name = name.to_lowercase();
            adapters.into_iter().find(|a| a.get_info().name.to_lowercase().contains(&name))
        }
        Preference::Best => adapters.into_iter().min_by_key(|a| kind(a.get_info().device_type)),
    }
}

fn describe(index: usize, adapter: &Adapter) -> AdapterDescription {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    AdapterDescription {
        index,
        name: info.name,
        interface: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        kind: kind(info.device_type),
        f64: features.contains(Features::SHADER_F64),
        f16: features.contains(Features::SHADER_F16),
        subgroups: features.contains(Features::SUBGROUP),
        timestamps: features.contains(Features::TIMESTAMP_QUERY),
        memory_bytes: heaps::of_adapter(adapter).map(|memory| memory.total),
        max_buffer_bytes: limits.max_buffer_size,
        max_binding_bytes: limits.max_storage_buffer_binding_size,
        workgroup_bytes: limits.max_compute_workgroup_storage_size,
        workgroup_size: limits.max_compute_invocations_per_workgroup,
    }
}

pub(crate) fn kind(device_type: DeviceType) -> AdapterKind {
    match device_type {
        DeviceType::DiscreteGpu => AdapterKind::Discrete,
        DeviceType::IntegratedGpu => AdapterKind::Integrated,
        DeviceType::VirtualGpu => AdapterKind::Virtual,
        DeviceType::Cpu => AdapterKind::Software,
        DeviceType::Other => AdapterKind::Other,
    }
}
