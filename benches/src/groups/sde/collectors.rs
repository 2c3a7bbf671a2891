//! What collecting costs, in time and in memory.

use super::{GEOMETRIC, INSIDE, ORNSTEIN_UHLENBECK, run, short};
use crate::allocated::{peak_bytes, resident_kib};
use crate::bench::Bench;
use crate::cell::{bytes, each, label, nothing, reference_time, size};
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_sde::{Ensemble, EulerMaruyama, Moments, Paths, Quantiles};
use std::hint::black_box;

const STEPS: usize = 1000;

fn quantiles() -> Quantiles {
    Quantiles::new(&[0.05, 0.25, 0.5, 0.75, 0.95]).expect(INSIDE)
}

/// The time of each value that is recorded, beyond a solve that keeps one moment.
pub(crate) fn collectors(bench: &mut Bench) {
    let paths = if bench.quick { 1_024 } else { 50_000 };
    bench.note(format!(
        "Paths of {STEPS} steps, f32, one core: the time of each value that is kept, beyond the same solve \
         with moments of the last node only."
    ));
    bench.columns(
        "equation | paths | every | the last node only | moments | quantiles | both | all paths",
    );
    let budget = short(bench.budget, bench.quick);
    pool(1).install(|| {
        for (name, system) in
            [("geometric Brownian motion", GEOMETRIC), ("Ornstein-Uhlenbeck", ORNSTEIN_UHLENBECK)]
        {
            for every in [100, 10] {
                let equation = (system, 1.0);
                let last = Ensemble::new(paths, STEPS).expect(INSIDE);
                let all = last.clone().saving_every(every).expect(INSIDE);
                let [least, moments, quantiles, both, whole] = interleaved(
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
                let beyond = [moments, quantiles, both, whole].map(|time| time.beyond(&least));
                let [moments, quantiles, both, whole] = beyond.map(|time| each(&time, values));
                let (name, paths, every) = (label(name), size(paths), size(every));
                bench.row([
                    name,
                    paths,
                    every,
                    reference_time(&least),
                    moments,
                    quantiles,
                    both,
                    whole,
                ]);
            }
        }
    });
}

/// What more and more paths hold.
pub(crate) fn resident(bench: &mut Bench) {
    bench.note(
        "Moments and quantiles of Ornstein and Uhlenbeck's process at 11 times, two threads: the most bytes that a \
         solve holds at once, and what the system says of the whole process after it.",
    );
    bench.columns("paths | held at once | resident set");
    let sizes: &[usize] = if bench.quick {
        &[10_000, 100_000, 1_000_000]
    } else {
        &[10_000, 100_000, 1_000_000, 10_000_000]
    };
    let pool = pool(2);
    for &paths in sizes {
        let ensemble = Ensemble::new(paths, 10).expect(INSIDE).saving_every(1).expect(INSIDE);
        let (both, equation) = ((Moments, quantiles()), (ORNSTEIN_UHLENBECK, 1.0));
        let solve = || pool.install(|| run(equation, &EulerMaruyama, &ensemble, &both));
        let held = peak_bytes(solve);
        let resident = resident_kib().map_or_else(nothing, |kib| bytes(1024.0 * kib as f64));
        bench.row([size(paths), bytes(held), resident]);
    }
}
