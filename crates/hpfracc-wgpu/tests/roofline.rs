//! Peak rates of a device: each measurement returns a finite positive number.

mod device;

use hpfracc_wgpu::{DevicePeaks, Gpu};

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
