//! The measurements of a device's limits: each comes back with a number.

mod device;

use hpfracc_wgpu::{Floors, Gpu};

fn check(gpu: &Gpu) {
    let mut floors = Floors::new(gpu, 1 << 20).unwrap();
    let found = [
        floors.empty_submit().unwrap(),
        floors.copy().unwrap(),
        floors.upload().unwrap(),
        floors.download().unwrap(),
        floors.products().unwrap(),
        floors.double_products().unwrap().unwrap_or(1.0),
    ];
    // Of a clock that stands still a rate would be infinite.
    assert!(found.iter().all(|rate| *rate > 0.0 && rate.is_finite()), "{found:?}");
}

#[test]
fn every_floor_is_measured() {
    let Some(gpu) = device::gpu("every_floor_is_measured") else { return };
    check(&gpu);
}

/// A host that asked for no clock and no double precision.
#[test]
fn a_plain_device_is_measured_by_the_clock_of_the_host() {
    if device::gpu("a_plain_device").is_none() {
        return;
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).unwrap();
    let plain = Gpu::from_device(device, queue);
    let mut floors = Floors::new(&plain, 1 << 20).unwrap();
    assert!(!floors.by_own_clock());
    assert_eq!(floors.double_products().unwrap(), None);
    check(&plain);
}
