//! Descriptions of adapters.

mod device;

use hpfracc_wgpu::{AdapterKind, adapters};

#[test]
fn descriptions_match_the_device() {
    let Some(gpu) = device::gpu("descriptions_match_the_device") else { return };
    let adapters = adapters();
    let adapter = adapters.iter().find(|adapter| adapter.name == gpu.name()).expect("it is listed");
    assert_eq!(adapter.kind, gpu.kind());
    assert_eq!(adapter.memory_bytes, gpu.memory_bytes());
    assert_eq!(adapter.max_buffer_bytes, gpu.device().limits().max_buffer_size);
    assert_eq!(adapter.f64, gpu.f64().is_ok());
    assert_eq!(adapter.timestamps, gpu.meter().is_ok());
    if let Some(memory) = adapter.memory_bytes {
        // In bytes, not in KiB or pages, and initialised.
        assert!((1 << 26..1 << 44).contains(&memory), "{memory}");
    }
    let by_index: Vec<usize> = adapters.iter().map(|adapter| adapter.index).collect();
    assert_eq!(by_index, (0..adapters.len()).collect::<Vec<_>>());
}

#[test]
fn kinds_have_names() {
    assert_eq!(AdapterKind::Discrete.to_string(), "discrete GPU");
    assert_eq!(AdapterKind::Software.to_string(), "software");
}

#[cfg(feature = "serde")]
#[test]
fn descriptions_serialise_to_json() {
    if device::gpu("descriptions_serialise_to_json").is_none() {
        return;
    }
    for adapter in adapters() {
        let json = serde_json::to_value(&adapter).unwrap();
        assert_eq!(json["name"], adapter.name.as_str());
        assert_eq!(json["f64"], adapter.f64);
        assert_eq!(json["memory_bytes"].as_u64(), adapter.memory_bytes);
    }
    assert_eq!(serde_json::to_value(AdapterKind::Software).unwrap(), "software");
    assert_eq!(serde_json::to_value(AdapterKind::Discrete).unwrap(), "discrete");
}
