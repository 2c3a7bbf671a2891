//! Programs for one path against closures.

use super::systems::{self, System, by_hand};
use crate::bench::Bench;
use crate::cell::{label, ratio, reference_time, time};
use crate::measure::interleaved;
use hpfracc_equation::{Program, Scratch};
use hpfracc_lanes::Elementary;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
use std::cell::RefCell;
use std::hint::black_box;

/// Steps of a solve.
const STEPS: usize = 100_000;

/// Evaluations of the right-hand side of the solves.
const EVALUATIONS: usize = 64;

type Closure = fn(&[f64], &[f64], &mut [f64]);

/// Right-hand sides, and solves by the predictor-corrector method.
pub(crate) fn against_closures(bench: &mut Bench) {
    bench.note(format!(
        "Reference: a closure. Right-hand sides of one path in double precision; solves of D^0.9 y = f(y) of {STEPS} \
         steps by the predictor-corrector method, whose right-hand side is the closure or the program.",
    ));
    bench.columns("system | closure | program | program / closure | solve, closure | solve, program | program / closure, solve");
    macro_rules! system {
        (
            $bench:ident, $system:ident, ($($row:ident),*), ($($uniform:ident),*),
            { $($out:ident: $root:expr),* $(,)? }
        ) => {
            row($bench, systems::$system, |y, uniforms, dydt| {
                let mut uniforms = uniforms.iter();
                $(let $uniform = uniforms.next().map_or(0.0, |x| *x);)*
                let mut rows = y.iter();
                $(let $row = rows.next().map_or(0.0, |x| *x);)*
                let mut out = dydt.iter_mut();
                $(if let Some(out) = out.next() {
                    *out = $root;
                })*
            })
        };
    }
    by_hand!(system, bench);
}

fn row(bench: &mut Bench, system: System, closure: Closure) {
    let (graph, roots, inputs) = system.graph();
    let program = Program::<f64>::new(&graph, &roots, &inputs).expect("inputs of all variables");
    let uniforms = system.uniforms();
    let rows = inputs.len() - uniforms.len();
    let (mut y, mut out) = (vec![0.3; rows], vec![0.0; roots.len()]);
    let scratch = RefCell::new(Scratch::new());
    let run = |y: &[f64], dydt: &mut [f64]| {
        program.run_scalar(y, &uniforms, dydt, &mut scratch.borrow_mut());
    };
    let mut other = y.clone();
    let mut other_out = out.clone();
    let [by_hand, own] = interleaved(
        bench.budget,
        [
            &mut || {
                for _ in 0..EVALUATIONS {
                    closure(black_box(&y), black_box(&uniforms), &mut out);
                    y[0] = 0.3 + 1e-9 * out[0];
                }
            },
            &mut || {
                for _ in 0..EVALUATIONS {
                    run(black_box(&other), &mut other_out);
                    other[0] = 0.3 + 1e-9 * other_out[0];
                }
            },
        ],
    );
    let count = EVALUATIONS as f64;
    let (by_hand, own) = (by_hand.scaled(1.0 / count), own.scaled(1.0 / count));
    let initial = [vec![0.3; rows]];
    let initial: Vec<&[f64]> = initial.iter().map(Vec::as_slice).collect();
    let steps = Steps::Uniform(if bench.quick { STEPS / 10 } else { STEPS });
    let scheme = AdamsBashforthMoulton::default();
    // Noise coefficients of stochastic systems are left out.
    let width = roots.len();
    let through = |f: &dyn Fn(&[f64], &mut [f64])| {
        let dydt = RefCell::new(vec![0.0; width]);
        let problem = Problem::new(&vec![0.9; rows], (0.0, 1.0), &initial, |_, y, out| {
            let mut all = dydt.borrow_mut();
            f(y, &mut all);
            out.copy_from_slice(&all[..rows]);
        });
        let problem = problem.expect("a problem");
        black_box(solve(&problem, &scheme, &steps, Options::default()).expect("a solution"));
    };
    let [solve_by_hand, solve_own] = interleaved(
        bench.budget.at_most(7),
        [&mut || through(&|y, dydt| closure(y, &uniforms, dydt)), &mut || through(&run)],
    );
    bench.row([
        label(system.name),
        reference_time(&by_hand),
        time(&own),
        ratio(&own, &by_hand),
        reference_time(&solve_by_hand),
        time(&solve_own),
        ratio(&solve_own, &solve_by_hand),
    ]);
}
