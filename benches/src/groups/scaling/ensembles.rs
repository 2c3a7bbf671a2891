//! Ensembles, from a thousand paths to ten millions, and on more and more threads.

use super::{Curve, exponents, measured, sizes};
use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, each, label, ratio, reference_time, size, time};
use crate::fit::Theory;
use crate::groups::INSIDE;
use crate::groups::sde::{GEOMETRIC, ORNSTEIN_UHLENBECK, run};
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_sde::{Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory};
use std::hint::black_box;

const STEPS: usize = 100;
const EVERY: usize = 10;

/// What is solved, by the number of paths.
type Solve<'a> = (&'a str, &'a (dyn Fn(usize) + Sync));

/// Time and memory by paths, and by threads.
pub(crate) fn ensembles(bench: &mut Bench) {
    let memory = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-4 });
    let of = |paths: usize| {
        Ensemble::new(paths, STEPS).and_then(|all| all.saving_every(EVERY)).expect(INSIDE)
    };
    let solves: [Solve<'_>; 2] = [
        ("geometric Brownian motion", &|paths| {
            black_box(run((GEOMETRIC, 1.0), &EulerMaruyama, &of(paths), &Moments));
        }),
        ("alpha = 0.7, memory within 1e-4", &|paths| {
            black_box(run((ORNSTEIN_UHLENBECK, 0.7), &memory, &of(paths), &Moments));
        }),
    ];
    let mut curves = Vec::new();
    by_paths(bench, &solves, &mut curves);
    by_threads(bench, &solves, &mut curves);
    exponents(bench, &curves);
}

fn by_paths(bench: &mut Bench, solves: &[Solve<'_>], curves: &mut Vec<Curve>) {
    bench.note(format!(
        "Paths of {STEPS} steps, f32, moments at every {EVERY}th, one core. Memory: the most that a solve holds at \
         once."
    ));
    bench.columns("equation | paths | time | a step of a path | memory");
    let pool = pool(1);
    let most = if bench.quick { 100_000 } else { 10_000_000 };
    for (name, solve) in solves {
        let mut times = Curve::new(&format!("{name}, by paths"), "time", Theory::LINEAR);
        let mut memory = Curve::new(&format!("{name}, by paths"), "memory", Theory::CONSTANT);
        for paths in sizes(1000, most) {
            let (whole, held) = measured(bench.budget, &mut || pool.install(|| solve(paths)));
            times.push(paths, whole.least);
            memory.push(paths, held);
            let step = each(&whole, (paths * STEPS) as f64);
            bench.row([label(name), size(paths), time(&whole), step, bytes(held)]);
        }
        curves.extend([times, memory]);
    }
}

fn by_threads(bench: &mut Bench, solves: &[Solve<'_>], curves: &mut Vec<Curve>) {
    let paths = if bench.quick { 30_000 } else { 300_000 };
    bench.note(format!(
        "{paths} paths by threads. Beside: the part of the time of one thread that each of them would have."
    ));
    bench.columns("equation | threads | part of one | time | time / part | memory");
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let doubled = std::iter::successors(Some(1), |threads| Some(2 * threads));
    let counts: Vec<usize> = doubled.take_while(|threads| *threads < all).chain([all]).collect();
    let alone = pool(1);
    for (name, solve) in solves {
        let mut times = Curve::new(&format!("{name}, by threads"), "time", Theory::INVERSE);
        let mut memory = Curve::new(&format!("{name}, by threads"), "memory", Theory::LINEAR);
        for &threads in &counts {
            let pool = pool(threads);
            let held = peak_bytes(|| pool.install(|| solve(paths)));
            let [one, several] = interleaved(
                bench.budget.at_most(9),
                [&mut || alone.install(|| solve(paths)), &mut || pool.install(|| solve(paths))],
            );
            times.push(threads, several.least);
            memory.push(threads, held);
            let least = one.scaled(1.0 / threads as f64);
            bench.row([
                label(name),
                size(threads),
                reference_time(&least),
                time(&several),
                ratio(&several, &least),
                bytes(held),
            ]);
        }
        curves.extend([times, memory]);
    }
}
