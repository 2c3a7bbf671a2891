use crate::{Bytes, Target};
use hpfracc::ode::OdeError;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{
    AdamsBashforthMoulton, Collocation, DelayProblem, Exponential, Failure, L1, LinearMultistep,
    MultiTerm, Options, Problem, ProductRectangle, ProductTrapezoid, SaveNodes, Scheme, Solution,
    Steps, solve,
};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Equations of any order on any interval, by all schemes with any steps and history.
pub(super) const TARGET: Target =
    Target { name: "equations", about: "orders, intervals, schemes and steps of equations", run };

/// Number of evaluations after which the right-hand side is NaN, and of nodes after which the solve
/// is cancelled.
const MAX_EVALUATIONS: usize = 20_000;
const MAX_NODES: usize = 300;

fn run(data: &[u8]) {
    match trial(&mut Bytes::new(data)) {
        Ok(Ok(solution)) => {
            let finite = solution.last().iter().all(|y| y.is_finite());
            assert!(finite, "a solution that is not finite, without an error");
        }
        Ok(Err(failure)) => drop(failure.to_string()),
        Err(error) => drop(error.to_string()),
    }
}

fn trial(bytes: &mut Bytes<'_>) -> Result<Result<Solution, Failure>, OdeError> {
    let dim = 1 + bytes.below(3);
    let orders: Vec<f64> = match bytes.byte() % 6 {
        0 => bytes.reals(1),
        1 => bytes.reals(dim),
        2 => vec![1.5; dim],
        3 => vec![1.0],
        _ => vec![0.6],
    };
    let interval = if bytes.flag() { (bytes.real(), bytes.real()) } else { (0.0, 1.0) };
    let rows = orders.iter().copied().fold(0.0, f64::max).ceil().min(6.0) as usize;
    let initial: Vec<Vec<f64>> =
        (0..rows).map(|_| if bytes.flag() { bytes.reals(dim) } else { vec![1.0; dim] }).collect();
    let initial: Vec<&[f64]> = initial.iter().map(Vec::as_slice).collect();
    let [a, b] = [bytes.real(), bytes.real()];
    let evaluations = Cell::new(0);
    let f = |t: f64, y: &[f64], dydt: &mut [f64]| {
        evaluations.set(evaluations.get() + 1);
        let last = if evaluations.get() > MAX_EVALUATIONS { f64::NAN } else { 0.0 };
        for i in 0..dydt.len() {
            dydt[i] = a * y[i] + b * y[(i + 1) % y.len()].sin() + t.cos() + last;
        }
    };
    let scheme = scheme(bytes, dim);
    let steps = steps(bytes);
    let cancel = AtomicBool::new(false);
    let mut progress = |progress: hpfracc::ode::Progress| {
        cancel.store(progress.steps > MAX_NODES, Ordering::Relaxed);
    };
    let options = Options {
        history: history(bytes),
        save_nodes: if bytes.flag() { SaveNodes::Last } else { SaveNodes::All },
        progress: Some(&mut progress),
        cancel: Some(&cancel),
        ..Options::default()
    };
    match bytes.byte() % 4 {
        0 => {
            let delays = bytes.below(3);
            let delays = bytes.reals(delays);
            let phi = |_: f64, y: &mut [f64]| y.fill(1.0);
            let delayed = |t: f64, y: &[f64], past: &[f64], dydt: &mut [f64]| {
                f(t, y, dydt);
                dydt[0] -= past.first().copied().unwrap_or(0.0);
            };
            let problem = DelayProblem::new(&orders, interval, &initial, delays, phi, delayed)?;
            nodes_of_delays(problem.break_points(3), problem.uniform_steps(10), interval);
            Ok(problem.solve(scheme.as_ref(), &steps, options))
        }
        1 => {
            let terms = |t: f64, terms: &[f64], out: &mut [f64]| f(t, &terms[..out.len()], out);
            let problem = MultiTerm::explicit(&orders, interval, &initial, terms)?;
            Ok(solve(&problem, scheme.as_ref(), &steps, options))
        }
        _ => {
            let problem = Problem::new(&orders, interval, &initial, f)?;
            let result = solve(&problem, scheme.as_ref(), &steps, options);
            if let Ok(solution) = &result {
                drop(solution.at(bytes.real()).map_err(|error| error.to_string()));
            }
            Ok(result)
        }
    }
}

/// Checks that break points are ascending and inside the interval, and that the number of steps is
/// close to the requested one.
fn nodes_of_delays(points: Option<Vec<f64>>, steps: Option<Steps>, (t0, t1): (f64, f64)) {
    let points = points.expect("delays that are constant");
    assert!(points.iter().all(|t| t.is_finite() && t0 < *t && *t < t1), "{points:?}");
    assert!(points.is_sorted_by(|a, b| a < b), "{points:?}");
    match steps {
        Some(Steps::Uniform(n)) => assert!((10..=80).contains(&n), "{n}"),
        other => assert!(other.is_none(), "{other:?}"),
    }
}

fn scheme(bytes: &mut Bytes<'_>, dim: usize) -> Box<dyn Scheme> {
    match bytes.byte() % 9 {
        0 => Box::new(AdamsBashforthMoulton { passes: bytes.count(6) }),
        1 if bytes.flag() => Box::new(ProductRectangle::Explicit),
        1 => Box::new(ProductRectangle::Implicit),
        2 => Box::new(ProductTrapezoid),
        3 => Box::new(L1),
        4 => Box::new(LinearMultistep::Trapezoidal),
        5 => Box::new(LinearMultistep::NewtonGregory),
        6 => Box::new(Exponential::rectangle(&bytes.reals(dim))),
        7 => Box::new(Exponential::trapezoid(&bytes.reals(dim))),
        _ => {
            let (breaks, exponents) = (bytes.below(3), bytes.below(3));
            Box::new(Collocation {
                points: bytes.count(12),
                breaks: bytes.reals(breaks),
                exponents: bytes.reals(exponents),
            })
        }
    }
}

fn steps(bytes: &mut Bytes<'_>) -> Steps {
    match bytes.byte() % 4 {
        0 => Steps::Uniform(bytes.count(60)),
        1 => Steps::Graded { n: bytes.count(60), exponent: bytes.real() },
        2 => {
            let nodes = bytes.below(12);
            Steps::Given(bytes.reals(nodes))
        }
        _ => Steps::Adaptive {
            rtol: bytes.real(),
            atol: bytes.real(),
            min_step: bytes.real(),
            max_step: bytes.real(),
        },
    }
}

fn history(bytes: &mut Bytes<'_>) -> HistoryChoice {
    match bytes.byte() % 5 {
        0 => HistoryChoice::Direct,
        1 => HistoryChoice::Blocked,
        2 => HistoryChoice::Exponentials { tolerance: bytes.real() },
        3 => HistoryChoice::Within { tolerance: bytes.real() },
        _ => HistoryChoice::Exact,
    }
}
