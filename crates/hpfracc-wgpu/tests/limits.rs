//! Small bindings, batches of many workgroups and concurrent callers: the same bits as with large
//! bindings and one caller.

mod device;

use hpfracc_backend::{
    Backend, LinearMap, RealTransform, Reference, Shape, TransformAxes, Workload,
};
use hpfracc_types::Real;
use hpfracc_wgpu::{Direct, Fft, Gemm, Gpu, MemoryLimit, Recurrence};

/// A device of a host program with other limits than the adapter's.
fn hosted(limits: impl FnOnce(wgpu::Limits) -> wgpu::Limits) -> Gpu {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let descriptor =
        wgpu::DeviceDescriptor { required_limits: limits(adapter.limits()), ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    Gpu::from_device(device, queue)
}

fn with_bindings_of(bytes: u64) -> Gpu {
    hosted(|limits| wgpu::Limits { max_storage_buffer_binding_size: bytes, ..limits })
}

fn numbers<T: Real>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::narrow((0.37 * (i % 977) as f64).sin())).collect()
}

fn bound<T: Real>(backend: &dyn Backend<T>, workload: Workload) -> Box<dyn LinearMap<T>> {
    let kernel: Vec<T> = match workload {
        // Real, so that it is Hermitian.
        Workload::SpectralMultiplier { .. } => {
            (0..workload.kernel_len()).map(|k| T::narrow(((k + 1) % 2) as f64)).collect()
        }
        // Rates that decay.
        Workload::Recurrence { .. } => vec![T::narrow(0.25); workload.kernel_len()],
        _ => numbers(workload.kernel_len()),
    };
    backend.plan(workload).unwrap().bind(&kernel).unwrap()
}

/// Results of the map, and of the transpose applied to them.
fn forward_and_transposed<T: Real>(map: &dyn LinearMap<T>) -> [Vec<T>; 2] {
    let workload = map.workload();
    let x = numbers(workload.signal_len() * workload.batch());
    let (mut y, mut back) =
        (vec![T::NAN; workload.output_len() * workload.batch()], vec![T::NAN; x.len()]);
    map.apply(&x, &mut y).unwrap();
    map.apply_transpose(&y, &mut back).unwrap();
    [y, back]
}

fn trigonometric(axes: &[(usize, RealTransform)], batch: usize) -> Workload {
    Workload::TrigonometricMultiplier { axes: TransformAxes::new(axes).unwrap(), batch }
}

fn workloads() -> Vec<Workload> {
    let shape = Shape::new(&[6, 10]).unwrap();
    vec![
        Workload::CausalConvolution { len: 63, batch: 37 },
        Workload::CausalConvolution { len: 249, batch: 9 },
        Workload::SpectralMultiplier { shape, batch: 13 },
        trigonometric(&[(6, RealTransform::Dst2), (10, RealTransform::Dct4)], 13),
        trigonometric(&[(32, RealTransform::Hartley)], 23),
        Workload::Dense { rows: 9, cols: 20, batch: 70 },
        Workload::Dense { rows: 20, cols: 9, batch: 301 },
        Workload::Recurrence { nodes: 35, len: 20, batch: 90 },
    ]
}

fn backends(gpu: &Gpu, workload: Workload) -> Vec<Box<dyn Backend<f32>>> {
    match workload {
        Workload::CausalConvolution { .. } => {
            vec![Box::new(Fft::new(&gpu.f32())), Box::new(Direct::new(&gpu.f32()))]
        }
        Workload::Dense { .. } => vec![Box::new(Gemm::new(&gpu.f32()))],
        Workload::Recurrence { .. } => vec![Box::new(Recurrence::new(&gpu.f32()))],
        _ => vec![Box::new(Fft::new(&gpu.f32()))],
    }
}

#[test]
fn batches_larger_than_a_binding_are_split() {
    if device::gpu("batches_larger_than_a_binding").is_none() {
        return;
    }
    // On the same adapter, for the same bits.
    let gpu = hosted(|limits| limits);
    // Tables of 256 points take 2 KiB; not all of these sizes are size classes.
    for bytes in [4096, 4100, 5000, 9996] {
        let small = with_bindings_of(bytes);
        for workload in workloads() {
            for (split, whole) in backends(&small, workload).iter().zip(backends(&gpu, workload)) {
                let found = forward_and_transposed(&*bound(split.as_ref(), workload));
                let expected = forward_and_transposed(&*bound(whole.as_ref(), workload));
                assert!(found == expected, "{}, {workload}, {bytes}", split.name());
            }
        }
    }
    // Three passes: 2 KiB of scratch for each 256 points.
    let long = Workload::CausalConvolution { len: 5000, batch: 11 };
    let found = forward_and_transposed(&*bound(&Fft::new(&with_bindings_of(3 << 17).f32()), long));
    assert!(found == forward_and_transposed(&*bound(&Fft::new(&gpu.f32()), long)));
}

#[test]
fn double_float_batches_are_split() {
    if device::gpu("double_float_batches_are_split").is_none() {
        return;
    }
    let gpu = hosted(|limits| limits);
    // Enough for the self-test, and no size class.
    let small = with_bindings_of(82_000);
    let [small, gpu] = [&small, &gpu].map(|gpu| gpu.double_float().unwrap());
    let shape = Shape::new(&[6, 10]).unwrap();
    for workload in [
        Workload::CausalConvolution { len: 63, batch: 371 },
        Workload::SpectralMultiplier { shape, batch: 180 },
        trigonometric(&[(6, RealTransform::Dst2), (10, RealTransform::Dct2)], 180),
        Workload::Dense { rows: 9, cols: 20, batch: 1201 },
        Workload::Recurrence { nodes: 5, len: 20, batch: 1201 },
    ] {
        let of = |proof| -> Box<dyn Backend<f64>> {
            match workload {
                Workload::Dense { .. } => Box::new(Gemm::new(proof)),
                Workload::Recurrence { .. } => Box::new(Recurrence::new(proof)),
                _ => Box::new(Fft::new(proof)),
            }
        };
        let found = forward_and_transposed(&*bound(of(&small).as_ref(), workload));
        assert!(
            found == forward_and_transposed(&*bound(of(&gpu).as_ref(), workload)),
            "{workload}"
        );
    }
    let workload = Workload::CausalConvolution { len: 63, batch: 371 };
    let found = forward_and_transposed(&*bound(&Direct::new(&small), workload));
    assert!(found == forward_and_transposed(&*bound(&Direct::new(&gpu), workload)));
}

/// The limits that WebGPU guarantees: workgroups of 256 with 16 KiB.
#[test]
fn the_limits_of_webgpu_suffice() {
    if device::gpu("the_limits_of_webgpu").is_none() {
        return;
    }
    let gpu = hosted(|_| wgpu::Limits::default());
    let long = Workload::CausalConvolution { len: 4097, batch: 3 };
    let shape = Shape::new(&[3, 5, 64]).unwrap();
    let grid = Workload::SpectralMultiplier { shape, batch: 3 };
    let axes = [RealTransform::Dct2, RealTransform::Dst2, RealTransform::Dst4];
    let axes: Vec<_> = [3, 5, 64].into_iter().zip(axes).collect();
    for workload in workloads().into_iter().chain([long, grid, trigonometric(&axes, 3)]) {
        let [expected, _] = forward_and_transposed::<f64>(&*bound(&Reference, workload));
        for backend in backends(&gpu, workload) {
            let [found, _] = forward_and_transposed(&*bound(backend.as_ref(), workload));
            let size = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                let error = (f64::from(*found) - expected).abs();
                assert!(error <= 4e-6 * size, "{}, {workload}: {error:e}", backend.name());
            }
        }
    }
}

/// More signals, and more tiles, than a grid has workgroups along one axis.
#[test]
fn large_batches_are_computed() {
    let Some(gpu) = device::gpu("large_batches_are_computed") else { return };
    let batch = 70_001;
    let shape = Shape::new(&[2, 3]).unwrap();
    for workload in [
        Workload::CausalConvolution { len: 3, batch },
        Workload::SpectralMultiplier { shape, batch },
        trigonometric(&[(2, RealTransform::Dct2), (3, RealTransform::Dst4)], batch),
        Workload::Dense { rows: 2, cols: 3, batch },
        Workload::Dense { rows: batch, cols: 3, batch: 2 },
        Workload::Recurrence { nodes: 2, len: 3, batch },
    ] {
        let [expected, _] = forward_and_transposed::<f64>(&*bound(&Reference, workload));
        for backend in backends(&gpu, workload) {
            let [found, _] = forward_and_transposed(&*bound(backend.as_ref(), workload));
            let near =
                |(found, expected): (&f32, &f64)| (f64::from(*found) - expected).abs() < 1e-5;
            let wrong = found.iter().zip(&expected).position(|pair| !near(pair));
            assert_eq!(wrong, None, "{}, {workload}", backend.name());
        }
    }
}

#[test]
fn concurrent_callers_are_independent() {
    let Some(gpu) = device::gpu("concurrent_callers_are_independent") else { return };
    let maps: Vec<_> = workloads()
        .into_iter()
        .flat_map(|workload| {
            let each = backends(&gpu, workload).into_iter();
            each.map(move |backend| bound(backend.as_ref(), workload)).collect::<Vec<_>>()
        })
        .collect();
    let expected: Vec<_> = maps.iter().map(|map| forward_and_transposed(map.as_ref())).collect();
    let run = |limit| {
        gpu.limit_memory(limit).unwrap();
        std::thread::scope(|scope| {
            for caller in 0..8 {
                let (maps, expected) = (&maps, &expected);
                scope.spawn(move || {
                    for round in 0..12 {
                        // Half of them call the same map at the same time, half different ones.
                        let at = if caller < 4 { round } else { round + caller } % maps.len();
                        let found = forward_and_transposed(maps[at].as_ref());
                        assert!(found == expected[at], "{}", maps[at].workload());
                    }
                });
            }
        });
    };
    run(MemoryLimit::None);
    // Memory for all at once and little more: buffers of one map are destroyed for those of
    // another.
    let high_water = gpu.buffer_pool_stats().high_water;
    run(MemoryLimit::Bytes(high_water));
    assert!(gpu.buffer_pool_stats().high_water <= high_water);
}
