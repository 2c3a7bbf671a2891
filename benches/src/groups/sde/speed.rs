//! Paths times steps per second.

use super::{GEOMETRIC, INSIDE, Linear, ORNSTEIN_UHLENBECK, run, short};
use crate::bench::Bench;
use crate::cell::{floor, label, number, rate, ratio, reference_time, size, time};
use crate::groups::noise::normals;
use crate::measure::interleaved;
use crate::peak;
use crate::threads::pool;
use hpfracc_operators::SumOfExponentials;
use hpfracc_sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory, StochasticScheme,
};
use std::hint::black_box;

const NODES: usize = 1000;

/// Moments at the end only.
fn solve<C: StochasticScheme<f32>>(equation: (Linear, f64), scheme: &C, paths: usize) {
    let ensemble = Ensemble::new(paths, NODES).expect(INSIDE);
    black_box(run(equation, scheme, &ensemble, &Moments));
}

/// Without memory, on one core.
pub(crate) fn ensembles(bench: &mut Bench) {
    let paths = if bench.quick { 1_024 } else { 100_000 };
    bench.note(format!("Beside: the normals alone. Paths of {NODES} steps, f32, one core."));
    bench.columns(
        "equation | paths | normals | ensemble | path steps a second | ensemble / normals",
    );
    let budget = short(bench.budget, bench.quick);
    pool(1).install(|| {
        for (name, system) in
            [("geometric Brownian motion", GEOMETRIC), ("Ornstein-Uhlenbeck", ORNSTEIN_UHLENBECK)]
        {
            let mut least = || normals(paths * NODES);
            let mut work = || solve((system, 1.0), &EulerMaruyama, paths);
            let [least, work] = interleaved(budget, [&mut least, &mut work]);
            bench.row([
                label(name),
                size(paths),
                reference_time(&least),
                time(&work),
                rate((paths * NODES) as f64, &work),
                ratio(&work, &least),
            ]);
        }
    });
}

/// With memory, as sums of exponentials, on one core.
pub(crate) fn memories(bench: &mut Bench) {
    let paths = if bench.quick { 1_024 } else { 100_000 };
    bench.note(format!(
        "D^0.7 X = -X + 0.3 dW. Floor: two multiply-adds a node at the peak of a core; beside it the normals. Paths \
         of {NODES} steps, f32, one core."
    ));
    bench.columns(
        "memory within | paths | nodes | multiply-adds | normals | ensemble | \
         path steps a second | ensemble / both",
    );
    let budget = short(bench.budget, bench.quick);
    pool(1).install(|| {
        for tolerance in [1e-3, 1e-4, 1e-6] {
            let h = 1.0 / NODES as f64;
            let power = SumOfExponentials::of_power(0.3, (h, 1.0), tolerance).expect(INSIDE);
            let nodes = power.rates().len();
            let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
            let mut drawn = || normals(paths * NODES);
            let mut work = || solve((ORNSTEIN_UHLENBECK, 0.7), &scheme, paths);
            let times = interleaved(budget, [&mut peak::double, &mut drawn, &mut work]);
            let [products, drawn, work] = times;
            // Twice as many lanes in single precision.
            let products = peak::time_of(&products, (nodes * paths * NODES) as f64);
            bench.row([
                label(format!("{tolerance:e}")),
                size(paths),
                number(nodes as f64, 0),
                floor(&products),
                reference_time(&drawn),
                time(&work),
                rate((paths * NODES) as f64, &work),
                ratio(&work, &products.plus(&drawn)),
            ]);
        }
    });
}

/// One thread against two.
pub(crate) fn threads(bench: &mut Bench) {
    let paths = if bench.quick { 4_096 } else { 100_000 };
    bench.note(format!("Paths of {NODES} steps, f32. Beside: half the time of one thread."));
    bench.columns(
        "equation | paths | one thread | half of it | two threads | two threads / half | \
         one / two threads",
    );
    let (one, two) = (pool(1), pool(2));
    let budget = short(bench.budget, bench.quick);
    let memory = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-4 });
    let rows: [(&str, &(dyn Fn() + Sync)); 2] = [
        ("geometric Brownian motion", &|| solve((GEOMETRIC, 1.0), &EulerMaruyama, paths)),
        ("alpha = 0.7, memory within 1e-4", &|| solve((ORNSTEIN_UHLENBECK, 0.7), &memory, paths)),
    ];
    for (name, work) in rows {
        let (mut first, mut second) = (|| one.install(work), || two.install(work));
        let [first, second] = interleaved(budget, [&mut first, &mut second]);
        let half = first.scaled(0.5);
        bench.row([
            label(name),
            size(paths),
            time(&first),
            reference_time(&half),
            time(&second),
            ratio(&second, &half),
            ratio(&first, &second),
        ]);
    }
}
