//! Timings and memory, with `cargo test --release --test timings -- --ignored --nocapture`.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_pde::models::{AllenCahn, Diffusion};
use hpfracc_pde::{Settings, TimeScheme, graded_steps, solve, solve_linear};
use hpfracc_spatial::{Axis, Boundary, BoxGrid};
use hpfracc_testkit::CountingAllocator;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Seconds and peak megabytes of a call.
fn measure(call: impl FnOnce()) -> (f64, f64) {
    let before = ALLOCATOR.bytes_in_use();
    ALLOCATOR.most_bytes_in_use();
    let start = Instant::now();
    call();
    let seconds = start.elapsed().as_secs_f64();
    (seconds, (ALLOCATOR.most_bytes_in_use() - before) as f64 / 1e6)
}

fn grid(n: usize, axes: usize) -> BoxGrid {
    let axis = || Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap();
    BoxGrid::new((0..axes).map(|_| axis()).collect()).unwrap()
}

fn wavy(x: &[f64]) -> f64 {
    0.8 * x.iter().map(|x| (7.0 * x + 0.3).cos()).product::<f64>()
}

#[test]
#[ignore = "timings"]
fn bars() {
    let linear = |n: usize, axes: usize| {
        let equation = Diffusion { alpha: 0.6, kappa: 1.0 }.equation(grid(n, axes)).unwrap();
        let equation = equation.start_from(wavy).unwrap();
        let run = || drop(solve_linear(&equation, &[0.1], 1e-10).unwrap());
        (0..3).map(|_| measure(run).0).fold(f64::INFINITY, f64::min)
    };
    println!("1: linear, n = 1000: {:.2} ms", 1e3 * linear(1000, 1));
    println!("2: linear, 1024^2: {:.3} s", linear(1024, 2));
    let allen_cahn = |n: usize, axes: usize, steps: usize, scheme, history| {
        let model = AllenCahn { alpha: 0.6, epsilon: 0.02 };
        let equation = model.equation(grid(n, axes)).unwrap().start_from(wavy).unwrap();
        let steps = Some(graded_steps(0.6, steps).unwrap());
        let settings = Settings { steps, scheme, history, ..Settings::default() };
        let mut iterations = 0;
        let (seconds, megabytes) = measure(|| {
            iterations = solve(&equation, 1.0, settings).unwrap().statistics().newton_iterations;
        });
        println!("   {n}^{axes} {scheme:?}: {seconds:.3} s, {megabytes:.1} MB, {iterations}");
    };
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    let single = HistoryChoice::SingleExponentials { tolerance: 1e-7 };
    let newton = TimeScheme::ProductTrapezoid;
    println!("4: nonlinear line, 1000 steps");
    for n in [2500, 10_000, 40_000] {
        allen_cahn(n, 1, 1000, newton, exponentials);
    }
    allen_cahn(10_000, 1, 2000, newton, exponentials);
    println!("5: nonlinear plane, 100 steps");
    for n in [128, 256] {
        allen_cahn(n, 2, 100, newton, single);
        allen_cahn(n, 2, 100, TimeScheme::ImplicitExplicit, single);
    }
}
