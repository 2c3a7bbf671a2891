//! Paths times steps per second.

use super::{GEOMETRIC, INSIDE, Linear, ORNSTEIN_UHLENBECK, pool, run, short};
use crate::bench::Bench;
use crate::measure::interleaved;
use crate::peak;
use hpfracc_operators::SumOfExponentials;
use hpfracc_solvers::noise::{Normals, Purpose, STEPS, Stream};
use hpfracc_solvers::sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory, StochasticScheme,
};
use std::hint::black_box;

const NODES: usize = 1000;

/// Moments at the end only.
fn solve<C: StochasticScheme<f32>>(equation: (Linear, f64), scheme: &C, paths: usize) {
    let ensemble = Ensemble::new(paths, NODES).expect(INSIDE);
    black_box(run(equation, scheme, &ensemble, &Moments));
}

/// As many normals, and nothing else.
fn normals(count: usize) {
    let (normals, lanes) = (Normals::new(7), 256);
    let stream = Stream::new(Purpose::Brownian, 0).expect(INSIDE);
    let mut rows = vec![0f32; STEPS * lanes];
    for block in 0..(count / rows.len()) as u32 {
        normals.fill(stream, block, 0, &mut rows);
        black_box(&rows);
    }
}

/// Without memory, on one core.
pub(crate) fn ensembles(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 1_024 } else { 100_000 };
    let count = (paths * NODES) as f64;
    println!(
        "Floor: the normals alone. {paths} paths of {NODES} steps, f32, one core, in 1e8 a second.\n"
    );
    println!("| equation | normals | ensemble | of the normals' rate |");
    println!("|---|--:|--:|--:|");
    let budget = short(budget, quick);
    pool(1).install(|| {
        for (name, system) in
            [("geometric Brownian motion", GEOMETRIC), ("Ornstein-Uhlenbeck", ORNSTEIN_UHLENBECK)]
        {
            let mut floor = || normals(paths * NODES);
            let mut work = || solve((system, 1.0), &EulerMaruyama, paths);
            let [floor, work] = interleaved(budget, [&mut floor, &mut work]);
            println!(
                "| {name} | {:.1} | {:.1} | {:.2} |",
                count / floor.least / 1e8,
                count / work.least / 1e8,
                floor.least / work.least
            );
        }
    });
}

/// With memory, as sums of exponentials, on one core.
pub(crate) fn memories(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 1_024 } else { 100_000 };
    let count = (paths * NODES) as f64;
    println!(
        "D^0.7 X = -X + 0.3 dW. Floor: two multiply-adds a node at the peak of a core, and the normals. \
         {paths} paths of {NODES} steps, f32, one core, in 1e8 a second.\n"
    );
    println!("| memory within | nodes | multiply-adds | normals | ensemble | times the floor |");
    println!("|--:|--:|--:|--:|--:|--:|");
    let budget = short(budget, quick);
    pool(1).install(|| {
        for tolerance in [1e-3, 1e-4, 1e-6] {
            let h = 1.0 / NODES as f64;
            let power = SumOfExponentials::of_power(0.3, (h, 1.0), tolerance).expect(INSIDE);
            let nodes = power.rates().len();
            let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
            let mut products = peak::double;
            let mut normals = || normals(paths * NODES);
            let mut work = || solve((ORNSTEIN_UHLENBECK, 0.7), &scheme, paths);
            let times = interleaved(budget, [&mut products, &mut normals, &mut work]);
            // Twice as many lanes in single precision.
            let rate = 2.0 * peak::rate(&times[0], peak::DOUBLE);
            let products = 2.0 * nodes as f64 * count / rate;
            println!(
                "| {tolerance:e} | {nodes} | {:.1} | {:.1} | {:.2} | {:.2} |",
                count / products / 1e8,
                count / times[1].least / 1e8,
                count / times[2].least / 1e8,
                times[2].least / (products + times[1].least),
            );
        }
    });
}

/// One thread against two.
pub(crate) fn threads(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 4_096 } else { 100_000 };
    println!("{paths} paths of {NODES} steps, f32.\n");
    println!("| equation | one thread | two threads | ratio |");
    println!("|---|--:|--:|--:|");
    let (one, two) = (pool(1), pool(2));
    let budget = short(budget, quick);
    let memory = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance: 1e-4 });
    let rows: [(&str, &(dyn Fn() + Sync)); 2] = [
        ("geometric Brownian motion", &|| solve((GEOMETRIC, 1.0), &EulerMaruyama, paths)),
        ("alpha = 0.7, memory within 1e-4", &|| solve((ORNSTEIN_UHLENBECK, 0.7), &memory, paths)),
    ];
    for (name, work) in rows {
        let (mut first, mut second) = (|| one.install(work), || two.install(work));
        let [first, second] = interleaved(budget, [&mut first, &mut second]);
        println!(
            "| {name} | {:.1} ms | {:.1} ms | {:.2} |",
            first.least * 1e3,
            second.least * 1e3,
            first.least / second.least
        );
    }
}
