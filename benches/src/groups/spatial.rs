//! Operators on fields: boxes, the integral fractional Laplacian, graphs.

use super::INSIDE;
use crate::bench::Bench;
use crate::cell::{each, floor, label, number, ratio, size, time};
use crate::measure::{Time, interleaved};
use hpfracc::spatial::{
    Axis, Boundary, BoxGrid, Complex64, Contour, Diffusion, Function, Graph, GraphLaplacian,
    IntegralLaplacian, IntegralLaplacian1d, Laplacian, Modes, OperatorFunction, SpatialOperator,
    Stopping, Way,
};
use hpfracc_cpu::Fft;
use rustfft::FftPlanner;
use std::hint::black_box;

fn square(n: usize, boundary: Boundary) -> BoxGrid {
    let axis = || Axis::new(0.0, 1.0, n, [boundary; 2]).expect(INSIDE);
    BoxGrid::new(vec![axis(), axis()]).expect(INSIDE)
}

/// Transforms of a plane to the modes of its Laplacian and back, beside Fourier transforms of as many
/// lines.
pub(crate) fn plane(bench: &mut Bench) {
    bench.note(
        "Each value of a plane, one thread. Floor: complex Fourier transforms of n/2 lines, two axes, there and back.",
    );
    bench.columns(
        "boundary | n | modes and back | real solve | apply | transforms | modes / transforms",
    );
    let sizes: &[usize] = if bench.quick { &[256] } else { &[256, 1024] };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for &n in sizes {
        let values = (n * n) as f64;
        let mut planner = FftPlanner::<f64>::new();
        let plans = [planner.plan_fft_forward(n), planner.plan_fft_inverse(n)];
        let mut scratch = vec![Complex64::ZERO; plans[0].get_inplace_scratch_len()];
        let mut lines = vec![Complex64::ZERO; n * n / 2];
        for boundary in [Boundary::Dirichlet, Boundary::Neumann, Boundary::Periodic] {
            let a = Laplacian::new(square(n, boundary), &[1.0, 1.0]).expect(INSIDE);
            let solver = a.shifted(Complex64::ONE).expect(INSIDE);
            let ones = vec![1.0; n * n];
            let (mut x, mut b, mut y) = (ones.clone(), ones.clone(), ones.clone());
            let [modes, solve, apply, transforms]: [Time; 4] = pool.install(|| {
                interleaved(
                    bench.budget.at_most(10),
                    [
                        &mut || {
                            a.to_modes(&mut x);
                            a.to_values(&mut x);
                        },
                        &mut || {
                            b.fill(1.0);
                            solver.solve_real(&mut b).expect(INSIDE);
                        },
                        &mut || a.apply(&ones, black_box(&mut y)),
                        &mut || {
                            for plan in plans.iter().cycle().take(4) {
                                plan.process_with_scratch(&mut lines, &mut scratch);
                            }
                            black_box(&mut lines);
                        },
                    ],
                )
            });
            bench.row([
                label(format!("{boundary:?}")),
                size(n),
                each(&modes, values),
                each(&solve, values),
                each(&apply, values),
                floor(&transforms.scaled(1.0 / values)),
                ratio(&modes, &transforms),
            ]);
        }
    }
}

/// A function of the Laplacian of a plane by its own transforms and by a backend, beside copies of as
/// many bytes as the passes of the backend read and write.
pub(crate) fn backends(bench: &mut Bench) {
    bench.note(
        "exp(-t A) u on a plane in f64, each value, one thread: `OperatorFunction` with `Way::Modes`, and on `cpu-fft`. \
         Floor: three copies of the field, one for each pass.",
    );
    bench.columns(
        "boundary | n | own transforms | cpu-fft | cpu-fft / own | copies | cpu-fft / copies",
    );
    let sizes: &[usize] = if bench.quick { &[256] } else { &[256, 1024] };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for &n in sizes {
        let values = (n * n) as f64;
        let u: Vec<f64> = (0..n * n).map(|i| (0.01 * i as f64).sin()).collect();
        let [mut x, mut y, mut copy] = [(); 3].map(|()| vec![0.0; n * n]);
        for boundary in [Boundary::Dirichlet, Boundary::Neumann, Boundary::Periodic] {
            let a = Laplacian::new(square(n, boundary), &[1.0, 1.0]).expect(INSIDE);
            let heat = Function::Exponential { t: 1e-3 };
            let own = OperatorFunction::new(&a, heat, Way::Modes, 1e-10).expect(INSIDE);
            let backend = OperatorFunction::on(&a, heat, &Fft::new()).expect(INSIDE);
            let [own, backend, copies]: [Time; 3] = pool.install(|| {
                interleaved(
                    bench.budget.at_most(10),
                    [
                        &mut || own.apply(&u, &mut x).expect(INSIDE),
                        &mut || backend.apply(&u, &mut y).expect(INSIDE),
                        &mut || {
                            for _ in 0..3 {
                                copy.copy_from_slice(black_box(&u));
                                black_box(&mut copy);
                            }
                        },
                    ],
                )
            });
            bench.row([
                label(format!("{boundary:?}")),
                size(n),
                each(&own, values),
                each(&backend, values),
                ratio(&backend, &own),
                floor(&copies.scaled(1.0 / values)),
                ratio(&backend, &copies),
            ]);
        }
    }
}

/// Relaxation of a line by a contour of tridiagonal solves, and variable coefficients of a plane.
pub(crate) fn shifted(bench: &mut Bench) {
    bench.note(
        "E_0.6(-t^0.6 A) u to 1e-10 by a contour, planned anew; and 12 complex solves to 1e-8.",
    );
    bench.columns("operator | N | time | solves");
    let n = 1000;
    let axis = Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).expect(INSIDE);
    let line = Diffusion::new(BoxGrid::new(vec![axis]).expect(INSIDE), |x| 1.0 + x[0]);
    let line = line.expect(INSIDE);
    let u: Vec<f64> = (0..n).map(|i| (0.01 * i as f64).sin()).collect();
    let (highest, times) = (line.spectrum().highest, [0.01, 0.01]);
    let contour = Contour::new(0.6, times, 1e-10, highest).expect(INSIDE);
    let solves = contour.shifts().len();
    let mut y = vec![0.0; n];
    let [relaxed] = interleaved(
        bench.budget,
        [&mut || {
            let function = Function::MittagLeffler { alpha: 0.6, t: 0.01 };
            let f = OperatorFunction::new(&line, function, Way::Contour, 1e-10).expect(INSIDE);
            f.apply(&u, &mut y).expect(INSIDE);
        }],
    );
    bench.row([label("variable line, contour"), size(n), time(&relaxed), number(solves as f64, 0)]);
    let n = if bench.quick { 64 } else { 256 };
    let kappa = |p: &[f64]| (2.0 * (6.0 * p[0]).sin() * (5.0 * p[1]).cos()).exp();
    let plane = Diffusion::new(square(n, Boundary::Dirichlet), kappa).expect(INSIDE);
    let stopping = Stopping { tolerance: 1e-8, ..Stopping::default() };
    let plane = plane.with_stopping(stopping).expect(INSIDE);
    let [all] = interleaved(
        bench.budget.at_most(2),
        [&mut || {
            for k in 0..12 {
                // The hyperbola of Weideman and Trefethen with 12 nodes at t = 1.
                let u = Complex64::new(0.0, (k as f64 + 0.5) * 1.0818 / 12.0);
                let z = (4.4921 * 12.0 * (1.0 + (u - 1.1721).sin())).powf(0.6);
                let mut x: Vec<Complex64> =
                    (0..n * n).map(|i| Complex64::from((i % 7) as f64)).collect();
                plane.shifted(z).expect(INSIDE).solve(&mut x).expect(INSIDE);
            }
        }],
    );
    bench.row([label("variable plane"), size(n * n), time(&all), number(12.0, 0)]);
}

/// The integral fractional Poisson equation, zero outside.
pub(crate) fn integral(bench: &mut Bench) {
    bench.note(
        "(-Lap)^(alpha/2) u = 1 to a residual of 1e-10, on an interval and on a disk in a square.",
    );
    bench.columns("domain | alpha | N | build | solve | iterations");
    let stopping = Stopping { tolerance: 1e-10, iterations: 200 };
    for alpha in [0.5, 1.0, 1.5] {
        let n = if bench.quick { 4095 } else { 65_535 };
        let build = || {
            let interval = IntegralLaplacian1d::new(alpha, (-1.0, 1.0), n).expect(INSIDE);
            interval.with_stopping(stopping).expect(INSIDE)
        };
        let interval = build();
        let (f, mut iterations) = (vec![1.0; n], 0);
        let [built, solved] = interleaved(
            bench.budget.at_most(5),
            [&mut || drop(black_box(build())), &mut || {
                iterations = interval.poisson(&f).expect(INSIDE).iterations;
            }],
        );
        poisson_row(bench, ("interval", alpha, n), (&built, &solved), iterations);
        let n = if bench.quick { 63 } else { 255 };
        let build = || {
            let disk = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 1.0;
            let disk = IntegralLaplacian::inside(alpha, &[(-1.0, 1.0, n); 2], disk);
            disk.and_then(|disk| disk.with_stopping(stopping)).expect(INSIDE)
        };
        let disk = build();
        let f = vec![1.0; disk.len()];
        let [built, solved] = interleaved(
            bench.budget.at_most(5),
            [&mut || drop(black_box(build())), &mut || {
                iterations = disk.poisson(&f).expect(INSIDE).iterations;
            }],
        );
        poisson_row(bench, ("disk", alpha, n * n), (&built, &solved), iterations);
    }
}

fn poisson_row(
    bench: &mut Bench,
    (domain, alpha, n): (&str, f64, usize),
    (built, solved): (&Time, &Time),
    iterations: usize,
) {
    bench.row([
        label(domain),
        label(alpha),
        size(n),
        time(built),
        time(solved),
        number(iterations as f64, 0),
    ]);
}

/// Graphs: one product, many columns beside a copy, and the square root of a normalised Laplacian.
pub(crate) fn graphs(bench: &mut Bench) {
    bench.note(
        "Preferential attachment, four edges a node. Floor: a copy of as many bytes as the product with 64 columns of \
         f32 reads, one thread.",
    );
    bench.columns("nodes | product | square root to 1e-8 | 64 columns | copy | columns / copy");
    let nodes = if bench.quick { 10_000 } else { 100_000 };
    let graph = Graph::preferential_attachment(nodes, 4, 1).expect(INSIDE);
    let a = GraphLaplacian::normalised(&graph).expect(INSIDE);
    let columns = 64;
    let x: Vec<f64> = (0..nodes).map(|i| (i as f64).sin()).collect();
    let (mut y, mut z) = (vec![0.0; nodes], vec![0.0; nodes]);
    let many: Vec<f32> = (0..nodes * columns).map(|i| (i % 97) as f32).collect();
    let mut products = vec![0.0f32; many.len()];
    // A row for each entry and for the diagonal.
    let entries = 2 * graph.edges().count() + nodes;
    let source = vec![1.0f32; entries * columns];
    let mut target = source.clone();
    let root = OperatorFunction::new(&a, Function::Power(0.5), Way::Lanczos, 1e-8).expect(INSIDE);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let [product, rooted, all, copy]: [Time; 4] = interleaved(
        bench.budget.at_most(5),
        [
            &mut || a.apply(&x, &mut y),
            &mut || root.apply(&x, &mut z).expect(INSIDE),
            &mut || pool.install(|| a.apply_columns(columns, &many, &mut products).expect(INSIDE)),
            &mut || {
                target.copy_from_slice(&source);
                black_box(&mut target);
            },
        ],
    );
    bench.row([
        size(nodes),
        time(&product),
        time(&rooted),
        time(&all),
        floor(&copy),
        ratio(&all, &copy),
    ]);
}
