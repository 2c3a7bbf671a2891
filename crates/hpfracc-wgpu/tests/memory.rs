//! What a call takes from the device, and how long it computes there.

mod device;

use hpfracc_backend::{Backend, LinearMap, Shape, Workload};
use hpfracc_wgpu::{
    Activation, Affine, Direct, Fft, Gemm, Gpu, GpuError, MemoryLimit, MemoryUse, Recurrence,
    adapters,
};

/// One map for every sequence of shaders that there is, with its name.
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
        ("fft, one pass", bind(&Fft::new(gpu), line(1000))),
        ("fft, four steps", bind(&Fft::new(gpu), line(10_000))),
        ("fft, grid", bind(&Fft::new(gpu), grid)),
        ("direct", bind(&Direct::new(gpu), line(500))),
        ("gemm", bind(&Gemm::new(gpu), dense)),
        ("recurrence", bind(&Recurrence::new(gpu), stream)),
    ]
}

/// All but the hits: what must stay as it is.
fn made(gpu: &Gpu) -> MemoryUse {
    MemoryUse { hits: 0, ..gpu.memory_use() }
}

#[test]
fn a_call_like_the_one_before_makes_nothing() {
    let Some(gpu) = device::gpu("a_call_like_the_one_before") else { return };
    let maps = maps(&gpu);
    let layer = Affine::new(&gpu, 7, &[0.5; 35], &[0.1; 5], Activation::Tanh).unwrap();
    let round = |before: Option<MemoryUse>| {
        let check = |name: &str| {
            if let Some(before) = before {
                assert_eq!(made(&gpu), before, "{name}");
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
        // Few signals and many take tiles of their own.
        for batch in [3, 30] {
            layer.forward(&vec![0.5; 7 * batch], &mut vec![0.0; 5 * batch]).unwrap();
            check("affine");
        }
    };
    round(None);
    let before = gpu.memory_use();
    round(Some(made(&gpu)));
    round(Some(made(&gpu)));
    assert_eq!(made(&gpu), MemoryUse { hits: 0, ..before });
    assert!(gpu.memory_use().hits > before.hits);
}

#[test]
fn uploads_one_after_the_other_share_their_staging() {
    let Some(gpu) = device::gpu("uploads_one_after_the_other") else { return };
    let plan = Fft::new(&gpu).plan(Workload::CausalConvolution { len: 64, batch: 1 }).unwrap();
    let mut map = plan.bind(&[0.0; 64]).unwrap();
    let (x, mut y) = ([1.0; 64], [0.0; 64]);
    map.apply(&x, &mut y).unwrap();
    let before = made(&gpu);
    for weight in 1..20 {
        // The new weights arrive whole, whatever the buffer held before.
        let kernel = [weight as f32; 64];
        map = plan.bind(&kernel).unwrap();
        map.apply(&x, &mut y).unwrap();
        assert!((y[63] / (64.0 * weight as f32) - 1.0).abs() < 1e-5, "{weight}: {}", y[63]);
    }
    let after = made(&gpu);
    // One more spectrum, bound while the old one still lives, and what is bound to it.
    assert!(after.misses <= before.misses + 1, "{before:?} {after:?}");
    assert!(after.bind_groups <= before.bind_groups + 1, "{before:?} {after:?}");
}

#[test]
fn a_plan_says_beforehand_what_a_limit_must_allow() {
    let Some(gpu) = device::gpu("a_plan_says_beforehand") else { return };
    type Make = fn(&Gpu) -> Box<dyn Backend<f32>>;
    let fft: Make = |gpu| Box::new(Fft::new(gpu));
    let direct: Make = |gpu| Box::new(Direct::new(gpu));
    let gemm: Make = |gpu| Box::new(Gemm::new(gpu));
    let recurrence: Make = |gpu| Box::new(Recurrence::new(gpu));
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
        let said = backend(&gpu).plan(workload).unwrap().bytes() as u64;
        let limited = gpu.rebuild().unwrap();
        limited.limit_memory(MemoryLimit::Bytes(said)).unwrap();
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
        let used = limited.memory_use();
        assert!(used.high_water <= said, "{workload}: {said} {used:?}");
        // Signals and results, each where shaders see them and where the host does.
        let carried = 2 * (size_of_val(&x[..]) + size_of_val(&y[..])) as u64;
        assert!(used.bytes >= carried, "{workload}: {used:?}");
        // Less is refused when it is planned.
        limited.limit_memory(MemoryLimit::Bytes(said - 1)).unwrap();
        assert!(backend(&limited).plan(workload).is_err(), "{workload}");
    }
}

#[test]
fn a_fraction_is_one_of_the_memory_that_the_adapter_describes() {
    let Some(gpu) = device::gpu("a_fraction_is_one") else { return };
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
fn a_meter_counts_while_it_lives() {
    let Some(gpu) = device::gpu("a_meter_counts") else { return };
    let maps = maps(&gpu);
    let (_, map) = &maps[1];
    let (x, mut y) = (vec![0.5; 30_000], vec![0.0; 30_000]);
    let outer = match gpu.meter() {
        Err(GpuError::MissingFeature { .. }) => return println!("skipped: no clock to read"),
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
    // Measuring does not change what is measured.
    assert_eq!(y, {
        drop(inner);
        let mut unmeasured = vec![0.0; 30_000];
        map.apply(&x, &mut unmeasured).unwrap();
        unmeasured
    });
}
