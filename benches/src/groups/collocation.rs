//! Whole solves by collocation, at the tolerance 1e-13.

use crate::bench::Bench;
use crate::cell::{label, magnitude, number, ratio, reference_time, time};
use crate::measure::interleaved;
use hpfracc_ode::{Collocation, Options, Problem, Rhs, Solution, Steps, System, solve};
use hpfracc_special::{MittagLeffler, gamma};
use std::hint::black_box;

const POSED: &str = "a problem with a solution";

/// Error, unknowns and time of benchmarks with exact solutions; beside it the right-hand side.
pub(crate) fn benchmarks(bench: &mut Bench) {
    bench.note(
        "Beside: as many evaluations of f. Error: over the larger of 1 and the exact value, largest of 1000 times. \
         Dense: one value between the nodes.",
    );
    bench.columns("problem | error | unknowns | evaluations | time | of f | time / of f | dense");
    for (alpha, sign) in
        [(0.1, -1.0), (0.3, -1.0), (0.5, -1.0), (0.8, -1.0), (1.5, -4.0), (1.9, -4.0)]
    {
        let e = MittagLeffler::new(alpha, 1.0).expect("alpha > 0");
        let rhs = move |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = sign * y[0];
        let exact = |t: f64| e.eval(sign * t.powf(alpha));
        let rows: &[&[f64]] = &[&[1.0], &[0.0]];
        let initial = &rows[..f64::ceil(alpha) as usize];
        row(bench, &format!("E({sign} t^alpha), {alpha}"), &[alpha], 5.0, initial, rhs, exact);
    }
    let a: f64 = 0.7;
    let products = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = 40320.0 / gamma(9.0 - a) * t.powf(8.0 - a)
            - 3.0 * gamma(5.0 + a / 2.0) / gamma(5.0 - a / 2.0) * t.powf(4.0 - a / 2.0)
            + 2.25 * gamma(a + 1.0)
            + (1.5 * t.powf(a / 2.0) - t.powi(4)).powi(3)
            - y[0].abs().powf(1.5);
    };
    let exact = |t: f64| t.powi(8) - 3.0 * t.powf(4.0 + a / 2.0) + 2.25 * t.powf(a);
    row(bench, "products of powers, 0.7", &[a], 1.0, &[&[0.0]], products, exact);
    let torvik = |t: f64, y: &[f64], dydt: &mut [f64]| {
        let load = 12.0 * t * t + 24.0 / gamma(3.5) * t.powf(2.5) + t.powi(4);
        (dydt[0], dydt[1]) = (y[1], load - y[1] - y[0]);
    };
    let initial: [&[f64]; 2] = [&[0.0; 2]; 2];
    row(bench, "Bagley-Torvik, t^4", &[1.5, 0.5], 5.0, &initial, torvik, |t| t.powi(4));
    let halves = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -y[0]);
    row(bench, "exp(-t) by half orders", &[0.5], 5.0, &[&[1.0, 0.0]], halves, |t| (-t).exp());
    let normal = |_: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = -2.0 * y[0];
        dydt[1] = -y[1] + 10.0 * y[0];
        dydt[2] = -y[2] + 10.0 * y[1];
    };
    let e = MittagLeffler::new(0.4, 1.0).expect("alpha > 0");
    let exact = |t: f64| e.eval(-2.0 * t.powf(0.4));
    row(bench, "matrix, 0.4", &[0.4], 4.0, &[&[1.0; 3]], normal, exact);
    let slow = MittagLeffler::new(2.0, 2.4).expect("alpha > 0");
    let stiff = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = -1e6 * (y[0] - t.cos()) - t.powf(1.4) * slow.eval(-t * t);
    };
    let e = MittagLeffler::new(0.6, 1.0).expect("alpha > 0");
    for y0 in [1.0, 2.0] {
        let exact = |t: f64| t.cos() + (y0 - 1.0) * e.eval(-1e6 * t.powf(0.6));
        row(bench, &format!("stiff from {y0}, 0.6"), &[0.6], 5.0, &[&[y0]], stiff, exact);
    }
}

/// A line of the table; `exact` is the first component.
fn row(
    bench: &mut Bench,
    name: &str,
    orders: &[f64],
    end: f64,
    initial: &[&[f64]],
    rhs: impl Fn(f64, &[f64], &mut [f64]),
    exact: impl Fn(f64) -> f64,
) {
    let problem = Problem::of(Rhs(rhs), orders, (0.0, end), initial).expect(POSED);
    let steps = Steps::adaptive(1e-13, 1e-13);
    let scheme = Collocation::default();
    let run = || -> Solution { solve(&problem, &scheme, &steps, Options::default()).expect(POSED) };
    let solution = run();
    let error = (1..=1000).map(|i| end * f64::from(i) / 1000.0).fold(0.0, |largest: f64, t| {
        let (y, exact) = (solution.at(t).expect(POSED)[0], exact(t));
        let error = (y - exact).abs() / exact.abs().max(1.0);
        // Not f64::max, which would drop a NaN.
        if error <= largest { largest } else { error }
    });
    let statistics = solution.statistics();
    let evaluations = statistics.evaluations + statistics.jacobians * problem.dim();
    let y = vec![0.5; problem.dim()];
    let mut dydt = y.clone();
    let [whole, evaluated, dense] = interleaved(
        bench.budget,
        [
            &mut || drop(black_box(run())),
            &mut || {
                for i in 0..evaluations {
                    let t = black_box(i as f64 * 1e-3);
                    problem.system().rhs(t, black_box(&y), black_box(&mut dydt));
                }
            },
            &mut || drop(black_box(solution.at(black_box(0.777 * end)))),
        ],
    );
    bench.row([
        label(name),
        magnitude(error),
        number(statistics.unknowns as f64, 0),
        number(evaluations as f64, 0),
        time(&whole),
        reference_time(&evaluated),
        ratio(&whole, &evaluated),
        time(&dense),
    ]);
}
