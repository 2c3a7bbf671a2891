//! What collecting costs, in time and in memory.

use super::{GEOMETRIC, INSIDE, ORNSTEIN_UHLENBECK, pool, run, short};
use crate::bench::Bench;
use crate::groups::stream::resident_kib;
use crate::measure::interleaved;
use hpfracc_solvers::sde::{Ensemble, EulerMaruyama, Moments, Paths, Quantiles};
use std::hint::black_box;

const STEPS: usize = 1000;

fn quantiles() -> Quantiles {
    Quantiles::new(&[0.05, 0.25, 0.5, 0.75, 0.95]).expect(INSIDE)
}

/// Nanoseconds for each value that is recorded, beyond a solve that keeps one moment.
pub(crate) fn collectors(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 1_024 } else { 50_000 };
    println!("{paths} paths of {STEPS} steps, f32, one core; beyond moments of the last node.\n");
    println!("| equation | every | moments | quantiles | both | all paths | (nothing) |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let budget = short(budget, quick);
    pool(1).install(|| {
        for (name, system) in
            [("geometric Brownian motion", GEOMETRIC), ("Ornstein-Uhlenbeck", ORNSTEIN_UHLENBECK)]
        {
            for every in [100, 10] {
                let equation = (system, 1.0);
                let last = Ensemble::new(paths, STEPS).expect(INSIDE);
                let all = last.clone().saving_every(every).expect(INSIDE);
                let times = interleaved(
                    budget,
                    [
                        &mut || drop(black_box(run(equation, &EulerMaruyama, &last, &Moments))),
                        &mut || drop(black_box(run(equation, &EulerMaruyama, &all, &Moments))),
                        &mut || drop(black_box(run(equation, &EulerMaruyama, &all, &quantiles()))),
                        &mut || {
                            let both = (Moments, quantiles());
                            drop(black_box(run(equation, &EulerMaruyama, &all, &both)));
                        },
                        &mut || drop(black_box(run(equation, &EulerMaruyama, &all, &Paths))),
                    ],
                );
                let values = (paths * (STEPS / every + 1)) as f64;
                let each = |at: usize| (times[at].least - times[0].least) / values * 1e9;
                println!(
                    "| {name} | {every} | {:.2} ns | {:.2} ns | {:.2} ns | {:.2} ns | {:.1} ms |",
                    each(1),
                    each(2),
                    each(3),
                    each(4),
                    times[0].least * 1e3
                );
            }
        }
    });
}

/// The resident set after ensembles of more and more paths.
pub(crate) fn resident(bench: &mut Bench) {
    let quick = bench.quick;
    println!("Moments and quantiles of Ornstein and Uhlenbeck's process, 11 times, two threads.\n");
    println!("| paths | resident set | more than at 1e4 |");
    println!("|--:|--:|--:|");
    let sizes: &[usize] =
        if quick { &[10_000, 1_000_000] } else { &[10_000, 100_000, 1_000_000, 10_000_000] };
    let mut first = None;
    for &paths in sizes {
        let ensemble = Ensemble::new(paths, 10).expect(INSIDE).saving_every(1).expect(INSIDE);
        let both = (Moments, quantiles());
        let equation = (ORNSTEIN_UHLENBECK, 1.0);
        let result = pool(2).install(|| run(equation, &EulerMaruyama, &ensemble, &both));
        black_box(&result);
        match resident_kib() {
            None => println!("| {paths} | not known on this system | |"),
            Some(kib) => {
                let first = *first.get_or_insert(kib);
                let more = (kib as f64 - first as f64) / 1024.0;
                println!("| {paths} | {:.2} MiB | {more:.2} MiB |", kib as f64 / 1024.0);
            }
        }
    }
}
