//! Derivatives of a solve, against the solve.

use crate::bench::Bench;
use crate::cell::{label, ratio, reference_time, size, time};
use crate::measure::interleaved;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, Differentiable, DifferentiableScheme, Exponential, L1,
    LinearMultistep, Options, Parametric, Problem, ProductTrapezoid, Steps, System, Variation,
    gradient, solve, tangent,
};
use std::hint::black_box;

/// `f = -theta y`: next to nothing to evaluate, so that the histories show.
struct Decay([f64; 1]);

impl System for Decay {
    fn rhs(&self, _: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = -self.0[0] * y[0];
    }
}

impl Differentiable for Decay {
    fn parameters(&self) -> &[f64] {
        &self.0
    }
    fn vjp(&self, _: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        ybar[0] -= self.0[0] * fbar[0];
        thetabar[0] -= y[0] * fbar[0];
    }
    fn jvp(&self, _: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        df[0] = -self.0[0] * dy[0] - y[0] * dtheta[0];
    }
}

fn brusselator() -> Problem<impl Differentiable> {
    let system = Parametric::new(
        &[1.0, 3.0],
        |_: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| {
            let product = y[0] * y[0] * y[1];
            dydt[0] = p[0] - (p[1] + 1.0) * y[0] + product;
            dydt[1] = p[1] * y[0] - product;
        },
        |_: f64, y: &[f64], p: &[f64], f_y: &mut [f64], f_p: &mut [f64]| {
            let (x, xx) = (2.0 * y[0] * y[1], y[0] * y[0]);
            f_y.copy_from_slice(&[x - p[1] - 1.0, xx, p[1] - x, -xx]);
            f_p.copy_from_slice(&[1.0, -y[0], 0.0, y[0]]);
        },
    );
    Problem::of(system, &[0.8, 0.7], (0.0, 100.0), &[&[1.2, 2.8]]).expect("a problem")
}

/// Gradient and tangent over the solve that they differentiate.
pub(crate) fn over_a_solve(bench: &mut Bench) {
    bench.note(
        "Beside: the solve that is differentiated. Gradient and tangent begin with its solution: they do not include \
         it.",
    );
    bench.columns(
        "equation | N | scheme | history | solve | gradient | gradient / solve | tangent | \
         tangent / solve",
    );
    let decay = Problem::of(Decay([1.0]), &[0.5], (0.0, 10.0), &[&[1.0]]).expect("a problem");
    for n in [1000, 10_000, 100_000] {
        if bench.quick && n > 10_000 {
            continue;
        }
        schemes(bench, "relaxation", &decay, n);
        schemes(bench, "Brusselator", &brusselator(), n);
    }
}

fn schemes<S: Differentiable>(bench: &mut Bench, equation: &str, problem: &Problem<S>, n: usize) {
    let budget = bench.budget.at_most((1_000_000 / n).max(3));
    let pece = AdamsBashforthMoulton::default();
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-10 };
    let linear_part = Exponential::trapezoid(&[-1.0]);
    let (blocked, uniform) = (HistoryChoice::Blocked, Steps::Uniform(n));
    let graded = Steps::Graded { n, exponent: 2.0 };
    let mut candidates: Vec<(&dyn DifferentiableScheme, &Steps, HistoryChoice, &str)> = vec![
        (&pece, &uniform, blocked, "blocked"),
        (&pece, &uniform, exponentials, "exponentials"),
        (&ProductTrapezoid, &uniform, blocked, "blocked"),
        (&L1, &uniform, blocked, "blocked"),
        (&LinearMultistep::Bdf2, &uniform, blocked, "blocked"),
        (&linear_part, &uniform, blocked, "blocked"),
    ];
    if n <= 1000 {
        candidates.push((&pece, &graded, HistoryChoice::Direct, "direct, graded steps"));
        candidates.push((
            &ProductTrapezoid,
            &graded,
            HistoryChoice::Direct,
            "direct, graded steps",
        ));
    }
    for (scheme, steps, history, shown) in candidates {
        let options = || Options { history, ..Options::default() };
        let run = || solve(problem, scheme, steps, options()).expect("a solution");
        let solution = run();
        let end = vec![1.0; problem.dim()];
        let end = [(n, &end[..])];
        let mut direction = Variation::zeros(problem);
        direction.parameters[0] = 1.0;
        direction.orders[0] = 1.0;
        let mut forward = || drop(black_box(run()));
        let mut back = || {
            let cotangents = Cotangents::At(&end);
            let found = gradient(problem, scheme, &solution, cotangents, &options());
            black_box(found.expect("a gradient"));
        };
        let mut along = || {
            let found = tangent(problem, scheme, &solution, &direction, &options());
            black_box(found.expect("a tangent"));
        };
        let [solve, gradient, tangent] = interleaved(budget, [&mut forward, &mut back, &mut along]);
        bench.row([
            label(equation),
            size(n),
            label(scheme.name()),
            label(shown),
            reference_time(&solve),
            time(&gradient),
            ratio(&gradient, &solve),
            time(&tangent),
            ratio(&tangent, &solve),
        ]);
    }
}
