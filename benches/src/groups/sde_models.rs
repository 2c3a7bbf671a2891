//! Ready models, against the random numbers that they consume.

use crate::bench::Bench;
use crate::measure::{Budget, interleaved};
use hpfracc_solvers::noise::{Normals, Purpose, STEPS, Stream};
use hpfracc_solvers::sde::models::Named;
use hpfracc_solvers::sde::{Ensemble, Moments};
use std::hint::black_box;

const INSIDE: &str = "inside the range";

/// So many normals, and nothing else.
fn normals(count: usize) {
    let (normals, lanes) = (Normals::new(7), 256);
    let stream = Stream::new(Purpose::Brownian, 0).expect(INSIDE);
    let mut rows = vec![0f32; STEPS * lanes];
    for block in 0..count.div_ceil(rows.len()) as u32 {
        normals.fill(stream, block, 0, &mut rows);
        black_box(&rows);
    }
}

/// Paths times steps per second on one core, and the share that the normals have in the time.
pub(crate) fn models(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let (paths, steps) = if quick { (2_000, 500) } else { (10_000, 500) };
    let count = (paths * steps) as f64;
    println!(
        "Floor: the normals alone, as many as the model draws. {paths} paths of {steps} steps, f32, one \
         core, in 1e7 path steps a second.\n"
    );
    println!("| model | normals a step | normals | ensemble | of the normals' rate |");
    println!("|---|--:|--:|--:|--:|");
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    let budget = Budget { rounds: budget.rounds.min(9), ..budget };
    for (name, drawn) in [
        ("ornstein-uhlenbeck", 1),
        ("geometric-brownian", 1),
        ("cox-ingersoll-ross", 1),
        ("fractional-ornstein-uhlenbeck", 2),
        ("fractional-langevin", 2),
        ("inertial-langevin", 2),
        ("rough-bergomi", 4),
        ("rough-heston", 2),
    ] {
        let model = Named::new(name).expect("a name of the catalogue");
        let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
        pool.install(|| {
            let mut floor = || normals(paths * steps * drawn);
            let mut work = || {
                let found = model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 7, &Moments);
                black_box(found.expect(INSIDE));
            };
            let [floor, work] = interleaved(budget, [&mut floor, &mut work]);
            println!(
                "| {name} | {drawn} | {:.1} | {:.1} | {:.2} |",
                count / floor.least / 1e7,
                count / work.least / 1e7,
                floor.least / work.least
            );
        });
    }
}
