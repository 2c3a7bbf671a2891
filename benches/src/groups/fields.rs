//! Fields: memories of many components, and partial differential equations.

use super::INSIDE;
use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, each, floor, label, number, ratio, size, time};
use crate::measure::interleaved;
use hpfracc::pde::models::{AllenCahn, Diffusion};
use hpfracc::pde::{Equation, Settings, TimeScheme, graded_steps, solve, solve_linear};
use hpfracc::spatial::{Axis, Boundary, BoxGrid, TimeDerivative};
use hpfracc_ode::Steps;
use hpfracc_ode::history::{HistoryChoice, Kernel, Rule};
use hpfracc_operators::SumOfExponentials;
use std::hint::black_box;

/// Steps of a memory.
const STEPS: usize = 160;

/// A push and a sum a step of many components, beside the copy of their states once in 16 steps.
pub(crate) fn memory(bench: &mut Bench) {
    bench.note(
        "Weights of the product trapezoid of order 0.6 within 1e-12, each component and step. Floor: a copy of the \
         states (K numbers for each component) once in 16 steps. Components beyond the cache take all threads.",
    );
    bench.columns("states | N | K | build | memory | copy | memory / copy");
    let sizes: &[usize] =
        if bench.quick { &[10_000] } else { &[1000, 10_000, 100_000, 200_000, 1_000_000] };
    let tolerance = 1e-12;
    let kernels = [Kernel::product(Rule::Trapezoid, &[0.6], 1.0)];
    let power = SumOfExponentials::of_power(0.4, (1.0, STEPS as f64 + 1.0), tolerance);
    let count = power.expect(INSIDE).rates().len();
    for (name, bytes, choice) in [
        ("f64", 8, HistoryChoice::Exponentials { tolerance }),
        ("f32", 4, HistoryChoice::SingleExponentials { tolerance }),
    ] {
        for &n in sizes {
            let build = || choice.build(&kernels, n, STEPS).expect(INSIDE);
            let f: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut sum = vec![0.0; n];
            let states = vec![1u8; n * count * bytes];
            let mut copied = states.clone();
            let [construction, all, copy] = interleaved(
                bench.budget.at_most(if n > 50_000 { 3 } else { 10 }),
                [
                    &mut || drop(black_box(build())),
                    &mut || {
                        let mut history = build();
                        for _ in 0..STEPS {
                            history.push(&f).expect(INSIDE);
                            history.sum_into(0, &mut sum).expect(INSIDE);
                        }
                        black_box(&mut sum);
                    },
                    &mut || {
                        copied.copy_from_slice(&states);
                        black_box(&mut copied);
                    },
                ],
            );
            let steps = all.beyond(&construction).scaled(1.0 / (STEPS * n) as f64);
            let copy = copy.scaled(1.0 / (16 * n) as f64);
            bench.row([
                label(name),
                size(n),
                number(count as f64, 0),
                time(&construction),
                time(&steps),
                floor(&copy),
                ratio(&steps, &copy),
            ]);
        }
    }
}

fn grid(n: usize, axes: u32) -> BoxGrid {
    let axis = || Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).expect(INSIDE);
    BoxGrid::new((0..axes).map(|_| axis()).collect()).expect(INSIDE)
}

fn wavy(x: &[f64]) -> f64 {
    0.8 * x.iter().map(|x| (7.0 * x + 0.3).cos()).product::<f64>()
}

/// Linear equations without time steps.
pub(crate) fn linear(bench: &mut Bench) {
    bench.note("D^0.6 u = Lap u with insulated walls at one time to 1e-10, planned anew.");
    bench.columns("axes | cells | time | a cell");
    let planes: &[usize] = if bench.quick { &[256] } else { &[256, 1024] };
    for (axes, sizes) in [(1u32, &[1000][..]), (2, planes)] {
        for &n in sizes {
            let equation = Diffusion { alpha: 0.6, kappa: 1.0 }.equation(grid(n, axes));
            let equation = equation.and_then(|e| e.start_from(wavy)).expect(INSIDE);
            let [solved] = interleaved(
                bench.budget.at_most(5),
                [&mut || drop(black_box(solve_linear(&equation, &[0.1], 1e-10).expect(INSIDE)))],
            );
            let cells = n.pow(axes);
            bench.row([label(axes), size(cells), time(&solved), each(&solved, cells as f64)]);
        }
    }
}

/// The Allen-Cahn equation on graded steps.
pub(crate) fn front(bench: &mut Bench) {
    bench.note(
        "D^0.6 u = 4e-4 Lap u + u - u^3 up to t = 1 on graded steps, exponentials within 1e-8 (f64) and 1e-7 (f32).",
    );
    bench.columns(
        "axes | scheme | states | cells | steps | time | a cell and step | iterations | memory",
    );
    let double = HistoryChoice::Exponentials { tolerance: 1e-8 };
    let single = HistoryChoice::SingleExponentials { tolerance: 1e-7 };
    let (newton, imex) = (TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit);
    let mut cases = vec![
        (1u32, newton, double, 1000, 250),
        (1, newton, single, 1000, 250),
        (1, TimeScheme::L1, double, 1000, 250),
        (2, newton, single, 64, 100),
        (2, imex, single, 64, 100),
    ];
    if !bench.quick {
        cases.extend([
            (1, newton, double, 10_000, 1000),
            (1, newton, single, 10_000, 1000),
            (1, TimeScheme::L1, double, 10_000, 1000),
            (1, newton, double, 10_000, 2000),
            (1, newton, double, 40_000, 1000),
            (1, newton, double, 160_000, 1000),
            (2, newton, single, 256, 100),
            (2, imex, single, 256, 100),
            (2, newton, single, 1024, 500),
            (2, imex, single, 1024, 500),
        ]);
    }
    for (axes, scheme, history, n, steps) in cases {
        let model = AllenCahn { alpha: 0.6, epsilon: 0.02 };
        let equation = model.equation(grid(n, axes)).and_then(|e| e.start_from(wavy));
        let equation = equation.expect(INSIDE);
        let mut iterations = 0;
        let mut run = || {
            let steps = Some(graded_steps(0.6, steps).expect(INSIDE));
            let settings = Settings { steps, scheme, history, ..Settings::default() };
            let solution = solve(&equation, 1.0, settings).expect(INSIDE);
            iterations = solution.statistics().newton_iterations;
        };
        let cells = n.pow(axes);
        let rounds = if cells * steps > 100_000_000 { 1 } else { 3 };
        let mut memory = 0.0;
        let [solved] =
            interleaved(bench.budget.at_most(rounds), [&mut || memory = peak_bytes(&mut run)]);
        bench.row([
            label(axes),
            label(format!("{scheme:?}")),
            label(if history == double { "f64" } else { "f32" }),
            size(cells),
            size(steps),
            time(&solved),
            each(&solved, (cells * steps) as f64),
            number(iterations as f64 / steps as f64, 2),
            bytes(memory),
        ]);
    }
}

/// Steps of one, several, distributed and variable orders.
pub(crate) fn orders(bench: &mut Bench) {
    bench.note(
        "The Allen-Cahn equation as in fields/front by L1 on 160 graded steps, implicit-explicit: one order 0.6, five from 0.2 to \
         0.8, 32 nodes of a distributed order, and 0.8 - 0.4 t.",
    );
    bench.columns("cells | derivative | time | a cell and step | of one order");
    let sizes: &[usize] = if bench.quick { &[1000] } else { &[1000, 10_000, 100_000] };
    for &n in sizes {
        let model = AllenCahn { alpha: 0.6, epsilon: 0.02 };
        let equation = model.equation(grid(n, 1)).and_then(|e| e.start_from(wavy));
        let equation = equation.expect(INSIDE);
        let sum = |terms: Vec<(f64, f64)>| {
            let sum = TimeDerivative::multi_term(&terms).expect(INSIDE);
            equation.clone().time_derivative(0, sum).expect(INSIDE)
        };
        let of = |count: usize| {
            let term = |j: usize| (1.0 / count as f64, 0.2 + 0.6 * j as f64 / (count - 1) as f64);
            sum((0..count).map(term).collect())
        };
        let variable = equation.clone().variable_order(0, |t| 0.8 - 0.4 * t).expect(INSIDE);
        let cases = [equation.clone(), of(5), of(32), variable];
        let run = |equation: &Equation<'_>| {
            let steps = Some(Steps::Graded { n: STEPS, exponent: 2.5 });
            let scheme = TimeScheme::ImplicitExplicit;
            let settings = Settings { steps, scheme, ..Settings::default() };
            black_box(solve(equation, 1.0, settings).expect(INSIDE));
        };
        let [one, five, distributed, moving] = &cases;
        let times = interleaved(
            bench.budget.at_most(3),
            [&mut || run(one), &mut || run(five), &mut || run(distributed), &mut || run(moving)],
        );
        for (name, solved) in ["one", "five", "32 nodes", "variable"].iter().zip(&times) {
            bench.row([
                size(n),
                label(name),
                time(solved),
                each(solved, (n * STEPS) as f64),
                ratio(solved, &times[0]),
            ]);
        }
    }
}
