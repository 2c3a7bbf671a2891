//! What a step of each classical scheme costs, against one of Euler and Maruyama's.

use super::{GEOMETRIC, INSIDE, Linear, ORNSTEIN_UHLENBECK};
use crate::bench::Bench;
use crate::cell::{label, number, rate, ratio, reference_time, size, time};
use crate::measure::{Time, interleaved};
use crate::threads::pool;
use hpfracc_sde::noise::{Brownian, BrownianTree, Noise};
use hpfracc_sde::{
    Adaptive, DriftImplicit, Ensemble, EulerMaruyama, Heun, Milstein, Moments, ReversibleHeun,
    Sra1, Sric2, Sriw1, StepCounts, StochasticProblem, StochasticScheme, TamedEuler, Tolerance,
};
use std::hint::black_box;

const STEPS: usize = 1024;

/// How an equation is meant.
#[derive(Clone, Copy, PartialEq)]
enum Meant {
    Ito,
    Stratonovich,
}

/// One ensemble, moments at the end only.
fn run<C: StochasticScheme<f32>, N: Noise<f32>>(
    (system, meant): (Linear, Meant),
    scheme: &C,
    noise: &N,
    (paths, steps): (usize, usize),
) {
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).expect(INSIDE);
    let problem = if meant == Meant::Stratonovich { problem.stratonovich() } else { problem };
    let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
    black_box(ensemble.solve(&problem, scheme, noise, &Moments).expect(INSIDE));
}

/// Paths times steps per second on one core, by scheme.
pub(crate) fn by_scheme(bench: &mut Bench) {
    let paths = if bench.quick { 1_024 } else { 20_000 };
    bench.note(format!(
        "Geometric Brownian motion (SRA1: additive noise), paths of {STEPS} steps, f32, one core. Beside: as \
         many steps of Euler and Maruyama's scheme for the same drift and diffusion."
    ));
    bench
        .columns("scheme | paths | Euler-Maruyama | time | steps a second | time / Euler-Maruyama");
    let noise = Brownian::new(7, 1).expect(INSIDE);
    let extent = (paths, STEPS);
    let (ito, additive) = ((GEOMETRIC, Meant::Ito), (ORNSTEIN_UHLENBECK, Meant::Ito));
    let stratonovich = (GEOMETRIC, Meant::Stratonovich);
    let implicit = DriftImplicit::default();
    // The equation of the steps reference_time, which are Ito's: a name, and the scheme on its own.
    let rows: [(_, &str, &(dyn Fn() + Sync)); 9] = [
        (ito, "Euler-Maruyama", &|| run(ito, &EulerMaruyama, &noise, extent)),
        (ito, "tamed Euler", &|| run(ito, &TamedEuler, &noise, extent)),
        (ito, "drift-implicit", &|| run(ito, &implicit, &noise, extent)),
        (ito, "Milstein", &|| run(ito, &Milstein, &noise, extent)),
        (ito, "SRIC2", &|| run(ito, &Sric2, &noise, extent)),
        (ito, "SRIW1", &|| run(ito, &Sriw1, &noise, extent)),
        (additive, "SRA1", &|| run(additive, &Sra1, &noise, extent)),
        (ito, "Heun", &|| run(stratonovich, &Heun, &noise, extent)),
        (ito, "reversible Heun", &|| run(stratonovich, &ReversibleHeun, &noise, extent)),
    ];
    let budget = bench.budget.at_most(9);
    pool(1).install(|| {
        for (equation, name, work) in rows {
            let mut least = || run(equation, &EulerMaruyama, &noise, extent);
            let [least, work] = interleaved(budget, [&mut least, &mut || work()]);
            bench.row([
                label(name),
                size(paths),
                reference_time(&least),
                time(&work),
                rate((paths * STEPS) as f64, &work),
                ratio(&work, &least),
            ]);
        }
    });
}

/// What a step costs on a tree: on equal steps, and on steps that each path chooses.
pub(crate) fn adaptive(bench: &mut Bench) {
    let paths = if bench.quick { 100 } else { 1_000 };
    bench.note(
        "Geometric Brownian motion by Milstein's scheme on a Brownian tree, f32, one core. A cell that is tried costs \
         three steps. Beside: a step of equal length.",
    );
    bench
        .columns("steps | paths | cells a path | equal | a step | steps a second | a step / equal");
    let tree = BrownianTree::new(7, 1).expect(INSIDE);
    let ito = (GEOMETRIC, Meant::Ito);
    let tolerance = Tolerance { absolute: 1e-5, relative: 1e-5 };
    let counts = StepCounts::default();
    let scheme = Adaptive::new(Milstein, tree, tolerance).expect(INSIDE);
    let counted = scheme.clone().counting(&counts);
    pool(1).install(|| {
        run(ito, &counted, &tree, (paths, 16));
        let cells = (counts.taken() + counts.refused()) as f64 / paths as f64;
        let mut equal = || run(ito, &Milstein, &tree, (paths, STEPS));
        let mut chosen = || run(ito, &scheme, &tree, (paths, 16));
        let [equal, chosen] = interleaved(bench.budget.at_most(9), [&mut equal, &mut chosen]);
        let step = |time: &Time, steps: f64| time.scaled(1.0 / (paths as f64 * steps));
        let (equal, chosen) = (step(&equal, STEPS as f64), step(&chosen, 3.0 * cells));
        for (name, cells, of) in [("equal", STEPS as f64, &equal), ("chosen", cells, &chosen)] {
            bench.row([
                label(name),
                size(paths),
                number(cells, 0),
                reference_time(&equal),
                time(of),
                rate(1.0, of),
                ratio(of, &equal),
            ]);
        }
    });
}
