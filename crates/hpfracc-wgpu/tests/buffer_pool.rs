//! The buffer pool, memory limits and the device's clock.

mod device;

use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_wgpu::{
    BufferPoolStats, Direct, Fft, Gemm, Gpu, GpuError, MemoryLimit, Recurrence, adapters,
};

/// One map for each sequence of shaders, with its name.
fn maps(gpu: &Gpu) -> Vec<(&'static str, Box<dyn LinearMap<f32>>)> {
    let line = |len| Workload::CausalConvolution { len, batch: 3 };
    let shape = Shape::new(&[8, 12, 20]).unwrap();
    let grid = Workload::SpectralMultiplier { shape, batch: 3 };
    let dense = Workload::Dense { rows: 20, cols: 30, batch: 40 };
    let stream = Workload::Recurrence { nodes: 40, len: 30, batch: 70 };
    let bind = |backend: &dyn Backend<f32>, workload: Workload| {
        backend.plan(workload).unwrap().bind(&vec![0.0; workload.kernel_len()]).unwrap()
    };
    vec![
        ("fft, one pass", bind(&Fft::new(&gpu.f32()), line(1000))),
        ("fft, four steps", bind(&Fft::new(&gpu.f32()), line(10_000))),
        ("fft, grid", bind(&Fft::new(&gpu.f32()), grid)),
        ("direct", bind(&Direct::new(&gpu.f32()), line(500))),
        ("gemm", bind(&Gemm::new(&gpu.f32()), dense)),
        ("recurrence", bind(&Recurrence::new(&gpu.f32()), stream)),
    ]
}

/// All counters but the hits.
fn created(gpu: &Gpu) -> BufferPoolStats {
    BufferPoolStats { hits: 0, ..gpu.buffer_pool_stats() }
}

#[test]
fn a_repeated_call_creates_nothing() {
    let Some(gpu) = device::gpu("a_repeated_call_creates_nothing") else { return };
    let maps = maps(&gpu);
    let round = |before: Option<BufferPoolStats>| {
        let check = |name: &str| {
            if let Some(before) = before {
                assert_eq!(created(&gpu), before, "{name}");
            }
        };
        for (name, map) in &maps {
            let workload = map.workload();
            let mut x = vec![0.5; workload.signal_len() * workload.batch()];
            let mut y = vec![0.0; workload.output_len() * workload.batch()];
            map.apply(&x, &mut y).unwrap();
            check(name);
            map.apply_transpose(&y, &mut x).unwrap();
            check(name);
        }
    };
    round(None);
    let before = gpu.buffer_pool_stats();
    round(Some(created(&gpu)));
    round(Some(created(&gpu)));
    assert_eq!(created(&gpu), BufferPoolStats { hits: 0, ..before });
    assert!(gpu.buffer_pool_stats().hits > before.hits);
}

#[test]
fn consecutive_uploads_share_their_staging_buffer() {
    let Some(gpu) = device::gpu("consecutive_uploads_share") else { return };
    let plan =
        Fft::new(&gpu.f32()).plan(Workload::CausalConvolution { len: 64, batch: 1 }).unwrap();
    let mut map = plan.bind(&[0.0; 64]).unwrap();
    let (x, mut y) = ([1.0; 64], [0.0; 64]);
    map.apply(&x, &mut y).unwrap();
    let before = created(&gpu);
    for weight in 1..20 {
        // The new weights replace all previous content of the buffer.
        let kernel = [weight as f32; 64];
        map = plan.bind(&kernel).unwrap();
        map.apply(&x, &mut y).unwrap();
        assert!((y[63] / (64.0 * weight as f32) - 1.0).abs() < 1e-5, "{weight}: {}", y[63]);
    }
    let after = created(&gpu);
    // One more spectrum, bound while the old one exists, and its bind group.
    assert!(after.misses <= before.misses + 1, "{before:?} {after:?}");
    assert!(after.bind_groups <= before.bind_groups + 1, "{before:?} {after:?}");
}

#[test]
fn plan_bytes_is_a_sufficient_limit() {
    let Some(gpu) = device::gpu("plan_bytes_is_a_sufficient_limit") else { return };
    type Make = fn(&Gpu) -> Box<dyn Backend<f32>>;
    let fft: Make = |gpu| Box::new(Fft::new(&gpu.f32()));
    let direct: Make = |gpu| Box::new(Direct::new(&gpu.f32()));
    let gemm: Make = |gpu| Box::new(Gemm::new(&gpu.f32()));
    let recurrence: Make = |gpu| Box::new(Recurrence::new(&gpu.f32()));
    let grid = Shape::new(&[40, 7, 100]).unwrap();
    let cases = [
        (fft, Workload::CausalConvolution { len: 4096, batch: 16 }),
        (fft, Workload::CausalConvolution { len: 20_000, batch: 1 }),
        (fft, Workload::CausalConvolution { len: 5000, batch: 13 }),
        (fft, Workload::SpectralMultiplier { shape: Shape::line(3000), batch: 3 }),
        (fft, Workload::SpectralMultiplier { shape: grid, batch: 5 }),
        (direct, Workload::CausalConvolution { len: 700, batch: 65 }),
        (gemm, Workload::Dense { rows: 300, cols: 200, batch: 10 }),
        (gemm, Workload::Dense { rows: 20, cols: 20_000, batch: 70 }),
        (recurrence, Workload::Recurrence { nodes: 57, len: 1000, batch: 70 }),
        (recurrence, Workload::Recurrence { nodes: 5000, len: 1, batch: 1 }),
    ];
    for (backend, workload) in cases {
        let bytes = backend(&gpu).plan(workload).unwrap().bytes() as u64;
        let limited = gpu.rebuild().unwrap();
        limited.limit_memory(MemoryLimit::Bytes(bytes)).unwrap();
        let plan = backend(&limited).plan(workload).unwrap();
        let multiplier = matches!(workload, Workload::SpectralMultiplier { .. });
        // Sums, or the identity.
        let value = |k: usize| if multiplier && k % 2 == 1 { 0.0 } else { 1.0 };
        let kernel: Vec<f32> = (0..workload.kernel_len()).map(value).collect();
        let map = plan.bind(&kernel).unwrap();
        let x = vec![0.5f32; workload.signal_len() * workload.batch()];
        let mut y = vec![0.0; workload.output_len() * workload.batch()];
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&y, &mut x.clone()).unwrap();
        let terms = match workload {
            Workload::SpectralMultiplier { .. } => 1,
            Workload::Recurrence { nodes, .. } => 1 + nodes,
            _ => workload.signal_len(),
        };
        let sum = 0.5 * terms as f32;
        assert!((y[workload.output_len() - 1] / sum - 1.0).abs() < 1e-4, "{workload}");
        let used = limited.buffer_pool_stats();
        assert!(used.high_water <= bytes, "{workload}: {bytes} {used:?}");
        // Signals and results, each for shaders and for the host.
        let transferred = 2 * (size_of_val(&x[..]) + size_of_val(&y[..])) as u64;
        assert!(used.bytes >= transferred, "{workload}: {used:?}");
        // A smaller limit rejects the plan.
        limited.limit_memory(MemoryLimit::Bytes(bytes - 1)).unwrap();
        assert!(backend(&limited).plan(workload).is_err(), "{workload}");
    }
}

#[test]
fn a_fraction_refers_to_the_memory_of_the_adapter() {
    let Some(gpu) = device::gpu("a_fraction_refers_to_the_memory") else { return };
    let half = gpu.limit_memory(MemoryLimit::Fraction(0.5));
    match gpu.memory_bytes() {
        Some(memory) => {
            half.unwrap();
            assert_eq!(gpu.memory_limit(), Some(memory / 2));
            assert!(adapters().iter().any(|adapter| adapter.memory_bytes == Some(memory)));
            assert!(gpu.free_memory_bytes().is_none_or(|free| free <= memory));
        }
        None => {
            let error = half.unwrap_err();
            assert!(matches!(error, GpuError::UnknownMemory { .. }), "{error}");
        }
    }
}

#[test]
fn a_meter_counts_while_it_exists() {
    let Some(gpu) = device::gpu("a_meter_counts_while_it_exists") else { return };
    let maps = maps(&gpu);
    let (_, map) = &maps[1];
    let (x, mut y) = (vec![0.5; 30_000], vec![0.0; 30_000]);
    let outer = match gpu.meter() {
        Err(GpuError::MissingFeature { .. }) => {
            return println!("skipped: a_meter_counts: no timestamps");
        }
        meter => meter.unwrap(),
    };
    map.apply(&x, &mut y).unwrap();
    let inner = gpu.clone().meter().unwrap();
    let first = outer.device_seconds();
    assert!(first.is_finite() && first > 0.0, "{first}");
    assert_eq!((outer.calls(), inner.calls()), (1, 0));
    map.apply_transpose(&x, &mut y).unwrap();
    assert_eq!((outer.calls(), inner.calls()), (2, 1));
    let sum = first + inner.device_seconds();
    assert!((outer.device_seconds() - sum).abs() <= 1e-12, "{sum} {}", outer.device_seconds());
    assert!(inner.device_seconds() > 0.0);
    drop(outer);
    map.apply(&x, &mut y).unwrap();
    assert_eq!(inner.calls(), 2);
    // Measurements do not change results.
    assert_eq!(y, {
        drop(inner);
        let mut unmeasured = vec![0.0; 30_000];
        map.apply(&x, &mut unmeasured).unwrap();
        unmeasured
    });
}
