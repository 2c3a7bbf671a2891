//! Expectations by levels, against paths of one length of step.

use super::{GEOMETRIC, INSIDE, Linear, ORNSTEIN_UHLENBECK, run};
use crate::bench::Bench;
use crate::cell::{label, magnitude, nothing, number, ratio, reference_time, time};
use crate::measure::Time;
use crate::threads::pool;
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Ensemble, EulerMaruyama, Expectation, FractionalEulerMaruyama, Moments, MultilevelMonteCarlo,
    StochasticProblem, StochasticScheme,
};
use ndarray::ArrayView2;
use std::hint::black_box;
use std::time::Instant;

/// The mean at the end: with levels, and with as many paths on the finest steps as the same variance takes.
pub(crate) fn multilevel(bench: &mut Bench) {
    bench.note(
        "E (X_1 - c)^+ with c near the mean, f32, one core, steps 4 times as many on each level. One level: as many \
         paths on the finest steps as the same variance takes, timed with a part of them where there are many.",
    );
    bench.columns(
        "equation | target | levels | estimate | standard error | bias | weak order | \
         order of the variance | work / of one level | time | one level | time / one level",
    );
    let targets: &[f64] = if bench.quick { &[2e-3, 1e-3] } else { &[2e-3, 1e-3, 5e-4, 2.5e-4] };
    pool(1).install(|| {
        for &target in targets {
            let case = ("geometric Brownian motion", GEOMETRIC, 1.0, 1.0);
            row(bench, case, &EulerMaruyama, target);
        }
        let scheme = FractionalEulerMaruyama::default();
        for &target in targets {
            row(bench, ("alpha = 0.9", ORNSTEIN_UHLENBECK, 0.9, 0.4), &scheme, target);
        }
    });
}

/// A single reading.
fn timed<R>(work: impl FnOnce() -> R) -> (R, Time) {
    let start = Instant::now();
    let result = work();
    (result, Time::of(vec![start.elapsed().as_secs_f64()]))
}

fn row<C: StochasticScheme<f32>>(
    bench: &mut Bench,
    (name, system, order, strike): (&str, Linear, f64, f64),
    scheme: &C,
    target: f64,
) {
    let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0]).expect(INSIDE);
    let problem = problem.of_orders(&[order]).expect(INSIDE);
    let noise = Brownian::new(7, 1).expect(INSIDE);
    let method = MultilevelMonteCarlo::new(target).expect(INSIDE);
    let payoff = |path: ArrayView2<'_, f64>| (path[[1, 0]] - strike).max(0.0);
    let (found, levels_time) = timed(|| method.solve(&problem, scheme, &noise, payoff));
    let named = [label(name), label(format!("{target:e}"))];
    let Ok(found): Result<Expectation, _> = found else {
        let [name, target] = named;
        let rest = [(); 10].map(|()| nothing());
        let [a, b, c, d, e, f, g, h, i, j] = rest;
        bench.row([name, target, a, b, c, d, e, f, g, h, i, j]);
        return;
    };
    let finest = found.levels[found.levels.len() - 1];
    let paths = (found.single_level_cost() / finest.steps as f64).ceil();
    let part = paths.min(2e7 / finest.steps as f64).max(1000.0);
    let ensemble = Ensemble::new(part as usize, finest.steps).expect(INSIDE);
    let single = || black_box(run((system, order), scheme, &ensemble, &Moments));
    let single = timed(single).1.scaled(paths / part);
    let [name, target] = named;
    bench.row([
        name,
        target,
        number(found.levels.len() as f64, 0),
        number(found.value, 5),
        magnitude(found.standard_error),
        magnitude(found.bias),
        number(found.weak_order, 2),
        number(found.variance_order, 2),
        number(found.cost() / found.single_level_cost(), 2),
        time(&levels_time),
        reference_time(&single),
        ratio(&levels_time, &single),
    ]);
}
