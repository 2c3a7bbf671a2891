//! Gradients of ensembles, against the solve that they differentiate.

use super::INSIDE;
use crate::bench::Bench;
use crate::cell::{beside, bytes, label, rate, ratio, size, time};
use crate::held::most_bytes;
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Calculus, DifferentiableStochasticScheme, DifferentiableStochasticSystem, Ensemble,
    EnsembleGradient, EulerMaruyama, FractionalEulerMaruyama, Moments, NoiseKind, PathMemory,
    ReversibleHeun, SavedStates, StochasticProblem, StochasticSystem, Vjp, dot, dot_of,
};
use hpfracc_sde::{Rows, RowsMut};
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

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
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
    fn drift_vjp(&self, _: f64, x: Rows<'_, f32>, fbar: Rows<'_, f32>, to: Vjp<'_, f32>) {
        let Vjp { mut xbar, thetabar } = to;
        let [a, b, _] = self.theta;
        let all = xbar.as_mut_slice().iter_mut().zip(x.as_slice()).zip(fbar.as_slice());
        for ((xbar, x), fbar) in all {
            *xbar += *fbar * (a - 3.0 * b * *x * *x);
        }
        thetabar[0] += dot(fbar.as_slice(), x.as_slice());
        thetabar[1] -= dot_of(fbar.as_slice(), x.as_slice(), |x| x * x * x);
    }

    #[inline(always)]
    fn diffusion_vjp(&self, _: f64, x: Rows<'_, f32>, gbar: Rows<'_, f32>, to: Vjp<'_, f32>) {
        let Vjp { mut xbar, thetabar } = to;
        let half = 0.5 * self.theta[2];
        let all = xbar.as_mut_slice().iter_mut().zip(x.as_slice()).zip(gbar.as_slice());
        for ((xbar, x), gbar) in all {
            *xbar += *gbar * half * *x / (1.0 + 0.5 * *x * *x).sqrt();
        }
        thetabar[2] += dot_of(gbar.as_slice(), x.as_slice(), |x| (1.0 + 0.5 * x * x).sqrt());
    }
}

const NODES: usize = 1000;

/// The mean square of the end.
fn square(saved: SavedStates<'_, f32>, losses: &mut [f32], mut xbar: RowsMut<'_, f32>) {
    for row in 0..saved.x.rows() {
        for ((loss, x), xbar) in losses.iter_mut().zip(&saved.x[row]).zip(&mut xbar[row]) {
            *loss += *x * *x;
            *xbar = *x + *x;
        }
    }
}

/// A solve and its gradient on one core.
fn row<C: DifferentiableStochasticScheme<f32> + Sync>(
    (bench, paths): (&mut Bench, usize),
    (name, dim, order): (&str, usize, f64),
    scheme: &C,
    how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
) {
    let system = DoubleWell { dim, theta: [0.9, 1.1, 0.3] };
    let problem = StochasticProblem::new(system, (0.0, 1.0), &vec![0.5; dim]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    // Each scheme solves the problem of its own calculus.
    let problem = match C::CALCULUS {
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
    let budget = bench.budget.at_most(7);
    let (held, [solve, gradient]) = pool(1).install(|| {
        let held = most_bytes(both);
        (held, interleaved(budget, [&mut forward, &mut both]))
    });
    bench.row([
        label(name),
        size(paths),
        size(dim),
        beside(&solve),
        time(&gradient),
        rate((paths * NODES) as f64, &gradient),
        ratio(&gradient, &solve),
        bytes(held),
    ]);
}

/// Gradient over solve, with the memory of the backward pass.
pub(crate) fn gradients(bench: &mut Bench) {
    let paths = if bench.quick { 1_024 } else { 32_768 };
    bench.note(format!(
        "Double wells, paths of {NODES} steps, f32, one core. The gradient is solve, loss and backward pass, the solve \
         included. Beside: the solve alone. Held: the most bytes that a gradient holds at once."
    ));
    bench.table(&[
        "scheme",
        "paths",
        "components",
        "solve",
        "gradient",
        "path steps a second",
        "gradient / solve",
        "held",
    ]);
    let plain = |gradient: EnsembleGradient<'static>| gradient;
    let orders = |gradient: EnsembleGradient<'static>| gradient.with_orders();
    let segments = |gradient: EnsembleGradient<'static>| gradient.in_segments_of(32);
    for dim in [1, 4] {
        row((bench, paths), ("Euler-Maruyama", dim, 1.0), &EulerMaruyama, plain);
        let name = "Euler-Maruyama, segments of 32";
        row((bench, paths), (name, dim, 1.0), &EulerMaruyama, segments);
        row((bench, paths), ("reversible Heun", dim, 1.0), &ReversibleHeun, plain);
        for (tolerance, name, with_orders) in [
            (1e-4, "alpha = 0.7, memory within 1e-4", "alpha = 0.7, memory within 1e-4, orders"),
            (1e-6, "alpha = 0.7, memory within 1e-6", "alpha = 0.7, memory within 1e-6, orders"),
        ] {
            let scheme = FractionalEulerMaruyama::new(PathMemory::Exponentials { tolerance });
            row((bench, paths), (name, dim, 0.7), &scheme, plain);
            row((bench, paths), (with_orders, dim, 0.7), &scheme, orders);
        }
    }
}
