//! Applying a bound map allocates nothing after the first call, and a plan says what a map holds.

use hpfracc_backend::{Backend, RealTransform, Shape, TransformAxes, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};
use hpfracc_testkit::CountingAllocator;
use hpfracc_types::Real;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn workloads() -> Vec<Workload> {
    let mut all = Vec::new();
    for (len, batch) in [(1, 1), (65, 3), (1000, 2), (5000, 1), (40_000, 1), (40_000, 5)] {
        all.push(Workload::CausalConvolution { len, batch });
        all.push(Workload::SpectralMultiplier { shape: Shape::line(len), batch });
    }
    let shape = Shape::new(&[24, 5, 18]).unwrap();
    all.push(Workload::SpectralMultiplier { shape, batch: 2 });
    for batch in [1, 3] {
        all.push(trigonometric(&[(150, RealTransform::Dst2), (201, RealTransform::Dct4)], batch));
    }
    all.push(trigonometric(&[(24, RealTransform::Dct2), (5, RealTransform::Hartley)], 2));
    for (nodes, len, batch) in [(1, 1, 1), (57, 1, 1), (57, 1, 64), (57, 5000, 1), (57, 500, 50)] {
        all.push(Workload::Recurrence { nodes, len, batch });
    }
    all
}

fn trigonometric(axes: &[(usize, RealTransform)], batch: usize) -> Workload {
    Workload::TrigonometricMultiplier { axes: TransformAxes::new(axes).unwrap(), batch }
}

/// Sums over more than `longest` samples are left out: they take seconds and no other path.
fn check<T: Real>(backend: &dyn Backend<T>, longest: usize) {
    let mut maps = 0;
    for workload in workloads() {
        let Ok(plan) = backend.plan(workload) else { continue };
        if workload.signal_len() > longest {
            continue;
        }
        let map = plan.bind(&vec![T::zero(); workload.kernel_len()]).unwrap();
        let mut x = vec![T::one(); workload.signal_len() * workload.batch()];
        let mut y = vec![T::one(); workload.output_len() * workload.batch()];
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&y, &mut x).unwrap();
        let before = ALLOCATOR.calls();
        for _ in 0..5 {
            map.apply(&x, &mut y).unwrap();
            map.apply_transpose(&y, &mut x).unwrap();
        }
        assert_eq!(ALLOCATOR.calls(), before, "{} {workload}", backend.name());
        maps += 1;
    }
    assert!(maps > 3);
}

/// Rayon allocates a thread's share of its queues when that thread first steals work. Each of the
/// two waits here for something that only the other can have stolen.
fn both_threads_steal() {
    let [first, second] = [const { AtomicBool::new(false) }; 2];
    let wait = |flag: &AtomicBool| {
        while !flag.load(Relaxed) {
            std::thread::yield_now();
        }
    };
    rayon::join(
        || wait(&first),
        || {
            first.store(true, Relaxed);
            rayon::join(|| wait(&second), || second.store(true, Relaxed));
        },
    );
}

fn nothing_is_allocated_after_the_first_call() {
    check::<f64>(&Direct, 5000);
    check::<f32>(&Direct, 5000);
    check::<f64>(&Fft::new(), usize::MAX);
    check::<f32>(&Fft::new(), usize::MAX);
    check::<f64>(&Recurrence, usize::MAX);
    check::<f32>(&Recurrence, usize::MAX);
    // `Gemm` is left out: the gemm crate packs operands into memory of its own on every call that
    // has more than one signal.
    // From outside a pool, rayon hands the work over through a queue that now and then grows;
    // inside, as here, it allocates nothing, and neither do we.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        both_threads_steal();
        check::<f64>(&ParallelFft::new(), usize::MAX);
        check::<f32>(&ParallelFft::new(), usize::MAX);
        check::<f64>(&ParallelRecurrence, usize::MAX);
        check::<f32>(&ParallelRecurrence, usize::MAX);
    });
}

/// Bytes that a bound map holds: what disappears when it and its plan are dropped.
///
/// The transforms' own twiddle factors stay with the backend, so a first plan makes them; others
/// then push it out of the list of recent plans.
fn held<T: Real>(backend: &dyn Backend<T>, workload: Workload) -> (usize, usize) {
    let forget = || {
        for len in 1..=8 {
            backend.plan(Workload::CausalConvolution { len, batch: 1 }).ok();
        }
    };
    drop(backend.plan(workload).unwrap());
    forget();
    let x = vec![T::one(); workload.signal_len() * workload.batch()];
    let mut y = vec![T::one(); workload.output_len() * workload.batch()];
    let kernel = vec![T::zero(); workload.kernel_len()];
    let before = ALLOCATOR.bytes_in_use();
    let plan = backend.plan(workload).unwrap();
    let map = plan.bind(&kernel).unwrap();
    map.apply(&x, &mut y).unwrap();
    let mut back = vec![T::one(); x.len()];
    map.apply_transpose(&y, &mut back).unwrap();
    drop(back);
    let promised = plan.bytes();
    let found = ALLOCATOR.bytes_in_use() - before;
    drop((plan, map));
    (promised, found)
}

fn a_plan_says_what_its_map_holds() {
    for len in [1000, 4096, 20_000, 60_000] {
        let convolution = Workload::CausalConvolution { len, batch: 3 };
        let line = Workload::SpectralMultiplier { shape: Shape::line(len), batch: 3 };
        let plane = Shape::new(&[100, len / 100]).unwrap();
        let plane = Workload::SpectralMultiplier { shape: plane, batch: 1 };
        let modes = [
            trigonometric(&[(len, RealTransform::Dst2)], 3),
            trigonometric(&[(100, RealTransform::Dct4), (len / 100, RealTransform::Hartley)], 1),
        ];
        let states = Workload::Recurrence { nodes: len, len: 10, batch: 3 };
        let cases: [(Box<dyn Backend<f64>>, Vec<Workload>); 4] = [
            (Box::new(Direct), if len < 10_000 { vec![convolution] } else { Vec::new() }),
            (Box::new(Fft::new()), vec![convolution, line, plane, modes[0], modes[1]]),
            (Box::new(Gemm), vec![Workload::Dense { rows: 100, cols: len, batch: 1 }]),
            (Box::new(Recurrence), vec![states]),
        ];
        for (backend, workloads) in cases {
            for workload in workloads {
                let (promised, found) = held(backend.as_ref(), workload);
                let ratio = promised as f64 / found as f64;
                let name = backend.name();
                assert!((0.9..1.1).contains(&ratio), "{name} {workload}: {promised} of {found}");
            }
        }
    }
}

/// Scratch memory is made for the threads that can use it: no more than there are signals.
fn threads_without_a_signal_hold_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    for (len, batch) in [(4000, 2), (4000, 8), (60_000, 1), (60_000, 20)] {
        let line = Workload::SpectralMultiplier { shape: Shape::line(len), batch };
        let modes = [(100, RealTransform::Dct2), (len / 100, RealTransform::Dst4)];
        let modes = trigonometric(&modes, batch);
        for workload in [Workload::CausalConvolution { len, batch }, line, modes] {
            let backend = ParallelFft::new();
            let (promised, found) = pool.install(|| held::<f64>(&backend, workload));
            let ratio = promised as f64 / found as f64;
            assert!((0.9..1.1).contains(&ratio), "{workload}: {promised} of {found}");
        }
    }
}

/// A map bound after another was dropped takes over its spectrum, and gives the bits of a first
/// one.
fn new_weights_take_over_the_spectrum() {
    for len in [1000, 20_000] {
        let (backend, workload) = (Fft::new(), Workload::CausalConvolution { len, batch: 1 });
        let plan = Backend::<f64>::plan(&backend, workload).unwrap();
        let [first, later] = [0.1, 0.9].map(|x: f64| vec![x; len]);
        let x: Vec<f64> = (0..len).map(|j| (j as f64).sin()).collect();
        let [mut expected, mut y] = [(); 2].map(|()| vec![0.0; len]);
        let fresh = Backend::<f64>::plan(&Fft::new(), workload).unwrap();
        fresh.bind(&later).unwrap().apply(&x, &mut expected).unwrap();
        let map = plan.bind(&first).unwrap();
        map.apply(&x, &mut y).unwrap();
        drop(map);
        let before = ALLOCATOR.bytes();
        plan.bind(&later).unwrap().apply(&x, &mut y).unwrap();
        let allocated = ALLOCATOR.bytes() - before;
        assert!(allocated < 1024, "{len}: {allocated} bytes");
        assert_eq!(y, expected);
    }
}

/// What a backend holds when all of its plans and maps are dropped.
fn a_backend_remembers_a_bounded_amount() {
    type Of = fn(usize) -> Workload;
    let convolution: Of = |len| Workload::CausalConvolution { len, batch: 1 };
    let line: Of = |len| Workload::SpectralMultiplier { shape: Shape::line(len), batch: 1 };
    for (name, of) in [("convolution", convolution), ("multiplier", line)] {
        for len in [100_000, 400_000, 2_200_000] {
            let before = ALLOCATOR.bytes_in_use();
            let backend = Fft::new();
            for len in (0..10).map(|more| len + 1600 * more) {
                let map = Backend::<f64>::plan(&backend, of(len))
                    .and_then(|plan| plan.bind(&vec![0.0; of(len).kernel_len()]));
                let mut y = vec![0.0; len];
                map.unwrap().apply(&vec![0.0; len], &mut y).unwrap();
            }
            let kept = ALLOCATOR.bytes_in_use() - before;
            println!("{name}, ten lengths from {len}: {:.1} MiB", kept as f64 / f64::from(1 << 20));
            assert!(kept < 130 << 20, "{name} {len}: {kept}");
        }
    }
}

/// One test: the counters see the whole process, where the harness allocates between tests.
#[test]
fn memory() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        both_threads_steal();
        a_plan_says_what_its_map_holds();
    });
    new_weights_take_over_the_spectrum();
    threads_without_a_signal_hold_nothing();
    a_backend_remembers_a_bounded_amount();
    nothing_is_allocated_after_the_first_call();
}
