//! Increments of fractional Brownian motion against transforms in double precision.

use crate::case::{Case, Collected, Ended, solve};
use crate::{bits, device, grid};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_lanes::random::{Gaussian, Philox};
use hpfracc_wgpu::ensemble::{PathEquation, PathFractional, PathGrid, PathSolver};
use hpfracc_wgpu::{F32, Gpu, GpuError, MemoryLimit};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex64;

/// Purpose of fractional Brownian motion in the addresses of random numbers.
const FRACTIONAL: u32 = 2 << 24;

/// Fractional Brownian motion of these exponents on steps of length h.
fn noises(hurst: &[f64], steps: usize, h: f64) -> Vec<PathFractional> {
    let noise = |(j, hurst): (usize, &f64)| PathFractional {
        stream: FRACTIONAL + j as u32,
        standard_deviations: standard_deviations(*hurst, steps, h),
    };
    hurst.iter().enumerate().map(noise).collect()
}

fn standard_deviations(hurst: f64, n: usize, h: f64) -> Vec<f32> {
    let power = |k: f64| k.abs().powf(2.0 * hurst);
    let covariance = |k: f64| 0.5 * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0));
    let lag = |j: usize| Complex64::from(covariance(j.min(2 * n - j) as f64));
    let mut eigenvalues: Vec<Complex64> = (0..2 * n).map(lag).collect();
    FftPlanner::new().plan_fft_forward(2 * n).process(&mut eigenvalues);
    let share = |k: usize| if k == 0 || k == n { 2.0 * n as f64 } else { 4.0 * n as f64 };
    let of = |k: usize| h.powf(hurst) * (eigenvalues[k].re.max(0.0) / share(k)).sqrt();
    (0..=n).map(|k| of(k) as f32).collect()
}

/// Increments of a path in double precision.
fn increments(noise: &PathFractional, seed: u64, path: u64) -> Vec<f64> {
    let (n, philox) = (noise.steps(), Philox::new(seed));
    let mut values = vec![Complex64::default(); 2 * n];
    for k in 0..=n {
        let counter = [k as u32 / 2, path as u32, (path >> 32) as u32, noise.stream];
        let [a, b, c, d] = philox.block(counter);
        let (re, im) = if k % 2 == 0 { f32::pair(a, b) } else { f32::pair(c, d) };
        let d = noise.standard_deviations[k];
        let im = if k == 0 || k == n { 0.0 } else { im };
        values[k] = Complex64::new(f64::from(d * re), f64::from(d * im));
        if k > 0 {
            values[2 * n - k] = values[k].conj();
        }
    }
    FftPlanner::new().plan_fft_inverse(2 * n).process(&mut values);
    values[..n].iter().map(|x| x.re).collect()
}

/// States that are increments: with `h` a power of two, `X - h (X/h) + dB` is `dB`.
fn increments_of(hurst: &[f64], steps: usize) -> (Case, PathEquation, f64) {
    let h = 1.0 / steps.next_power_of_two() as f64;
    let states = ["X", "Y", "Z"];
    let state = |i: usize| {
        let x = states[i];
        format!("d{x} = -{} {x} dt + dB{i}; B{i} = fbm(0.5); {x}(0) = 0", 1.0 / h)
    };
    let texts: Vec<String> = (0..hurst.len()).map(state).collect();
    let case = Case::new(&texts.join("; "));
    let mut equation = case.on_device();
    equation.streams.clear();
    equation.fractional = noises(hurst, steps, h);
    (case, equation, h)
}

fn free(gpu: &Gpu, equation: PathEquation) -> PathSolver<F32> {
    PathSolver::new(&gpu.f32(), equation, Rounding::Free).unwrap()
}

/// Transforms in one pass and in several, with and without a chirp: numbers of steps of all of these forms, with paths
/// whose numbers have two words.
#[test]
fn increments_are_their_transforms() {
    let Some(gpu) = device::gpu("increments_are_their_transforms") else { return };
    for (steps, paths) in [
        (1, 70),
        (2, 3),
        (3, 3),
        (15, 17),
        (16, 300),
        (17, 40),
        (100, 33),
        (1000, 20),
        (1024, 5),
        (2731, 5),
        (4096, 3),
        (4097, 18),
        (8192, 18),
        (30_000, 3),
        (65_536, 2),
    ] {
        let (case, equation, h) = increments_of(&[0.1, 0.5, 0.9], steps);
        let between = steps.div_ceil(150);
        let nodes: Vec<u32> = (1..=steps as u32).rev().step_by(between).collect();
        let nodes: Vec<u32> = nodes.into_iter().rev().collect();
        let grid =
            PathGrid { first_path: (1 << 32) - 2, seed: u64::MAX / 3, ..grid(paths, h, &nodes) };
        let noises = equation.fractional.clone();
        let found = solve(&free(&gpu, equation), &case, &grid);
        for (j, (noise, hurst)) in noises.iter().zip([0.1, 0.5, 0.9]).enumerate() {
            let mut worst = 0f64;
            for lane in 0..paths {
                let expected = increments(noise, grid.seed, grid.first_path + lane as u64);
                for (node, found) in nodes.iter().zip(&found) {
                    let difference =
                        f64::from(found[j * paths + lane]) - expected[*node as usize - 1];
                    worst = worst.max(difference.abs() / h.powf(hurst));
                }
            }
            println!("{steps} steps, H = {hurst}: {worst:e} of a standard deviation");
            assert!(worst < 1e-5, "{steps} {hurst}: {worst:e}");
        }
    }
}

/// Neither spans nor workgroups nor parts change a bit.
#[test]
fn spans_workgroups_and_parts_change_no_bit_of_fractional_noise() {
    let Some(gpu) = device::gpu("spans_workgroups_and_parts_change_no_bit_of_fractional_noise")
    else {
        return;
    };
    let case = Case::new(
        "dX = (sin(3 t) - tanh(X)) dt + 0.1 sqrt(1 + X^2) dW + 0.2 dB; dY = (X - Y) dt + 0.3 Y dB + dA; \
         B = fbm(0.5); A = fbm(0.5); X(0) = 0.5; Y(0) = -0.2",
    );
    let spans = [(64, 1000), (64, 7), (256, 50), (32, 333)];
    // The transforms of 5000 steps are longer than a workgroup holds.
    for (steps, paths, spans) in [(50, 200, &spans[..]), (5000, 40, &[(64, 1000), (256, 611)])] {
        let h = 1.0 / steps as f64;
        let mut equation = case.on_device();
        equation.streams.truncate(1);
        equation.fractional = noises(&[0.3, 0.8], steps, h);
        let grid = grid(paths, h, &[31, steps as u32]);
        let whole = bits(&solve(&free(&gpu, equation.clone()), &case, &grid));
        for &(width, span) in spans {
            let solver =
                PathSolver::with_width(&gpu.f32(), equation.clone(), Rounding::Free, width)
                    .unwrap();
            let found = bits(&solve(&solver.in_spans_of(span), &case, &grid));
            assert_eq!(found, whole, "{steps} steps, width {width}, spans of {span}");
        }
        // Room for about half of the paths.
        let room = paths as u64 / 2 * equation.device_bytes_per_path(4) as u64;
        gpu.limit_memory(MemoryLimit::Bytes(room + (1 << 20))).unwrap();
        assert_eq!(bits(&solve(&free(&gpu, equation.clone()), &case, &grid)), whole, "parts");
        gpu.limit_memory(MemoryLimit::None).unwrap();
    }
}

/// Refused with sizes: nodes beyond the noise, noises of different lengths, and increments beyond a binding or the limit
/// of the memory.
#[test]
fn fractional_noise_without_room_is_refused() {
    let Some(gpu) = device::gpu("fractional_noise_without_room_is_refused") else { return };
    let (case, equation, h) = increments_of(&[0.7, 0.3], 16);
    let refused = |solver: &PathSolver<F32>, grid: &PathGrid| match solver
        .solve(grid, &mut Collected::new(&case, grid))
        .unwrap_err()
    {
        Ended::Gpu(error) => error,
        Ended::Cancelled => panic!("cancelled"),
    };
    let error = refused(&free(&gpu, equation.clone()), &grid(4, h, &[17]));
    println!("{error}");
    assert!(
        matches!(error, GpuError::FractionalSteps { requested: 17, available: 16, .. }),
        "{error}"
    );
    let mut unequal = equation.clone();
    unequal.fractional[1] = noises(&[0.3], 9, h).remove(0);
    let error = PathSolver::new(&gpu.f32(), unequal, Rounding::Free).err().unwrap();
    assert!(matches!(error, GpuError::FractionalSteps { requested: 9, available: 16, .. }));
    // 2^22 steps of two noises on a workgroup of paths take 2 GiB; numbers in place of standard deviations.
    let mut long = equation.clone();
    let noise = |stream| PathFractional { stream, standard_deviations: vec![1.0; (1 << 22) + 1] };
    long.fractional = vec![noise(FRACTIONAL), noise(FRACTIONAL + 1)];
    let error = refused(&free(&gpu, long), &grid(64, h, &[1]));
    println!("{error}");
    let bytes = (64 * 8) << 22;
    assert!(matches!(error, GpuError::Limit { bytes: found, .. } if found == bytes), "{error}");
    let solver = free(&gpu, equation);
    gpu.limit_memory(MemoryLimit::Bytes(4096)).unwrap();
    let error = refused(&solver, &grid(4000, h, &[16]));
    println!("{error}");
    assert!(matches!(error, GpuError::Limit { limit: 4096, .. }), "{error}");
}

#[test]
fn a_solve_with_fractional_noise_can_be_cancelled() {
    let Some(gpu) = device::gpu("a_solve_with_fractional_noise_can_be_cancelled") else { return };
    let (case, equation, h) = increments_of(&[0.7], 64);
    let grid = grid(1000, h, &[64]);
    let mut collected = Collected { cancel_after: 0, ..Collected::new(&case, &grid) };
    collected.path_steps = 1;
    let ended = free(&gpu, equation).solve(&grid, &mut collected).unwrap_err();
    assert!(matches!(ended, Ended::Cancelled));
    assert_eq!(collected.path_steps, 1, "before the first step");
}
