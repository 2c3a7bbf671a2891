//! Ensembles of stochastic equations, against the random numbers that they consume.

use crate::measure::{Budget, interleaved};
use hpfracc_solvers::noise::{
    Brownian, FractionalBrownian, Normals, Purpose, Rows, RowsMut, STEPS, Stream, Tile,
};
use hpfracc_solvers::sde::{
    Coupling, Ensemble, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory,
    StochasticProblem, StochasticScheme, StochasticSystem,
};
use realfft::RealFftPlanner;
use std::hint::black_box;

/// `(mu x) dt + (sigma + rho x) dW`: geometric Brownian motion, and Ornstein and Uhlenbeck's process.
#[derive(Clone, Copy)]
struct Linear {
    mu: f32,
    sigma: f32,
    rho: f32,
}

const GEOMETRIC: Linear = Linear { mu: 0.05, sigma: 0.0, rho: 0.2 };
const ORNSTEIN_UHLENBECK: Linear = Linear { mu: -1.0, sigma: 0.3, rho: 0.0 };

impl StochasticSystem<f32> for Linear {
    fn dim(&self) -> usize {
        1
    }

    fn coupling(&self) -> Coupling {
        Coupling::Diagonal
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
const NODES: usize = 1000;

/// One ensemble, moments at the end only.
fn run<C: StochasticScheme<f32>>(system: Linear, order: f64, scheme: &C, paths: usize) {
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    let noise = Brownian::new(7, 1).expect(INSIDE);
    let ensemble = Ensemble::new(paths, NODES).expect(INSIDE);
    black_box(ensemble.solve(&problem, scheme, &noise, &Moments).expect(INSIDE));
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

fn alone() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread")
}

/// Paths times steps per second on one core.
pub(crate) fn ensembles(budget: Budget, quick: bool) {
    let paths = if quick { 5_000 } else { 100_000 };
    let count = (paths * NODES) as f64;
    println!(
        "Floor: the normals alone. {paths} paths of {NODES} steps, f32, one core, in 1e8 a second.\n"
    );
    println!("| equation | normals | ensemble | of the normals' rate |");
    println!("|---|--:|--:|--:|");
    let pool = alone();
    let fractional =
        |tolerance| FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
    let (coarse, fine) = (fractional(1e-4), fractional(1e-6));
    let rows: [(&str, &(dyn Fn() + Sync)); 4] = [
        ("geometric Brownian motion", &|| run(GEOMETRIC, 1.0, &EulerMaruyama, paths)),
        ("Ornstein-Uhlenbeck", &|| run(ORNSTEIN_UHLENBECK, 1.0, &EulerMaruyama, paths)),
        ("alpha = 0.7, memory within 1e-4", &|| run(ORNSTEIN_UHLENBECK, 0.7, &coarse, paths)),
        ("alpha = 0.7, memory within 1e-6", &|| run(ORNSTEIN_UHLENBECK, 0.7, &fine, paths)),
    ];
    let budget = Budget { rounds: budget.rounds.min(9), ..budget };
    pool.install(|| {
        for (name, work) in rows {
            let mut floor = || normals(paths * NODES);
            let mut work = || work();
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

/// One thread against two.
pub(crate) fn threads(budget: Budget, quick: bool) {
    let paths = if quick { 10_000 } else { 100_000 };
    println!("Geometric Brownian motion, {paths} paths of {NODES} steps, f32.\n");
    println!("| one thread | two threads | ratio |");
    println!("|--:|--:|--:|");
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let one = alone();
    let mut first = || one.install(|| run(GEOMETRIC, 1.0, &EulerMaruyama, paths));
    let mut second = || two.install(|| run(GEOMETRIC, 1.0, &EulerMaruyama, paths));
    let budget = Budget { rounds: budget.rounds.min(9), ..budget };
    let [first, second] = interleaved(budget, [&mut first, &mut second]);
    println!(
        "| {:.1} ms | {:.1} ms | {:.2} |",
        first.least * 1e3,
        second.least * 1e3,
        first.least / second.least
    );
}

/// Samples of fractional Brownian motion per second on one core.
pub(crate) fn fractional_brownian(budget: Budget, quick: bool) {
    println!("Floor: its transform and its normals. f32, one core, in 1e8 samples a second.\n");
    println!("| steps | floor | samples | ratio |");
    println!("|--:|--:|--:|--:|");
    let sizes: &[usize] = if quick { &[4096, 65_536] } else { &[1024, 4096, 65_536, 1 << 20] };
    for &steps in sizes {
        let noise = FractionalBrownian::<f32>::new(3, &[0.3]).expect(INSIDE);
        let lanes = ((1 << 17) / steps).max(1);
        let tile = Tile { first_path: 0, lanes, steps, h: 1e-3 };
        let mut increments = vec![0f32; lanes * steps];
        let transform = RealFftPlanner::<f32>::new().plan_fft_inverse(2 * steps);
        let (mut input, mut output) = (transform.make_input_vec(), transform.make_output_vec());
        let mut scratch = transform.make_scratch_vec();
        let stream = Stream::new(Purpose::FractionalGaussian, 0).expect(INSIDE);
        let source = Normals::new(3);
        let mut parts = vec![0f32; 2 * steps];
        let mut floor = || {
            for path in 0..lanes {
                source.fill_path(stream, path as u64, &mut parts);
                black_box(&parts);
                transform
                    .process_with_scratch(&mut input, &mut output, &mut scratch)
                    .expect("buffers of its own sizes");
                black_box(&output);
            }
        };
        let mut work = || noise.fill_paths(tile, &mut increments).expect(INSIDE);
        let [floor, work] = interleaved(budget, [&mut floor, &mut work]);
        let count = (lanes * steps) as f64 / 1e8;
        println!(
            "| {steps} | {:.2} | {:.2} | {:.2} |",
            count / floor.least,
            count / work.least,
            work.least / floor.least
        );
    }
}
