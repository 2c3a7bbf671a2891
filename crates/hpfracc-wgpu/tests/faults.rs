//! Failing devices and memory limits: typed errors, and the process continues.

mod device;

use hpfracc_backend::{Backend, BackendError, Workload};
use hpfracc_wgpu::{Fft, Gpu, GpuError, MemoryLimit, Preference, adapters};
use std::error::Error;

const WORKLOAD: Workload = Workload::CausalConvolution { len: 100, batch: 1 };

/// The device's error inside that of a backend.
fn cause(error: &BackendError) -> &GpuError {
    error
        .source()
        .and_then(|source| source.downcast_ref())
        .expect("the error has a GpuError as its source")
}

fn error_text(error: &BackendError) -> String {
    cause(error).to_string()
}

#[test]
fn a_missing_adapter_is_an_error_that_lists_the_others() {
    for preference in [Preference::Index(99), Preference::Name("psychic".to_owned())] {
        let error = Gpu::with(&preference).unwrap_err();
        assert!(matches!(error, GpuError::NoAdapter { .. }), "{error}");
        let text = error.to_string();
        for adapter in adapters() {
            assert!(text.contains(&adapter.name), "{text}");
        }
    }
}

#[test]
fn a_lost_device_returns_an_error_and_can_be_rebuilt() {
    let Some(gpu) = device::gpu("a_lost_device") else { return };
    let map = Fft::new(&gpu.f32()).plan(WORKLOAD).unwrap().bind(&[1.0; 100]).unwrap();
    let (x, mut y) = ([0.5; 100], [0.0; 100]);
    map.apply(&x, &mut y).unwrap();
    gpu.limit_memory(MemoryLimit::Bytes(1 << 20)).unwrap();
    assert_eq!(gpu.lost(), None);
    gpu.device().destroy();
    let error = map.apply(&x, &mut y).unwrap_err();
    assert!(matches!(cause(&error), GpuError::Lost { .. }), "{error:?}");
    assert!(gpu.lost().is_some_and(|reason| error_text(&error).contains(reason)));
    assert!(!error.is_bad_input());
    assert!(Fft::new(&gpu.f32()).plan(Workload::CausalConvolution { len: 7, batch: 1 }).is_err());
    let again = gpu.rebuild().unwrap();
    assert_eq!((again.lost(), again.memory_limit()), (None, Some(1 << 20)));
    let map = Fft::new(&again.f32()).plan(WORKLOAD).unwrap().bind(&[1.0; 100]).unwrap();
    map.apply(&x, &mut y).unwrap();
    assert!((y[99] - 50.0).abs() < 1e-3);
}

#[test]
fn a_device_of_the_host_program_is_not_rebuilt() {
    let Some(gpu) = device::gpu("a_device_of_the_host") else { return };
    let hosted = Gpu::from_device(gpu.device().clone(), gpu.queue().clone());
    assert!(matches!(hosted.rebuild(), Err(GpuError::Hosted { .. })));
}

#[test]
fn a_memory_limit_is_respected() {
    let Some(gpu) = device::gpu("a_memory_limit") else { return };
    let fft = Fft::new(&gpu.f32());
    let small = fft.plan(WORKLOAD).unwrap().bind(&[1.0; 100]).unwrap();
    let (x, mut y) = ([0.5; 100], [0.0; 100]);
    small.apply(&x, &mut y).unwrap();
    let limit = gpu.buffer_pool_stats().bytes + 10_000;
    gpu.limit_memory(MemoryLimit::Bytes(limit)).unwrap();
    let large = Workload::CausalConvolution { len: 4096, batch: 64 };
    let error = fft.plan(large).err().expect("a plan beyond the limit is rejected");
    assert!(matches!(error, BackendError::Memory { .. }), "{error}");
    // Free buffers are destroyed before a call is rejected.
    small.apply(&x, &mut y).unwrap();
    assert!(gpu.buffer_pool_stats().bytes <= limit);
    gpu.limit_memory(MemoryLimit::None).unwrap();
    assert!(fft.plan(large).is_ok());
}

#[test]
fn a_lost_device_does_not_affect_others() {
    let Some(gpu) = device::gpu("a_lost_device_does_not_affect_others") else { return };
    let other = gpu.rebuild().unwrap();
    let bind = |gpu: &Gpu| Fft::new(&gpu.f32()).plan(WORKLOAD).unwrap().bind(&[1.0; 100]).unwrap();
    let (lost, usable) = (bind(&gpu), bind(&other));
    let (x, mut y) = ([0.5; 100], [0.0; 100]);
    gpu.device().destroy();
    for _ in 0..3 {
        let error = lost.apply(&x, &mut y).unwrap_err();
        assert!(matches!(cause(&error), GpuError::Lost { .. }), "{error:?}");
        usable.apply(&x, &mut y).unwrap();
        assert!((y[99] - 50.0).abs() < 1e-3);
    }
}

#[test]
fn a_call_beyond_the_limit_fails_and_the_next_one_succeeds() {
    let Some(gpu) = device::gpu("a_call_beyond_the_limit") else { return };
    let map = Fft::new(&gpu.f32()).plan(WORKLOAD).unwrap().bind(&[1.0; 100]).unwrap();
    let (x, mut y) = ([0.5; 100], [0.0; 100]);
    gpu.limit_memory(MemoryLimit::Bytes(1)).unwrap();
    let error = map.apply(&x, &mut y).unwrap_err();
    assert!(matches!(cause(&error), GpuError::Limit { limit: 1, .. }), "{error:?}");
    gpu.limit_memory(MemoryLimit::None).unwrap();
    map.apply(&x, &mut y).unwrap();
    assert!((y[99] - 50.0).abs() < 1e-3);
}

#[test]
fn a_loss_during_calls_reaches_all_threads() {
    let Some(gpu) = device::gpu("a_loss_during_calls_reaches_all_threads") else { return };
    let workload = Workload::CausalConvolution { len: 3000, batch: 4 };
    let map = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&[1.0; 3000]).unwrap();
    let running = std::sync::Barrier::new(9);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (x, mut y) = (vec![0.5; 12_000], vec![0.0; 12_000]);
                running.wait();
                let error = loop {
                    match map.apply(&x, &mut y) {
                        // A result is complete or an error.
                        Ok(()) => assert!((y[11_999] / 1500.0 - 1.0).abs() < 1e-4, "{}", y[11_999]),
                        Err(error) => break error,
                    }
                };
                assert!(matches!(cause(&error), GpuError::Lost { .. }), "{error:?}");
            });
        }
        running.wait();
        std::thread::sleep(std::time::Duration::from_millis(20));
        gpu.device().destroy();
    });
}
