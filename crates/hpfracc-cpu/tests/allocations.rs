//! Applying a bound map allocates nothing after the first call, and a plan says what a map holds.

use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft};
use hpfracc_types::Real;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "an allocator is unsafe by its interface")]
// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        HELD.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn workloads() -> Vec<Workload> {
    let mut all = Vec::new();
    for (len, batch) in [(1, 1), (65, 3), (1000, 2), (5000, 1), (40_000, 1), (40_000, 5)] {
        all.push(Workload::CausalConvolution { len, batch });
        all.push(Workload::SpectralMultiplier { shape: Shape::line(len), batch });
    }
    let shape = Shape::new(&[24, 5, 18]).unwrap();
    all.push(Workload::SpectralMultiplier { shape, batch: 2 });
    all
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
        let before = CALLS.load(Relaxed);
        for _ in 0..5 {
            map.apply(&x, &mut y).unwrap();
            map.apply_transpose(&y, &mut x).unwrap();
        }
        assert_eq!(CALLS.load(Relaxed), before, "{} {workload}", backend.name());
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
    check::<f64>(&Direct::new(), 5000);
    check::<f32>(&Direct::new(), 5000);
    check::<f64>(&Fft::new(), usize::MAX);
    check::<f32>(&Fft::new(), usize::MAX);
    // `Gemm` is left out: the gemm crate packs operands into memory of its own on every call that
    // has more than one signal.
    // From outside a pool, rayon hands the work over through a queue that now and then grows;
    // inside, as here, it allocates nothing, and neither do we.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        both_threads_steal();
        check::<f64>(&ParallelFft::new(), usize::MAX);
        check::<f32>(&ParallelFft::new(), usize::MAX);
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
    let before = HELD.load(Relaxed);
    let plan = backend.plan(workload).unwrap();
    let map = plan.bind(&kernel).unwrap();
    map.apply(&x, &mut y).unwrap();
    let mut back = vec![T::one(); x.len()];
    map.apply_transpose(&y, &mut back).unwrap();
    drop(back);
    let promised = plan.bytes();
    let found = HELD.load(Relaxed) - before;
    drop((plan, map));
    (promised, found)
}

fn a_plan_says_what_its_map_holds() {
    for len in [1000, 4096, 20_000, 60_000] {
        let convolution = Workload::CausalConvolution { len, batch: 3 };
        let line = Workload::SpectralMultiplier { shape: Shape::line(len), batch: 3 };
        let plane = Shape::new(&[100, len / 100]).unwrap();
        let plane = Workload::SpectralMultiplier { shape: plane, batch: 1 };
        let cases: [(Box<dyn Backend<f64>>, Vec<Workload>); 3] = [
            (Box::new(Direct::new()), if len < 10_000 { vec![convolution] } else { Vec::new() }),
            (Box::new(Fft::new()), vec![convolution, line, plane]),
            (Box::new(Gemm::new()), vec![Workload::Dense { rows: 100, cols: len, batch: 1 }]),
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

/// One test: the counters see the whole process, where the harness allocates between tests.
#[test]
fn memory() {
    a_plan_says_what_its_map_holds();
    nothing_is_allocated_after_the_first_call();
}
