//! What a step of each classical scheme costs, against one of Euler and Maruyama's.

use crate::bench::Bench;
use crate::measure::{Budget, interleaved};
use hpfracc_solvers::noise::{Brownian, BrownianTree, Noise, Rows, RowsMut};
use hpfracc_solvers::sde::{
    Adaptive, Coupling, DriftImplicit, Ensemble, EulerMaruyama, Heun, Milstein, Moments,
    ReversibleHeun, Sra1, Sric2, Sriw1, StepCounts, StochasticProblem, StochasticScheme,
    StochasticSystem, TamedEuler, Tolerance,
};
use std::hint::black_box;

/// `mu x dt + (sigma + rho x) dW`
#[derive(Clone, Copy)]
struct Linear {
    mu: f32,
    sigma: f32,
    rho: f32,
}

const GEOMETRIC: Linear = Linear { mu: 0.05, sigma: 0.0, rho: 0.2 };
const ADDITIVE: Linear = Linear { mu: -1.0, sigma: 0.3, rho: 0.0 };

impl StochasticSystem<f32> for Linear {
    fn dim(&self) -> usize {
        1
    }

    fn coupling(&self) -> Coupling {
        Coupling::Diagonal
    }

    fn additive(&self) -> bool {
        self.rho == 0.0
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        for (f, x) in f[0].iter_mut().zip(&x[0]) {
            *f = self.mu * *x;
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, x: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        for (g, x) in g[0].iter_mut().zip(&x[0]) {
            *g = self.sigma + self.rho * *x;
        }
    }
}

const INSIDE: &str = "inside the range";
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
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 2_000 } else { 20_000 };
    let count = (paths * STEPS) as f64;
    println!(
        "Geometric Brownian motion (SRA1: additive noise), {paths} paths of {STEPS} steps, f32,"
    );
    println!("one core, in 1e8 steps a second; cost in steps of Euler and Maruyama's.\n");
    println!("| scheme | steps a second | cost |");
    println!("|---|--:|--:|");
    let noise = Brownian::new(7, 1).expect(INSIDE);
    let size = (paths, STEPS);
    let (ito, additive) = ((GEOMETRIC, Meant::Ito), (ADDITIVE, Meant::Ito));
    let stratonovich = (GEOMETRIC, Meant::Stratonovich);
    let implicit = DriftImplicit::default();
    let rows: [(&str, &(dyn Fn() + Sync)); 9] = [
        ("Euler-Maruyama", &|| run(ito, &EulerMaruyama, &noise, size)),
        ("tamed Euler", &|| run(ito, &TamedEuler, &noise, size)),
        ("drift-implicit", &|| run(ito, &implicit, &noise, size)),
        ("Milstein", &|| run(ito, &Milstein, &noise, size)),
        ("SRIC2", &|| run(ito, &Sric2, &noise, size)),
        ("SRIW1", &|| run(ito, &Sriw1, &noise, size)),
        ("SRA1", &|| run(additive, &Sra1, &noise, size)),
        ("Heun", &|| run(stratonovich, &Heun, &noise, size)),
        ("reversible Heun", &|| run(stratonovich, &ReversibleHeun, &noise, size)),
    ];
    let budget = Budget { rounds: budget.rounds.min(9), ..budget };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        for (name, work) in rows {
            let mut floor = || run(ito, &EulerMaruyama, &noise, size);
            let mut work = || work();
            let [floor, work] = interleaved(budget, [&mut floor, &mut work]);
            let (rate, cost) = (count / work.least / 1e8, work.least / floor.least);
            println!("| {name} | {rate:.2} | {cost:.1} |");
        }
    });
}

/// What a step costs on a tree: on equal steps, and on steps that each path chooses.
pub(crate) fn adaptive(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 100 } else { 1_000 };
    println!(
        "Geometric Brownian motion by Milstein's scheme on a Brownian tree, {paths} paths, f32,"
    );
    println!("one core. A cell that is tried costs three steps.\n");
    println!("| steps | cells a path | 1e6 steps a second |");
    println!("|---|--:|--:|");
    let tree = BrownianTree::new(7, 1).expect(INSIDE);
    let ito = (GEOMETRIC, Meant::Ito);
    let tolerance = Tolerance { absolute: 1e-5, relative: 1e-5 };
    let counts = StepCounts::default();
    let scheme = Adaptive::new(Milstein, tree, tolerance).expect(INSIDE);
    let counted = scheme.clone().counting(&counts);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        run(ito, &counted, &tree, (paths, 16));
        let cells = (counts.taken() + counts.refused()) as f64 / paths as f64;
        let mut equal = || run(ito, &Milstein, &tree, (paths, STEPS));
        let mut chosen = || run(ito, &scheme, &tree, (paths, 16));
        let budget = Budget { rounds: budget.rounds.min(9), ..budget };
        let [equal, chosen] = interleaved(budget, [&mut equal, &mut chosen]);
        let rate = |steps: f64, time: f64| paths as f64 * steps / time / 1e6;
        println!("| equal | {STEPS} | {:.1} |", rate(STEPS as f64, equal.least));
        println!("| chosen | {cells:.0} | {:.1} |", rate(3.0 * cells, chosen.least));
    });
}
