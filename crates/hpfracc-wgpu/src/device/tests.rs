//! Errors of the driver and the buffer pool on a device.

use super::{Gpu, Purpose};
use crate::GpuError;
use wgpu::{BufferUsages, Error, MapMode};

/// The best adapter, or `None` with a message that the test was skipped. With
/// `HPFRACC_REQUIRE_GPU=1` a missing adapter is a failure.
pub(crate) fn gpu(test: &str) -> Option<Gpu> {
    match Gpu::new() {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. })
            if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") =>
        {
            println!("skipped: {test}: no adapter");
            None
        }
        Err(error) => panic!("{test}: {error}"),
    }
}

#[test]
fn an_invalid_call_is_rejected_and_the_device_stays_usable() {
    let Some(gpu) = gpu("an_invalid_call_is_rejected") else { return };
    let create = |size, usage| gpu.open_device().create_buffer(size, usage);
    let beyond = gpu.limits().max_buffer_size + 4;
    let error = create(beyond, BufferUsages::STORAGE).unwrap_err();
    assert!(matches!(error, GpuError::Rejected { .. }), "{error:?}");
    assert!(error.to_string().contains(&beyond.to_string()), "{error}");
    let error = create(4, BufferUsages::MAP_READ | BufferUsages::STORAGE).unwrap_err();
    assert!(matches!(error, GpuError::Rejected { .. }), "{error:?}");
    let error = gpu.pipeline("fn nothing() -> u32 {}", "nothing").err();
    assert!(matches!(error, Some(GpuError::Rejected { .. })), "{error:?}");
    assert!(create(4, BufferUsages::STORAGE).is_ok());
}

#[test]
fn exhausted_memory_has_its_own_error() {
    let Some(gpu) = gpu("exhausted_memory_has_its_own_error") else { return };
    let report = Error::OutOfMemory { source: "no memory left".into() };
    let error = gpu.open_device().error_of(&report, 1 << 40);
    assert!(matches!(error, GpuError::OutOfMemory { bytes, .. } if bytes == 1 << 40));
}

#[test]
fn a_buffer_with_an_abandoned_mapping_is_not_reused() {
    let Some(gpu) = gpu("a_buffer_with_an_abandoned_mapping") else { return };
    let buffer = gpu.acquire(256, Purpose::Readback).unwrap();
    buffer.buffer().map_async(MapMode::Read, .., |_| ());
    // As if the future that waits for it were dropped.
    drop(buffer);
    let next = gpu.acquire(256, Purpose::Readback).unwrap();
    let stats = gpu.buffer_pool_stats();
    assert_eq!((stats.misses, stats.bytes), (2, 256));
    let again = gpu.open_device().watched(256, || {
        next.buffer().map_async(MapMode::Read, .., |_| ());
        Ok(())
    });
    again.unwrap();
}

#[test]
fn only_free_buffers_are_destroyed() {
    let Some(gpu) = gpu("only_free_buffers_are_destroyed") else { return };
    let in_use = gpu.acquire(1000, Purpose::Storage).unwrap();
    drop(gpu.acquire(5000, Purpose::Storage).unwrap());
    drop(gpu.acquire(300, Purpose::Storage).unwrap());
    assert_eq!(gpu.pool().destroy_free(), 8192 + 512);
    assert_eq!((gpu.buffer_pool_stats().bytes, gpu.pool().destroy_free()), (1024, 0));
    drop(in_use);
    drop(gpu.acquire(1000, Purpose::Storage).unwrap());
    assert_eq!(gpu.buffer_pool_stats().hits, 1);
}

#[test]
fn size_classes_fit_a_binding() {
    let Some(gpu) = gpu("size_classes_fit_a_binding") else { return };
    let limits = gpu.limits();
    let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 4 * 4;
    for bytes in [limit, limit - 4, limit - 252, limit - 256, limit / 2 + 4] {
        let class = gpu.pool().size_class(bytes);
        assert!(class >= bytes && class <= limit, "{bytes}: {class}");
    }
    assert_eq!([1, 256, 257, 1025].map(|n| gpu.pool().size_class(n)), [256, 256, 512, 2048]);
}
