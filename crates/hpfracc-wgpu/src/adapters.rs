use crate::heaps;
use std::fmt;
use wgpu::{Adapter, DeviceType, Features};

/// What kind of thing an adapter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum AdapterKind {
    /// A GPU with its own memory.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A GPU seen through a hypervisor.
    Virtual,
    /// The processor itself, pretending: right, and never fast.
    Software,
    /// Something else.
    Other,
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
    /// Position in the list of [`adapters()`].
    pub index: usize,
    /// The driver's name for it.
    pub name: String,
    /// The interface through which it is reached: `vulkan`, `metal`, `dx12`, `webgpu`.
    pub interface: String,
    /// Name and version of the driver.
    pub driver: String,
    /// What kind of thing it is.
    pub kind: AdapterKind,
    /// Whether shaders may compute in double precision.
    pub f64: bool,
    /// Whether shaders may compute in half precision.
    pub f16: bool,
    /// Whether invocations of a subgroup may exchange values.
    pub subgroups: bool,
    /// Whether the device's own clock can be read.
    pub timestamps: bool,
    /// Memory of the device in bytes, where the driver tells: through Vulkan. A software adapter has
    /// as much of the host's as its driver says.
    pub memory_bytes: Option<u64>,
    /// Largest buffer in bytes.
    pub max_buffer_bytes: u64,
    /// Largest part of a buffer that a shader may see at once, in bytes.
    pub max_binding_bytes: u64,
    /// Memory that the invocations of a workgroup share, in bytes.
    pub workgroup_bytes: u32,
    /// Largest number of invocations in a workgroup.
    pub workgroup_size: u32,
}

/// A wish for an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Preference {
    /// The most capable one: discrete before integrated before virtual before software.
    #[default]
    Best,
    /// The one at this position in the list of [`adapters`].
    Index(usize),
    /// The first one whose name contains this, whatever the case.
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

/// The adapters of this computer, in the driver's order. Where there is none the list is empty.
#[cfg(not(target_arch = "wasm32"))]
pub fn adapters() -> Vec<AdapterDescription> {
    pollster::block_on(request_adapters())
}

/// As [`adapters`], for programs that must not block. In a browser there is no other way.
pub async fn request_adapters() -> Vec<AdapterDescription> {
    let found = enumerate().await;
    found.iter().enumerate().map(|(index, adapter)| describe(index, adapter)).collect()
}

pub(crate) fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    // OpenGL has neither double precision nor its own clock, and lists the same devices again.
    descriptor.backends = wgpu::Backends::PRIMARY;
    wgpu::Instance::new(descriptor)
}

pub(crate) async fn enumerate() -> Vec<Adapter> {
    instance().enumerate_adapters(wgpu::Backends::PRIMARY).await
}

/// The adapter wished for, with its position.
pub(crate) fn choose(found: Vec<Adapter>, wish: &Preference) -> Option<Adapter> {
    match wish {
        Preference::Index(index) => found.into_iter().nth(*index),
        Preference::Name(name) => {
            let name = name.to_lowercase();
            found.into_iter().find(|a| a.get_info().name.to_lowercase().contains(&name))
        }
        Preference::Best => found.into_iter().min_by_key(|a| match a.get_info().device_type {
            DeviceType::DiscreteGpu => 0,
            DeviceType::IntegratedGpu => 1,
            DeviceType::VirtualGpu => 2,
            DeviceType::Other => 3,
            DeviceType::Cpu => 4,
        }),
    }
}

pub(crate) fn describe(index: usize, adapter: &Adapter) -> AdapterDescription {
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
