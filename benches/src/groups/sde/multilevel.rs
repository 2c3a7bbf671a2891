//! Expectations by levels, against paths of one length of step.

use super::{GEOMETRIC, INSIDE, ORNSTEIN_UHLENBECK, pool, run};
use crate::bench::Bench;
use crate::cell::seconds as show;
use hpfracc_solvers::noise::Brownian;
use hpfracc_solvers::sde::{
    Ensemble, EulerMaruyama, Expectation, FractionalEulerMaruyama, Moments, MultilevelMonteCarlo,
    StochasticProblem, StochasticScheme,
};
use std::hint::black_box;
use std::time::Instant;

/// The mean at the end: with levels, and with as many paths on the finest steps as the same variance takes.
pub(crate) fn multilevel(bench: &mut Bench) {
    let quick = bench.quick;
    println!(
        "E (X_1 - c)^+ with c near the mean, f32, one core, steps 4 times as many on each level.\n"
    );
    println!(
        "| equation | target | levels | estimate | bias | orders (weak, variance) | work | of one \
         level's | time | of one level's |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let targets: &[f64] = if quick { &[2e-3, 1e-3] } else { &[2e-3, 1e-3, 5e-4, 2.5e-4] };
    pool(1).install(|| {
        for &target in targets {
            row("geometric Brownian motion", (GEOMETRIC, 1.0), 1.0, &EulerMaruyama, target);
        }
        let scheme = FractionalEulerMaruyama::default();
        for &target in targets {
            row("alpha = 0.9", (ORNSTEIN_UHLENBECK, 0.9), 0.4, &scheme, target);
        }
    });
}

fn row<C: StochasticScheme<f32>>(
    name: &str,
    (system, order): (super::Linear, f64),
    strike: f64,
    scheme: &C,
    target: f64,
) {
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    let noise = Brownian::new(7, 1).expect(INSIDE);
    let method = MultilevelMonteCarlo::new(target).expect(INSIDE);
    let start = Instant::now();
    let found = method.solve(&problem, scheme, &noise, |path| (path[[1, 0]] - strike).max(0.0));
    let time = start.elapsed().as_secs_f64();
    let Ok(found): Result<Expectation, _> = found else {
        println!("| {name} | {target:e} | not reached | | | | | | | |");
        return;
    };
    let finest = found.levels[found.levels.len() - 1];
    let paths = (found.single_level_cost() / finest.steps as f64).ceil();
    // Timed with a part of them, where there are many.
    let part = paths.min(2e7 / finest.steps as f64).max(1000.0);
    let ensemble = Ensemble::new(part as usize, finest.steps).expect(INSIDE);
    let start = Instant::now();
    black_box(run((system, order), scheme, &ensemble, &Moments));
    let single = start.elapsed().as_secs_f64() * paths / part;
    println!(
        "| {name} | {target:e} | {} | {:.5} +- {:.5} | {:.1e} | {:.2}, {:.2} | {:.1e} | {:.2} | {} | \
         {:.2} |",
        found.levels.len(),
        found.value,
        found.standard_error,
        found.bias,
        found.weak_order,
        found.variance_order,
        found.cost(),
        found.cost() / found.single_level_cost(),
        show(time),
        time / single,
    );
}
