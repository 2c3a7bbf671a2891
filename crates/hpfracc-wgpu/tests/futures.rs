//! Results as futures: `apply_async` and `apply_transpose_async` of maps on a device.

mod device;

use hpfracc_backend::{Backend, BackendError, LinearMap, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::{Direct, Fft, Gemm, Gpu, GpuError, Precision};
use std::error::Error;
use std::pin::Pin;

fn bound(backend: &dyn Backend<f32>, workload: Workload) -> Box<dyn LinearMap<f32>> {
    let kernel: Vec<f32> = (0..workload.kernel_len()).map(|k| 1.0 / (1 + k) as f32).collect();
    backend.plan(workload).unwrap().bind(&kernel).unwrap()
}

#[test]
fn futures_return_the_same_bits() {
    let Some(gpu) = device::gpu("futures_return_the_same_bits") else { return };
    let line = |len| Workload::CausalConvolution { len, batch: 3 };
    let maps = [
        bound(&Fft::new(&gpu.f32()), line(500)),
        bound(&Fft::new(&gpu.f32()), line(5000)),
        bound(&Direct::new(&gpu.f32()), line(100)),
        bound(&Gemm::new(&gpu.f32()), Workload::Dense { rows: 20, cols: 30, batch: 40 }),
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
        // Created on one thread and awaited on another.
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
        // Dropped before the first poll: nothing happens.
        drop(map.apply_async(&x, &mut later));
        assert_eq!(later, y);
    }
    assert!(meter.is_none_or(|meter| meter.calls() == 4 * maps.len() as u64));
}

/// Several futures of one map in progress at the same time, in each precision.
#[test]
fn futures_of_one_map_do_not_share_buffers() {
    fn check<P: Precision>(precision: &P) {
        let workload = Workload::CausalConvolution { len: 300, batch: 2 };
        let one = P::Host::narrow(1.0);
        let sum = Fft::new(precision).plan(workload).unwrap().bind(&[one; 300]).unwrap();
        let inputs = [1.0, 2.0, 3.0].map(|size| vec![P::Host::narrow(size); 600]);
        let mut results = [(); 3].map(|()| vec![P::Host::NAN; 600]);
        let futures: Vec<_> =
            inputs.iter().zip(&mut results).map(|(x, y)| sum.apply_async(x, y)).collect();
        for future in futures.into_iter().rev() {
            pollster::block_on(future).unwrap();
        }
        for (x, y) in inputs.iter().zip(&results) {
            let error = y[599].widen() / (300.0 * x[0].widen()) - 1.0;
            assert!(error.abs() < 1e-5, "{error:e}");
        }
    }
    let Some(gpu) = device::gpu("futures_of_one_map") else { return };
    check(&gpu.f32());
    if let Ok(double) = gpu.f64() {
        check(&double);
    }
    check(&gpu.double_float().unwrap());
}

#[test]
fn a_future_on_a_lost_device_is_an_error() {
    let Some(gpu) = device::gpu("a_future_on_a_lost_device") else { return };
    let map = bound(&Fft::new(&gpu.f32()), Workload::CausalConvolution { len: 100, batch: 1 });
    let (x, mut y, mut back) = ([1.0; 100], [0.0; 100], [0.0; 100]);
    let pending = map.apply_async(&x, &mut y);
    gpu.device().destroy();
    let transposed = map.apply_transpose_async(&x, &mut back);
    for error in [pollster::block_on(pending), pollster::block_on(transposed)] {
        let error = error.unwrap_err();
        let cause = error.source().and_then(|source| source.downcast_ref());
        assert!(matches!(cause, Some(GpuError::Lost { .. })), "{error:?}");
    }
}

#[test]
fn devices_can_be_awaited() {
    if device::gpu("devices_can_be_awaited").is_none() {
        return;
    }
    pollster::block_on(async {
        let described = hpfracc_wgpu::request_adapters().await;
        let gpu = Gpu::request(hpfracc_wgpu::Preference::Index(0)).await.unwrap();
        assert_eq!(gpu.name(), described[0].name);
        // The future may be sent to another thread.
        let future: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(gpu.request_double_float());
        assert_eq!(future.await.unwrap().gpu().name(), gpu.name());
    });
}
