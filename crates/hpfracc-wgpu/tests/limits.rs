//! Devices that can show little to a shader at once, batches of many workgroups, and callers at the
//! same time: the results of a roomy device with one caller, bit by bit.

mod device;

use hpfracc_backend::{Backend, LinearMap, Reference, Shape, Workload};
use hpfracc_types::Real;
use hpfracc_wgpu::{
    Direct, DirectDf64, Fft, FftDf64, Gemm, GemmDf64, Gpu, MemoryLimit, Recurrence, RecurrenceDf64,
};

/// A device of a host with other limits than the adapter's.
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

fn showing(bytes: u64) -> Gpu {
    hosted(|limits| wgpu::Limits { max_storage_buffer_binding_size: bytes, ..limits })
}

fn numbers<T: Real>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::narrow((0.37 * (i % 977) as f64).sin())).collect()
}

fn bound<T: Real>(backend: &dyn Backend<T>, workload: Workload) -> Box<dyn LinearMap<T>> {
    let kernel: Vec<T> = match workload {
        // Even, so that it is Hermitian.
        Workload::SpectralMultiplier { .. } => {
            (0..workload.kernel_len()).map(|k| T::narrow(((k + 1) % 2) as f64)).collect()
        }
        // Rates that decay.
        Workload::Recurrence { .. } => vec![T::narrow(0.25); workload.kernel_len()],
        _ => numbers(workload.kernel_len()),
    };
    backend.plan(workload).unwrap().bind(&kernel).unwrap()
}

/// Results, and what the transpose makes of them.
fn both_ways<T: Real>(map: &dyn LinearMap<T>) -> [Vec<T>; 2] {
    let workload = map.workload();
    let x = numbers(workload.signal_len() * workload.batch());
    let (mut y, mut back) =
        (vec![T::NAN; workload.output_len() * workload.batch()], vec![T::NAN; x.len()]);
    map.apply(&x, &mut y).unwrap();
    map.apply_transpose(&y, &mut back).unwrap();
    [y, back]
}

fn workloads() -> Vec<Workload> {
    let shape = Shape::new(&[6, 10]).unwrap();
    vec![
        Workload::CausalConvolution { len: 63, batch: 37 },
        Workload::CausalConvolution { len: 249, batch: 9 },
        Workload::SpectralMultiplier { shape, batch: 13 },
        Workload::Dense { rows: 9, cols: 20, batch: 70 },
        Workload::Dense { rows: 20, cols: 9, batch: 301 },
        Workload::Recurrence { nodes: 35, len: 20, batch: 90 },
    ]
}

fn backends(gpu: &Gpu, workload: Workload) -> Vec<Box<dyn Backend<f32>>> {
    match workload {
        Workload::CausalConvolution { .. } => {
            vec![Box::new(Fft::new(gpu)), Box::new(Direct::new(gpu))]
        }
        Workload::Dense { .. } => vec![Box::new(Gemm::new(gpu))],
        Workload::Recurrence { .. } => vec![Box::new(Recurrence::new(gpu))],
        _ => vec![Box::new(Fft::new(gpu))],
    }
}

#[test]
fn what_a_binding_cannot_show_is_split() {
    if device::gpu("what_a_binding_cannot_show").is_none() {
        return;
    }
    // On the same adapter, so that the bits are the same.
    let gpu = hosted(|limits| limits);
    // Tables of 256 points are 2 KiB; not all of these are whole size classes.
    for bytes in [4096, 4100, 5000, 9996] {
        let small = showing(bytes);
        for workload in workloads() {
            for (cut, whole) in backends(&small, workload).iter().zip(backends(&gpu, workload)) {
                let found = both_ways(&*bound(cut.as_ref(), workload));
                let expected = both_ways(&*bound(whole.as_ref(), workload));
                assert!(found == expected, "{}, {workload}, {bytes}", cut.name());
            }
        }
    }
    // Three passes: 2 KiB for each 256 points of the work array.
    let long = Workload::CausalConvolution { len: 5000, batch: 11 };
    let found = both_ways(&*bound(&Fft::new(&showing(3 << 17)), long));
    assert!(found == both_ways(&*bound(&Fft::new(&gpu), long)));
}

#[test]
fn pairs_of_f32_are_split_alike() {
    if device::gpu("pairs_of_f32_are_split_alike").is_none() {
        return;
    }
    let gpu = hosted(|limits| limits);
    // Room for the self-test, and no whole number of size classes.
    let small = showing(82_000);
    let [small, gpu] = [&small, &gpu].map(|gpu| gpu.double_float().unwrap());
    let shape = Shape::new(&[6, 10]).unwrap();
    for workload in [
        Workload::CausalConvolution { len: 63, batch: 371 },
        Workload::SpectralMultiplier { shape, batch: 180 },
        Workload::Dense { rows: 9, cols: 20, batch: 1201 },
        Workload::Recurrence { nodes: 5, len: 20, batch: 1201 },
    ] {
        let of = |proof| -> Box<dyn Backend<f64>> {
            match workload {
                Workload::Dense { .. } => Box::new(GemmDf64::new(proof)),
                Workload::Recurrence { .. } => Box::new(RecurrenceDf64::new(proof)),
                _ => Box::new(FftDf64::new(proof)),
            }
        };
        let found = both_ways(&*bound(of(&small).as_ref(), workload));
        assert!(found == both_ways(&*bound(of(&gpu).as_ref(), workload)), "{workload}");
    }
    let workload = Workload::CausalConvolution { len: 63, batch: 371 };
    let found = both_ways(&*bound(&DirectDf64::new(&small), workload));
    assert!(found == both_ways(&*bound(&DirectDf64::new(&gpu), workload)));
}

/// What WebGPU promises: workgroups of 256 with 16 KiB.
#[test]
fn the_limits_of_a_browser_suffice() {
    if device::gpu("the_limits_of_a_browser").is_none() {
        return;
    }
    let gpu = hosted(|_| wgpu::Limits::default());
    let long = Workload::CausalConvolution { len: 4097, batch: 3 };
    let shape = Shape::new(&[3, 5, 64]).unwrap();
    let grid = Workload::SpectralMultiplier { shape, batch: 3 };
    for workload in workloads().into_iter().chain([long, grid]) {
        let [expected, _] = both_ways::<f64>(&*bound(&Reference, workload));
        for backend in backends(&gpu, workload) {
            let [found, _] = both_ways(&*bound(backend.as_ref(), workload));
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
fn batches_of_any_size_go_through() {
    let Some(gpu) = device::gpu("batches_of_any_size") else { return };
    let batch = 70_001;
    let shape = Shape::new(&[2, 3]).unwrap();
    for workload in [
        Workload::CausalConvolution { len: 3, batch },
        Workload::SpectralMultiplier { shape, batch },
        Workload::Dense { rows: 2, cols: 3, batch },
        Workload::Dense { rows: batch, cols: 3, batch: 2 },
        Workload::Recurrence { nodes: 2, len: 3, batch },
    ] {
        let [expected, _] = both_ways::<f64>(&*bound(&Reference, workload));
        for backend in backends(&gpu, workload) {
            let [found, _] = both_ways(&*bound(backend.as_ref(), workload));
            let near =
                |(found, expected): (&f32, &f64)| (f64::from(*found) - expected).abs() < 1e-5;
            let wrong = found.iter().zip(&expected).position(|pair| !near(pair));
            assert_eq!(wrong, None, "{}, {workload}", backend.name());
        }
    }
}

#[test]
fn callers_at_the_same_time_do_not_see_each_other() {
    let Some(gpu) = device::gpu("callers_at_the_same_time") else { return };
    let maps: Vec<_> = workloads()
        .into_iter()
        .flat_map(|workload| {
            let each = backends(&gpu, workload).into_iter();
            each.map(move |backend| bound(backend.as_ref(), workload)).collect::<Vec<_>>()
        })
        .collect();
    let expected: Vec<_> = maps.iter().map(|map| both_ways(map.as_ref())).collect();
    let run = |limit| {
        gpu.limit_memory(limit).unwrap();
        std::thread::scope(|scope| {
            for caller in 0..8 {
                let (maps, expected) = (&maps, &expected);
                scope.spawn(move || {
                    for round in 0..12 {
                        // Half of them the same map at the same time, half of them different ones.
                        let at = if caller < 4 { round } else { round + caller } % maps.len();
                        let found = both_ways(maps[at].as_ref());
                        assert!(found == expected[at], "{}", maps[at].workload());
                    }
                });
            }
        });
    };
    run(MemoryLimit::None);
    // Room for all at once and little more: buffers of one map give way to those of another.
    let most = gpu.memory_use().high_water;
    run(MemoryLimit::Bytes(most));
    assert!(gpu.memory_use().high_water <= most);
}
