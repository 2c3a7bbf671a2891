//! Descriptions of adapters, and peak rates of their devices: each measurement returns a finite
//! positive number.

mod device;

use hpfracc_wgpu::{AdapterKind, DevicePeaks, Gpu, adapters};

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

fn check(gpu: &Gpu) {
    let mut peaks = DevicePeaks::new(gpu, 1 << 20).unwrap();
    let rates = [
        peaks.submission_latency().unwrap(),
        peaks.copy_bandwidth().unwrap(),
        peaks.upload_bandwidth().unwrap(),
        peaks.download_bandwidth().unwrap(),
        peaks.f32_fma_rate().unwrap(),
        peaks.f64_fma_rate().unwrap().unwrap_or(1.0),
    ];
    // A clock without progress would give an infinite rate.
    assert!(rates.iter().all(|rate| *rate > 0.0 && rate.is_finite()), "{rates:?}");
}

#[test]
fn all_peaks_are_measured() {
    let Some(gpu) = device::gpu("all_peaks_are_measured") else { return };
    check(&gpu);
}

/// A host program that requested neither timestamps nor double precision.
#[test]
fn a_device_without_timestamps_uses_the_clock_of_the_host() {
    if device::gpu("a_device_without_timestamps").is_none() {
        return;
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).unwrap();
    let plain = Gpu::from_device(device, queue);
    let mut peaks = DevicePeaks::new(&plain, 1 << 20).unwrap();
    assert!(!peaks.has_device_clock());
    assert_eq!(peaks.f64_fma_rate().unwrap(), None);
    check(&plain);
}
