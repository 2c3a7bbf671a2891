//! Adapters reported by the drivers.

#[cfg(feature = "gpu")]
use super::units;
#[cfg(feature = "gpu")]
use crate::text::layout::listed;

/// Description of an adapter by its driver.
#[cfg(feature = "gpu")]
pub(super) type Adapter = hpfracc::gpu::AdapterDescription;

/// No adapters in a build without GPU support.
#[cfg(not(feature = "gpu"))]
#[derive(serde::Serialize)]
pub(super) enum Adapter {}

#[cfg(feature = "gpu")]
pub(super) use hpfracc::gpu::adapters as all;

#[cfg(not(feature = "gpu"))]
pub(super) fn all() -> Vec<Adapter> {
    Vec::new()
}

#[cfg(not(feature = "gpu"))]
pub(super) fn as_text(adapter: &Adapter) -> String {
    match *adapter {}
}

#[cfg(feature = "gpu")]
pub(super) fn as_text(adapter: &Adapter) -> String {
    use hpfracc::gpu::AdapterKind;
    let kind = match adapter.kind {
        AdapterKind::Software => "software: runs on the processor, for correctness only".to_owned(),
        kind => kind.to_string(),
    };
    let has = |name: &str, there: bool| format!("{name} {}", if there { "yes" } else { "no" });
    let shaders = [
        has("f64", adapter.f64),
        has("f16", adapter.f16),
        has("subgroups", adapter.subgroups),
        has("timestamps", adapter.timestamps),
    ];
    let limits = format!(
        "buffer {}, binding {}, workgroup {} invocations and {}",
        units::bytes(adapter.max_buffer_bytes),
        units::bytes(adapter.max_binding_bytes),
        adapter.workgroup_size,
        units::bytes(u64::from(adapter.workgroup_bytes))
    );
    let memory = adapter.memory_bytes.map_or_else(|| "unknown".to_owned(), units::bytes);
    listed(
        &format!("adapter {}  {}", adapter.index, adapter.name),
        &[
            ("kind", kind),
            ("interface", format!("{}, driver {}", adapter.interface, adapter.driver)),
            ("memory", memory),
            ("shaders", shaders.join(", ")),
            ("limits", limits),
        ],
    )
}
