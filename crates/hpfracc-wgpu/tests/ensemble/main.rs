//! Paths of stochastic equations: the bits of a reference on the CPU, in whatever spans, workgroups and parts; in `f32`
//! here, in other numbers in `double.rs`.

mod case;
#[path = "../device/mod.rs"]
mod device;
mod devices;
mod double;
mod fractional;
mod functions;
mod networks;
mod stops;
mod summaries;

use case::{Case, Collected, Ended, solve};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_wgpu::ensemble::{PathGrid, PathSolver};
use hpfracc_wgpu::{GpuError, MemoryLimit};

fn bits(saved: &[Vec<f32>]) -> Vec<u32> {
    saved.iter().flatten().map(|x| x.to_bits()).collect()
}

fn grid(paths: usize, h: f64, saved: &[u32]) -> PathGrid {
    PathGrid { seed: 7, first_path: 0, paths, tile: 16, t0: 0.0, h, saved: saved.to_vec() }
}

const GBM: &str = "dS = mu S dt + sigma S dW; mu = 0.05; sigma = 0.2; S(0) = 1";

/// Two noises in one component, functions of the state, and functions of time.
const MIXED: &str = "dX = (sin(3 t) - theta tanh(X) + exp(-Y^2)/2) dt + 0.1 sqrt(1 + X^2) dW + 0.2 dV; \
     dY = (cos(X) - Y) dt + 0.3 Y exp(-t) dV; V = brownian(); theta = 1.3; X(0) = 0.5; Y(0) = -0.2";

/// Constant factors, which compilers move through products, and sums that they factor.
const CONSTANTS: &str = "dX = (0.3 (X Y) - 0.7 (X Y) + (X + Y) - Y) dt + 0.1 dW; dY = -0.1 (0.3 Y) dt + 0.7 X dV; \
     V = brownian(); X(0) = 1; Y(0) = 0.5";

#[test]
fn paths_have_the_bits_of_the_cpu() {
    let Some(gpu) = device::gpu("paths_have_the_bits_of_the_cpu") else { return };
    let cases = [
        (GBM, grid(4096, 1e-3, &[0, 500, 1000])),
        (MIXED, grid(300, 1e-2, &[7, 100])),
        (CONSTANTS, grid(300, 1e-2, &[7, 100])),
    ];
    for (text, grid) in cases {
        let case = Case::new(text);
        let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
        let (found, expected) = (solve(&solver, &case, &grid), case.reference::<f32>(&grid));
        let pairs = bits(&found).into_iter().zip(bits(&expected));
        let differ = pairs.filter(|(a, b)| a != b).count();
        println!("{text}: {differ} of {} differ", found.len() * found[0].len());
        assert_eq!(differ, 0);
    }
}

/// Where compilers may combine operations, most paths still have the bits of the CPU here, and all agree to rounding.
#[test]
fn free_roundings_are_near() {
    let Some(gpu) = device::gpu("free_roundings_are_near") else { return };
    let (case, grid) = (Case::new(MIXED), grid(300, 1e-2, &[100]));
    let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Free).unwrap();
    let (found, expected) = (solve(&solver, &case, &grid), case.reference::<f32>(&grid));
    let largest = found[0].iter().zip(&expected[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("largest difference {largest:e}");
    assert!(largest <= 4.0 * f32::EPSILON * 10.0, "{largest}");
}

#[test]
fn spans_workgroups_and_parts_change_no_bit() {
    let Some(gpu) = device::gpu("spans_workgroups_and_parts_change_no_bit") else { return };
    let case = Case::new(MIXED);
    // Paths around 2^32, whose numbers have two words.
    let grid =
        PathGrid { first_path: (1 << 32) - 100, seed: u64::MAX / 3, ..grid(200, 0.01, &[31, 50]) };
    let whole = bits(&solve(
        &PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap(),
        &case,
        &grid,
    ));
    assert_eq!(whole, bits(&case.reference::<f32>(&grid)));
    for (width, span) in [(64, 1), (64, 3), (64, 4), (256, 50), (32, 7)] {
        let solver =
            PathSolver::with_width(&gpu.f32(), case.on_device(), Rounding::Guarded, width).unwrap();
        let found = bits(&solve(&solver.in_spans_of(span), &case, &grid));
        assert_eq!(found, whole, "width {width}, spans of {span}");
    }
    gpu.limit_memory(MemoryLimit::Bytes(4096)).unwrap();
    let small = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let mut collected = Collected::new(&case, &grid);
    match small.solve(&grid, &mut collected) {
        Ok(()) => assert_eq!(bits(&collected.saved), whole),
        Err(error) => assert!(matches!(error, Ended::Gpu(GpuError::Limit { .. })), "{error:?}"),
    }
}

/// A driver ends the loops of an invocation after 65535 iterations, without an error.
#[test]
fn many_steps_are_all_taken() {
    let Some(gpu) = device::gpu("many_steps_are_all_taken") else { return };
    let case = Case::new(GBM);
    let grid = grid(16, 1e-5, &[70_001]);
    let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    assert_eq!(bits(&solve(&solver, &case, &grid)), bits(&case.reference::<f32>(&grid)));
}

#[test]
fn a_solve_can_be_cancelled_between_spans() {
    let Some(gpu) = device::gpu("a_solve_can_be_cancelled_between_spans") else { return };
    let case = Case::new(GBM);
    let grid = grid(64, 1e-3, &[1000]);
    let solver =
        PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap().in_spans_of(10);
    let mut collected = Collected { cancel_after: 64 * 45, ..Collected::new(&case, &grid) };
    let ended = solver.solve(&grid, &mut collected).unwrap_err();
    assert!(matches!(ended, Ended::Cancelled));
    let steps = collected.path_steps / 64;
    assert!(steps > 45 && steps <= 55, "{steps}");
}

/// Mean and variance of geometric Brownian motion and of an Ornstein-Uhlenbeck process, of Euler's steps exactly.
#[test]
fn laws_are_those_of_the_scheme() {
    let Some(gpu) = device::gpu("laws_are_those_of_the_scheme") else { return };
    let (paths, steps, h) = (100_000, 50, 0.02f64);
    let grid = grid(paths, h, &[steps]);
    let moments = |text: &str| {
        let case = Case::new(text);
        let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
        let found = solve(&solver, &case, &grid);
        let n = paths as f64;
        let mean = found[0].iter().map(|x| f64::from(*x)).sum::<f64>() / n;
        let square = |x: &f32| (f64::from(*x) - mean).powi(2);
        (mean, found[0].iter().map(square).sum::<f64>() / (n - 1.0))
    };
    let power = |x: f64| x.powi(steps as i32);
    let growth = 1.0 + 0.05 * h;
    let gbm = (power(growth), power(growth * growth + 0.04 * h) - power(growth * growth));
    let decay = 1.0 - h;
    let square = decay * decay;
    let ou = (power(decay), 0.25 * h * (1.0 - power(square)) / (1.0 - square));
    for (text, (mean, variance)) in [(GBM, gbm), ("dX = -X dt + 0.5 dW; X(0) = 1", ou)] {
        let found = moments(text);
        let error = (variance / paths as f64).sqrt();
        println!("{text}: {found:?}, expected {mean} {variance}");
        assert!((found.0 - mean).abs() < 4.0 * error, "{text}: mean {found:?}, expected {mean}");
        // The variance of the variance of nearly normal numbers.
        let error = variance * (2.5 / paths as f64).sqrt();
        assert!((found.1 - variance).abs() < 4.0 * error, "{text}: {found:?}, {variance}");
    }
}
