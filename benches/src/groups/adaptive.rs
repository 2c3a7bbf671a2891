//! Steps chosen from an estimate of the error against equal steps, at the same error.

use crate::bench::Bench;
use crate::cell::{label, magnitude, nothing, number, ratio, reference_time, time};
use crate::measure::interleaved;
use hpfracc_ode::{
    AdamsBashforthMoulton, Options, Problem, ProductTrapezoid, Rhs, Scheme, Solution, Steps, solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use std::hint::black_box;

const FEWEST: usize = 64;

/// More equal steps would take seconds.
const MOST: usize = 1 << 20;

type Function = fn(f64, &[f64], &mut [f64]);

struct Case {
    name: &'static str,
    problem: Problem<Rhs<Function>>,
    exact: fn(f64) -> f64,
}

fn cases() -> [Case; 2] {
    let decay: Function = |_, y, dydt| dydt[0] = -y[0];
    let stiff: Function = |t, y, dydt| {
        dydt[0] = 1000.0 * (t * t - y[0]) + 2.0 / gamma(2.2) * t.powf(1.2);
    };
    let problem = |alpha, end, y0: f64, f| {
        Problem::new(&[alpha], (0.0, end), &[&[y0]], f).expect("a problem")
    };
    let relaxation = |t: f64| mittag_leffler(0.5, 1.0, -t.sqrt()).expect("a value");
    [
        Case {
            name: "D^1/2 y = -y on [0, 10]",
            problem: problem(0.5, 10.0, 1.0, decay),
            exact: relaxation,
        },
        Case {
            name: "D^0.8 y = -1000 (y - t^2) + D^0.8 t^2 on [0, 5]",
            problem: problem(0.8, 5.0, 0.0, stiff),
            exact: |t| t * t,
        },
    ]
}

impl Case {
    fn run(&self, scheme: &dyn Scheme, steps: &Steps) -> Option<Solution> {
        solve(&self.problem, scheme, steps, Options::default()).ok()
    }

    /// The largest error, relative to 1 + |y|, over the first hundred nodes and some of the others.
    fn error(&self, solution: &Solution) -> f64 {
        let times = solution.times();
        let some = 1 + times.len() / 2000;
        let nodes = (0..times.len()).filter(|node| *node < 100 || node % some == 0);
        let error = |node: usize| {
            let exact = (self.exact)(times[node]);
            (solution.trajectory().state(node)[0] - exact).abs() / (1.0 + exact.abs())
        };
        // Not f64::max, which would drop a NaN.
        nodes.map(error).fold(0.0, |most, error| if error <= most { most } else { error })
    }

    /// As many equal steps of the same scheme as it takes to be as near, at most 10 % too many:
    /// doubled until they are enough, and halved three times between that and too few.
    fn equal(&self, scheme: &dyn Scheme, error: f64) -> Option<usize> {
        let near = |n: usize| {
            let solution = self.run(scheme, &Steps::Uniform(n));
            solution.is_some_and(|solution| self.error(&solution) <= error)
        };
        let counts = std::iter::successors(Some(FEWEST), |n| Some(2 * n));
        let mut enough = counts.take_while(|n| *n <= MOST).find(|n| near(*n))?;
        if enough == FEWEST {
            return Some(enough);
        }
        let mut few = enough / 2;
        for _ in 0..3 {
            let between = (few as f64 * enough as f64).sqrt() as usize;
            if near(between) {
                enough = between;
            } else {
                few = between;
            }
        }
        Some(enough)
    }
}

/// Adaptive steps by tolerance, implicit and explicit, and equal steps of the same scheme with at
/// most their error.
pub(crate) fn against_equal_steps(bench: &mut Bench) {
    bench.note(format!(
        "Beside: equal steps of the same scheme, as many as it takes to come as near, within 10 %, from {FEWEST} to \
         {MOST}. Error: the largest, over 1 + |y|."
    ));
    bench.columns(
        "equation | scheme | tolerance | error | steps | rejections | time | equal steps | \
         their time | time / theirs",
    );
    let pece = AdamsBashforthMoulton::default();
    for case in cases() {
        for digits in if bench.quick { 3..=5 } else { 3..=8 } {
            let tolerance = 10f64.powi(-digits);
            let steps = Steps::adaptive(tolerance, tolerance);
            for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
                let solution = case.run(scheme, &steps).expect("a solution");
                let error = case.error(&solution);
                let equal = case.equal(scheme, error);
                let mut adaptive = || {
                    black_box(case.run(scheme, &steps));
                };
                let mut uniform = || {
                    if let Some(n) = equal {
                        black_box(case.run(scheme, &Steps::Uniform(n)));
                    }
                };
                let [adaptive, uniform] =
                    interleaved(bench.budget.at_most(7), [&mut adaptive, &mut uniform]);
                let equally = match equal {
                    Some(n) => {
                        [number(n as f64, 0), reference_time(&uniform), ratio(&adaptive, &uniform)]
                    }
                    None => [nothing(), nothing(), nothing()],
                };
                let [steps_taken, time_taken, compared] = equally;
                let statistics = solution.statistics();
                bench.row([
                    label(case.name),
                    label(scheme.name()),
                    label(format!("1e-{digits}")),
                    magnitude(error),
                    number(statistics.steps as f64, 0),
                    number(statistics.rejections as f64, 0),
                    time(&adaptive),
                    steps_taken,
                    time_taken,
                    compared,
                ]);
            }
        }
    }
}
