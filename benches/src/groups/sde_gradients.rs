//! Gradients of ensembles, against the solve that they differentiate.

use crate::bench::Bench;
use crate::measure::{Budget, interleaved};
use hpfracc_solvers::noise::{Brownian, Rows, RowsMut};
use hpfracc_solvers::sde::{
    Calculus, Coupling, DifferentiableStochasticScheme, DifferentiableStochasticSystem, Ensemble,
    EnsembleGradient, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory, ReversibleHeun,
    Saved, StochasticProblem, StochasticSystem, dot, dot_of,
};
use std::hint::black_box;

/// `(a x - b x^3) dt + sigma sqrt(1 + x^2 / 2) dW` in each component, with three parameters.
struct DoubleWell {
    dim: usize,
    theta: [f32; 3],
}

impl StochasticSystem<f32> for DoubleWell {
    fn dim(&self) -> usize {
        self.dim
    }

    fn coupling(&self) -> Coupling {
        Coupling::Diagonal
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        let [a, b, _] = self.theta;
        for (f, x) in f.as_mut_slice().iter_mut().zip(x.as_slice()) {
            *f = *x * (a - b * *x * *x);
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, x: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        for (g, x) in g.as_mut_slice().iter_mut().zip(x.as_slice()) {
            *g = self.theta[2] * (1.0 + 0.5 * *x * *x).sqrt();
        }
    }
}

impl DifferentiableStochasticSystem<f32> for DoubleWell {
    fn parameters(&self) -> usize {
        3
    }

    #[inline(always)]
    fn drift_vjp(
        &self,
        _: f64,
        x: Rows<'_, f32>,
        fbar: Rows<'_, f32>,
        mut xbar: RowsMut<'_, f32>,
        thetabar: &mut [f32],
    ) {
        let [a, b, _] = self.theta;
        let all = xbar.as_mut_slice().iter_mut().zip(x.as_slice()).zip(fbar.as_slice());
        for ((xbar, x), fbar) in all {
            *xbar += *fbar * (a - 3.0 * b * *x * *x);
        }
        thetabar[0] += dot(fbar.as_slice(), x.as_slice());
        thetabar[1] -= dot_of(fbar.as_slice(), x.as_slice(), |x| x * x * x);
    }

    #[inline(always)]
    fn diffusion_vjp(
        &self,
        _: f64,
        x: Rows<'_, f32>,
        gbar: Rows<'_, f32>,
        mut xbar: RowsMut<'_, f32>,
        thetabar: &mut [f32],
    ) {
        let half = 0.5 * self.theta[2];
        let all = xbar.as_mut_slice().iter_mut().zip(x.as_slice()).zip(gbar.as_slice());
        for ((xbar, x), gbar) in all {
            *xbar += *gbar * half * *x / (1.0 + 0.5 * *x * *x).sqrt();
        }
        thetabar[2] += dot_of(gbar.as_slice(), x.as_slice(), |x| (1.0 + 0.5 * x * x).sqrt());
    }
}

const INSIDE: &str = "inside the range";
const NODES: usize = 1000;

/// The mean square of the end.
fn square(saved: Saved<'_, f32>, losses: &mut [f32], mut xbar: RowsMut<'_, f32>) {
    for row in 0..saved.x.rows() {
        for ((loss, x), xbar) in losses.iter_mut().zip(&saved.x[row]).zip(&mut xbar[row]) {
            *loss += *x * *x;
            *xbar = *x + *x;
        }
    }
}

/// A solve and its gradient on one core.
fn ratio<C: DifferentiableStochasticScheme<f32> + Sync>(
    (budget, paths): (Budget, usize),
    (name, dim, order): (&str, usize, f64),
    scheme: &C,
    how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
    bytes: usize,
) {
    let system = DoubleWell { dim, theta: [0.9, 1.1, 0.3] };
    let problem = StochasticProblem::new(system, (0.0, 1.0), &vec![0.5; dim]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    // Each scheme solves the problem of its own calculus.
    let problem = match scheme.calculus() {
        Calculus::Ito => problem,
        Calculus::Stratonovich => problem.stratonovich(),
    };
    let noise = Brownian::new(7, dim).expect(INSIDE);
    let ensemble = Ensemble::new(paths, NODES).expect(INSIDE);
    let gradient = how(EnsembleGradient::new(ensemble.clone()));
    let mut forward = || {
        black_box(ensemble.solve(&problem, scheme, &noise, &Moments).expect(INSIDE));
    };
    let mut both = || {
        black_box(gradient.solve(&problem, scheme, &noise, &square).expect(INSIDE));
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let (solve, gradient) = pool.install(|| {
        let [solve, gradient] = interleaved(budget, [&mut forward, &mut both]);
        (solve.least, gradient.least)
    });
    let steps = (paths * NODES) as f64;
    println!(
        "| {name} | {dim} | {:.2} | {:.2} | {:.2} | {:.1} kB |",
        steps / solve / 1e8,
        steps / gradient / 1e8,
        gradient / solve,
        (bytes * dim * size_of::<f32>() * 256) as f64 / 1024.0
    );
}

/// Gradient over solve, with what a tile of 256 paths keeps of them for the way back.
pub(crate) fn over_a_solve(bench: &mut Bench) {
    let (budget, quick) = (bench.budget, bench.quick);
    let paths = if quick { 4_096 } else { 32_768 };
    let budget = Budget { rounds: budget.rounds.min(7), ..budget };
    println!(
        "Double wells, {paths} paths of {NODES} steps, f32, one core; path-steps in 1e8 a second. The \
         gradient is solve, loss and way back.\n"
    );
    println!("| scheme | components | solve | gradient | gradient / solve | kept by a tile |");
    println!("|---|--:|--:|--:|--:|--:|");
    let plain = |gradient: EnsembleGradient<'static>| gradient;
    let orders = |gradient: EnsembleGradient<'static>| gradient.with_orders();
    let segments = |gradient: EnsembleGradient<'static>| gradient.in_segments_of(32);
    let measured = (budget, paths);
    for dim in [1, 4] {
        ratio(measured, ("Euler-Maruyama", dim, 1.0), &EulerMaruyama, plain, NODES + 1);
        let name = "Euler-Maruyama, segments of 32";
        ratio(measured, (name, dim, 1.0), &EulerMaruyama, segments, 32 + NODES.div_ceil(32));
        ratio(measured, ("reversible Heun", dim, 1.0), &ReversibleHeun, plain, 0);
        let within =
            |tolerance| FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
        let name = "alpha = 0.7, memory within 1e-4";
        ratio(measured, (name, dim, 0.7), &within(1e-4), plain, NODES + 1);
        let name = "alpha = 0.7, memory within 1e-4, orders";
        ratio(measured, (name, dim, 0.7), &within(1e-4), orders, NODES + 1);
        let name = "alpha = 0.7, memory within 1e-6";
        ratio(measured, (name, dim, 0.7), &within(1e-6), plain, NODES + 1);
        let name = "alpha = 0.7, memory within 1e-6, orders";
        ratio(measured, (name, dim, 0.7), &within(1e-6), orders, NODES + 1);
    }
}
