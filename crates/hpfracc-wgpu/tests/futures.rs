//! Results as futures.

mod device;

use hpfracc_backend::{Backend, BackendError, LinearMap, Workload};
use hpfracc_wgpu::{Activation, Affine, Direct, Fft, Gemm, Gpu};
use std::pin::Pin;

fn bound(backend: &dyn Backend<f32>, workload: Workload) -> Box<dyn LinearMap<f32>> {
    let kernel: Vec<f32> = (0..workload.kernel_len()).map(|k| 1.0 / (1 + k) as f32).collect();
    backend.plan(workload).unwrap().bind(&kernel).unwrap()
}

#[test]
fn futures_bring_the_same_numbers() {
    let Some(gpu) = device::gpu("futures_bring_the_same_numbers") else { return };
    let line = |len| Workload::CausalConvolution { len, batch: 3 };
    let maps = [
        bound(&Fft::new(&gpu), line(500)),
        bound(&Fft::new(&gpu), line(5000)),
        bound(&Direct::new(&gpu), line(100)),
        bound(&Gemm::new(&gpu), Workload::Dense { rows: 20, cols: 30, batch: 40 }),
    ];
    let meter = gpu.meter().ok();
    for map in &maps {
        let workload = map.workload();
        let x: Vec<f32> =
            (0..workload.signal_len() * workload.batch()).map(|i| (0.1 * i as f32).sin()).collect();
        let mut y = vec![0.0; workload.output_len() * workload.batch()];
        let mut transposed = vec![0.0; x.len()];
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&y, &mut transposed).unwrap();
        // Made on one thread and awaited on another.
        let (mut later, mut back) = (vec![f32::NAN; y.len()], vec![f32::NAN; x.len()]);
        let future = map.apply_async(&x, &mut later);
        std::thread::scope(|scope| scope.spawn(|| pollster::block_on(future)).join())
            .unwrap()
            .unwrap();
        assert_eq!(later, y, "{workload}");
        pollster::block_on(map.apply_transpose_async(&y, &mut back)).unwrap();
        assert_eq!(back, transposed, "{workload}");
        let short = pollster::block_on(map.apply_async(&x[1..], &mut later)).unwrap_err();
        assert!(matches!(short, BackendError::Length { .. }), "{short}");
        // Dropped before it was asked: nothing has happened, and nothing is owed.
        drop(map.apply_async(&x, &mut later));
        assert_eq!(later, y);
    }
    assert!(meter.is_none_or(|meter| meter.calls() == 4 * maps.len() as u64));
}

#[test]
fn layers_and_devices_can_be_awaited() {
    if device::gpu("layers_and_devices").is_none() {
        return;
    }
    pollster::block_on(async {
        let described = hpfracc_wgpu::request_adapters().await;
        let gpu = Gpu::request(hpfracc_wgpu::Preference::Index(0)).await.unwrap();
        assert_eq!(gpu.name(), described[0].name);
        let layer = Affine::new(&gpu, 2, &[1.0, 2.0], &[0.5], Activation::Identity).unwrap();
        let mut y = [0.0; 2];
        layer.forward_async(&[1.0, 1.0, 2.0, -1.0], &mut y).await.unwrap();
        assert_eq!(y, [3.5, 0.5]);
        // Proofs, too, and futures that any thread may await.
        let future: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(gpu.request_double_float());
        assert_eq!(future.await.unwrap().gpu().name(), gpu.name());
    });
}
