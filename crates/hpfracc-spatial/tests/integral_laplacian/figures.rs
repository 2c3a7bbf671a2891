//! Figures for the documentation: `cargo test --release -p hpfracc-spatial --test integral_laplacian
//! figures -- --ignored --nocapture`.

use crate::{ball_solution, interval_solution, square};
use hpfracc_spatial::{
    IntegralLaplacian, IntegralLaplacian1d, SkewedLaplacian1d, SpatialOperator, Stopping,
};
use std::time::Instant;

fn report(what: &str, started: Instant, iterations: usize, errors: [f64; 3]) {
    let [max, l2, inside] = errors;
    println!(
        "{what}: max {max:.1e} L2 {l2:.1e} inside {inside:.1e}, {iterations} iterations, {:.3} s",
        started.elapsed().as_secs_f64()
    );
}

fn errors(h: f64, points: impl Iterator<Item = (f64, f64)>) -> [f64; 3] {
    let [mut max, mut sum, mut inside] = [0.0_f64; 3];
    for (radius, error) in points {
        max = max.max(error.abs());
        sum += h * error * error;
        if radius < 0.5 {
            inside = inside.max(error.abs());
        }
    }
    [max, sum.sqrt(), inside]
}

#[test]
#[ignore = "prints figures"]
fn figures_of_the_interval() {
    for alpha in [0.5, 1.0, 1.5] {
        for n in [255, 1023, 4095, 65_535] {
            for corrected in [false, true] {
                let laplacian = IntegralLaplacian1d::new(alpha, (-1.0, 1.0), n).unwrap();
                let laplacian =
                    if corrected { laplacian.with_boundary_correction() } else { laplacian };
                let laplacian = laplacian
                    .with_stopping(Stopping { tolerance: 1e-10, iterations: 100 })
                    .unwrap();
                let x = laplacian.nodes();
                for (name, degree) in [("1", 0), ("x", 1), ("G2", 2), ("G3", 3)] {
                    let (f, exact) = interval_solution(alpha, degree, &x);
                    let started = Instant::now();
                    let solution = laplacian.poisson(&f).unwrap();
                    let points = x.iter().zip(&solution.values).zip(&exact);
                    let found = errors(2.0 / n as f64, points.map(|((x, u), e)| (x.abs(), u - e)));
                    let what = format!("alpha {alpha} n {n} corrected {corrected} f = {name}");
                    report(&what, started, solution.iterations, found);
                }
            }
        }
    }
}

#[test]
#[ignore = "prints figures"]
fn figures_of_the_ball() {
    for d in [2, 3] {
        for alpha in [0.5, 1.0, 1.5] {
            let sizes: &[usize] = if d == 2 { &[63, 127, 255] } else { &[31, 63] };
            for n in sizes {
                let started = Instant::now();
                let axes = vec![(-1.0, 1.0, *n); d];
                let laplacian =
                    IntegralLaplacian::inside(alpha, &axes, |x| square(x) < 1.0).unwrap();
                let plan = started.elapsed().as_secs_f64();
                let nodes = laplacian.nodes();
                let f = vec![1.0; nodes.len()];
                let started = Instant::now();
                let solution = laplacian.poisson(&f).unwrap();
                let error = |(x, u): (&Vec<f64>, &f64)| {
                    (square(x).sqrt(), u - ball_solution(alpha, d, square(x)))
                };
                let h = (2.0 / (*n as f64 + 1.0)).powi(d as i32);
                let found = errors(h, nodes.iter().zip(&solution.values).map(error));
                let what = format!("ball d {d} alpha {alpha} n {n} plan {plan:.3} s");
                report(&what, started, solution.iterations, found);
            }
        }
    }
}

/// u = (1 - |x|^2)^s x_0 has the force 2^alpha Gamma(d/2 + 1 + s) Gamma(1 + s) / Gamma(d/2 + 1) x_0.
#[test]
#[ignore = "prints figures"]
fn figures_of_the_correction_on_a_ball() {
    for alpha in [0.5, 1.0, 1.5] {
        for n in [31, 63, 127, 255] {
            for linear in [false, true] {
                let axes = [(-1.0, 1.0, n); 2];
                let laplacian =
                    IntegralLaplacian::inside(alpha, &axes, |x| square(x) < 1.0).unwrap();
                let laplacian = laplacian.with_ball_correction(&[0.0, 0.0], 1.0).unwrap();
                let nodes = laplacian.nodes();
                let factor = |x: &[f64]| if linear { x[0] } else { 1.0 };
                let force = 1.0 / ball_solution(alpha, if linear { 4 } else { 2 }, 0.0);
                let f: Vec<f64> = nodes.iter().map(|x| force * factor(x)).collect();
                let started = Instant::now();
                let solution = laplacian.poisson(&f).unwrap();
                let error = |(x, u): (&Vec<f64>, &f64)| {
                    let exact = (1.0 - square(x)).powf(0.5 * alpha) * factor(x);
                    (square(x).sqrt(), u - exact)
                };
                let h = (2.0 / (n as f64 + 1.0)).powi(2);
                let found = errors(h, nodes.iter().zip(&solution.values).map(error));
                let what = format!("corrected disk alpha {alpha} n {n} linear {linear}");
                report(&what, started, solution.iterations, found);
            }
        }
    }
}

#[test]
#[ignore = "prints figures"]
fn figures_of_parts() {
    for n in [127, 255] {
        let axes = [(-1.0, 1.0, n); 2];
        let laplacian = IntegralLaplacian::inside(1.5, &axes, |x| square(x) < 1.0).unwrap();
        let x = vec![1.0; laplacian.len()];
        let mut y = x.clone();
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let started = Instant::now();
            laplacian.apply(&x, &mut y);
            best = best.min(started.elapsed().as_secs_f64());
        }
        let mut solve = f64::INFINITY;
        let mut iterations = 0;
        for _ in 0..10 {
            let started = Instant::now();
            iterations = laplacian.poisson(&x).unwrap().iterations;
            solve = solve.min(started.elapsed().as_secs_f64());
        }
        let each = solve / iterations as f64;
        println!("n {n}: apply {best:.2e} s, solve {solve:.3} s, iteration {each:.2e} s");
    }
}

#[test]
#[ignore = "prints figures"]
fn figures_of_skewed_operators() {
    for n in [255, 4095] {
        let report = |what: &str, operator: SkewedLaplacian1d| {
            let started = Instant::now();
            let found = operator.poisson(&vec![1.0; n]).map(|solution| solution.iterations);
            let seconds = started.elapsed().as_secs_f64();
            println!("n {n} {what}: {found:?} iterations, {seconds:.3} s");
        };
        for alpha in [0.5, 1.2, 1.5, 1.8] {
            for weights in [[1.0, 0.0], [1.0, 0.5]] {
                let operator =
                    SkewedLaplacian1d::grunwald_letnikov(alpha, weights, (0.0, 1.0), n).unwrap();
                report(&format!("alpha {alpha} weights {weights:?}"), operator);
            }
        }
        for (alpha, theta) in [(0.5, 0.5), (1.0, 0.5), (1.0, 0.9), (1.5, 0.25), (1.5, 0.5)] {
            let operator = SkewedLaplacian1d::riesz_feller(alpha, theta, (0.0, 1.0), n).unwrap();
            report(&format!("alpha {alpha} theta {theta}"), operator);
        }
    }
}
