//! After the first call with a shape, applying an operator allocates nothing; a machine that learns
//! does so only when it looks at its timings.

use hpfracc::Settings;
use hpfracc::operators::catalogue;
use hpfracc::prelude::*;
use hpfracc_testkit::CountingAllocator;
use ndarray::{Array1, Array2};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// One test: the counter sees the whole process, and two tests run at the same time.
#[test]
fn allocations() {
    apply_into_and_vjp_into_allocate_nothing_once_bound();
    a_machine_that_learns_seldom_allocates();
}

fn apply_into_and_vjp_into_allocate_nothing_once_bound() {
    // Inside a pool: handing a job to rayon from outside grows its queue every 63 calls.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        let mut settings = Settings::default();
        settings.selector.learning = false;
        let machine = Machine::with(&settings).unwrap();
        // Lengths for the direct sum, for one transform, and for many threads.
        for n in [100, 5000, 70_000] {
            let grid = Grid::uniform(n, 0.01).unwrap();
            for entry in catalogue() {
                let order = Order::new(entry.range.examples[0]).unwrap();
                let operator = entry.example(order).unwrap();
                let name = format!("{} n = {n}", entry.name());
                check(&name, &operator.on(grid, &machine).unwrap(), n);
            }
        }
    });
}

/// Looks at timings become rare: most calls of a map in use allocate nothing.
fn a_machine_that_learns_seldom_allocates() {
    let machine = Machine::detect();
    let grid = Grid::uniform(100, 0.01).unwrap();
    let operator = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let operator: Bound<f64> = operator.on(grid, &machine).unwrap();
    let one = Array1::from_elem(100, 1.0);
    let mut out = Array1::zeros(100);
    let mut run = || operator.apply_into(one.view(), out.view_mut()).unwrap();
    (0..20_000).for_each(|_| run());
    let silent = (0..1000).filter(|_| {
        let before = ALLOCATOR.calls();
        run();
        ALLOCATOR.calls() == before
    });
    let silent = silent.count();
    println!("{silent} of 1000 calls allocate nothing");
    assert!(silent > 900, "{silent} of 1000");
}

fn check(name: &str, operator: &Bound<f64>, n: usize) {
    let one = Array1::from_elem(n, 1.0);
    let mut one_out = Array1::zeros(n);
    // Columns as signals: gathered and scattered through scratch memory.
    let columns = Array2::from_elem((n, 3), 1.0);
    let mut columns_out = Array2::zeros((n, 3));
    let mut run = || {
        operator.apply_into(one.view(), one_out.view_mut()).unwrap();
        operator.vjp_into(one.view(), one_out.view_mut()).unwrap();
        operator.apply_into(columns.t(), columns_out.view_mut().reversed_axes()).unwrap();
        operator.vjp_into(columns.t(), columns_out.view_mut().reversed_axes()).unwrap();
    };
    run();
    run();
    // Other threads (the test harness, a worker waking up) allocate now and then; what the call
    // itself allocates would show in every repetition.
    let fewest = (0..5).map(|_| {
        let before = ALLOCATOR.calls();
        run();
        ALLOCATOR.calls() - before
    });
    assert_eq!(fewest.min(), Some(0), "{name}");
}
