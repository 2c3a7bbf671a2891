//! Timings, with `cargo test --release --test speed -- --ignored --nocapture`.

use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Complex64, Diffusion, Laplacian, Modes, SpatialOperator, Stopping,
};
use rustfft::FftPlanner;
use std::time::Instant;

/// The least time of some runs, in nanoseconds.
fn least(runs: usize, mut f: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e9
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn square(n: usize, boundary: Boundary) -> BoxGrid {
    let axis = || Axis::new(0.0, 1.0, n, [boundary; 2]).unwrap();
    BoxGrid::new(vec![axis(), axis()]).unwrap()
}

#[test]
#[ignore = "timings"]
fn transforms_of_a_plane() {
    let n = 1024;
    let values = (n * n) as f64;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut planner = FftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(n), planner.plan_fft_inverse(n));
    let mut scratch = vec![Complex64::ZERO; forward.get_inplace_scratch_len()];
    let mut lines = vec![Complex64::ONE; n * n / 2];
    for boundary in [Boundary::Dirichlet, Boundary::Neumann, Boundary::Periodic] {
        let a = Laplacian::new(square(n, boundary), &[1.0, 1.0]).unwrap();
        let mut x = vec![1.0; n * n];
        let mut z = vec![Complex64::ONE; n * n];
        let mut y = vec![0.0; n * n];
        let real = a.shifted(Complex64::ONE).unwrap();
        let complex = a.shifted(Complex64::new(1.0, 1.0)).unwrap();
        for _ in 0..3 {
            // Two axes, there and back, of n lines as n/2 complex lines.
            let floor = least(9, || {
                for plan in [&forward, &inverse, &forward, &inverse] {
                    plan.process_with_scratch(&mut lines, &mut scratch);
                }
                lines.fill(Complex64::ONE);
            });
            let (modes, solve, solve_complex, apply) = pool.install(|| {
                let modes = least(9, || {
                    a.to_modes(&mut x);
                    a.to_values(&mut x);
                });
                let solve = least(9, || real.solve_real(&mut x).unwrap());
                let complex = least(9, || complex.solve(&mut z).unwrap());
                (modes, solve, complex, least(9, || a.apply(&x, &mut y)))
            });
            println!(
                "{boundary:?}: ns per value: modes and back {:.1}, real solve {:.1}, complex solve \
                 {:.1}, apply {:.2}; Fourier transforms {:.1}; ratio {:.2} {:.2}",
                modes / values,
                solve / values,
                solve_complex / values,
                apply / values,
                floor / values,
                modes / floor,
                solve / floor,
            );
        }
    }
}

#[test]
#[ignore = "timings"]
fn solves_of_one_axis() {
    for n in [1000, 997, 1_000_000] {
        let axis = Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).unwrap();
        let grid = BoxGrid::new(vec![axis]).unwrap();
        let laplacian = Laplacian::new(grid.clone(), &[1.0]).unwrap();
        let diffusion = Diffusion::new(grid, |x| 1.0 + x[0]).unwrap();
        let z = Complex64::new(-3.0, 10.0);
        let (modes, factors) = (laplacian.shifted(z).unwrap(), diffusion.shifted(z).unwrap());
        let mut x = vec![Complex64::ONE; n];
        let runs = 20_000_000 / n;
        let modes = least(runs, || modes.solve(&mut x).unwrap());
        x.fill(Complex64::ONE);
        let solve = least(runs.min(50), || {
            x.fill(Complex64::ONE);
            factors.solve(&mut x).unwrap();
        });
        let prepare = least(runs.min(50), || drop(diffusion.shifted(z).unwrap()));
        println!(
            "n = {n}: us: by transforms {:.1}, tridiagonal {:.1}, its factors {:.1}",
            modes / 1e3,
            solve / 1e3,
            prepare / 1e3,
        );
    }
}

#[test]
#[ignore = "timings"]
fn variable_coefficients_of_a_plane() {
    let n = 256;
    let kappa = |p: &[f64]| (2.0 * (6.0 * p[0]).sin() * (5.0 * p[1]).cos()).exp();
    let a = Diffusion::new(square(n, Boundary::Dirichlet), kappa).unwrap();
    let a = a.with_stopping(Stopping { tolerance: 1e-8, ..Stopping::default() }).unwrap();
    let start = Instant::now();
    let mut counts = Vec::new();
    for k in 0..12 {
        // The hyperbola of Weideman and Trefethen with 12 nodes at t = 1, alpha = 0.6.
        let u = Complex64::new(0.0, (k as f64 + 0.5) * 1.0818 / 12.0);
        let z = 4.4921 * 12.0 * (1.0 + (u - 1.1721).sin());
        let solver = a.solver(z.powf(0.6)).unwrap();
        let mut x: Vec<Complex64> = (0..n * n).map(|i| Complex64::from((i % 7) as f64)).collect();
        hpfracc_spatial::ShiftedSolver::solve(&solver, &mut x).unwrap();
        counts.push(solver.iterations());
    }
    println!("12 solves: {:.2} s, iterations {counts:?}", start.elapsed().as_secs_f64());
}
