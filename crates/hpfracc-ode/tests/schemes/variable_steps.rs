//! The product trapezoidal rule on any nodes.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Options, Problem, ProductTrapezoid, Scheme, Solution, Steps, System,
    solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use hpfracc_testkit::observed_order;

fn run<S: System>(
    problem: &Problem<S>,
    scheme: &dyn Scheme,
    steps: &Steps,
    history: HistoryChoice,
) -> Solution {
    solve(problem, scheme, steps, Options { history, ..Options::default() }).unwrap()
}

fn graded(n: usize, exponent: f64) -> Steps {
    Steps::Graded { n, exponent }
}

/// A mesh without any rule: lengths of steps that jump by factors up to 20.
fn irregular(n: usize, (t0, t1): (f64, f64)) -> Vec<f64> {
    let mut lengths: Vec<f64> =
        (0..n).map(|i| 1.0 + 19.0 * ((i * i * 7 + 3 * i) % 11) as f64 / 10.0).collect();
    let total: f64 = lengths.iter().sum();
    lengths.iter_mut().for_each(|h| *h *= (t1 - t0) / total);
    let mut nodes = vec![t0];
    for h in &lengths[..n - 1] {
        nodes.push(nodes[nodes.len() - 1] + h);
    }
    nodes.push(t1);
    nodes
}

/// The integral over a cell of (t-s)^(a-1)/Gamma(a) times the line from f0 to f1, by
/// antiderivatives.
fn cell(a: f64, t: f64, (s0, s1): (f64, f64), (f0, f1): (f64, f64)) -> f64 {
    let (far, near) = (t - s0, t - s1);
    let constant = (far.powf(a) - near.powf(a)) / gamma(a + 1.0);
    // I^(a+1) of the slope, by parts.
    let slope = (f1 - f0) / (s1 - s0);
    let linear = (far.powf(a + 1.0) - near.powf(a + 1.0)) / gamma(a + 2.0);
    let ends = near.powf(a) / gamma(a + 1.0);
    f0 * constant + slope * (linear - (s1 - s0) * ends)
}

type Rhs = fn(f64, &[f64], &mut [f64]);

/// The scheme in loops, its equation solved by a fixed number of evaluations of f.
fn reference(
    problem: &Problem<impl System>,
    f: Rhs,
    nodes: &[f64],
    passes: usize,
) -> Vec<Vec<f64>> {
    let dim = problem.dim();
    let mut y = vec![vec![0.0; dim]];
    problem.free_term(nodes[0], &mut y[0]);
    let mut slopes = vec![vec![0.0; dim]];
    f(nodes[0], &y[0], &mut slopes[0]);
    for n in 1..nodes.len() {
        let integral = |newest: &[f64]| {
            let mut out = vec![0.0; dim];
            problem.free_term(nodes[n], &mut out);
            for (i, out) in out.iter_mut().enumerate() {
                for j in 0..n {
                    let right = if j + 1 == n { newest[i] } else { slopes[j + 1][i] };
                    let ends = (nodes[j], nodes[j + 1]);
                    *out += cell(problem.order(i), nodes[n], ends, (slopes[j][i], right));
                }
            }
            out
        };
        // The line through the last two values, over the last cell.
        let mut newest = slopes[n - 1].clone();
        if n > 1 {
            let share = (nodes[n] - nodes[n - 1]) / (nodes[n - 1] - nodes[n - 2]);
            for (newest, before) in newest.iter_mut().zip(&slopes[n - 2]) {
                *newest += share * (*newest - before);
            }
        }
        let mut state = integral(&newest);
        for _ in 0..passes {
            f(nodes[n], &state, &mut newest);
            state = integral(&newest);
        }
        let mut slope = vec![0.0; dim];
        f(nodes[n], &state, &mut slope);
        y.push(state);
        slopes.push(slope);
    }
    y
}

#[test]
fn the_formula_in_loops() {
    let f: Rhs = |t, y, dydt| {
        dydt[0] = -y[0] + 0.3 * y[1] * y[0] + t.cos();
        dydt[1] = y[0] - 2.0 * y[1];
    };
    let interval = (-1.0, 2.0);
    for orders in [&[0.3, 0.6][..], &[0.9, 1.0], &[0.5], &[1.0, 1.5], &[1.2, 2.0], &[2.0, 0.7]] {
        let largest = orders.iter().copied().fold(0.0, f64::max);
        let slopes = [
            if orders[0] > 1.0 { 0.25 } else { 0.0 },
            if largest > 1.0 && orders[orders.len() - 1] > 1.0 { -0.5 } else { 0.0 },
        ];
        let rows: [&[f64]; 2] = [&[1.0, 0.5], &slopes];
        let problem = Problem::new(orders, interval, &rows[..largest.ceil() as usize], f).unwrap();
        let meshes = [irregular(150, interval), graded(100, 1.8).nodes("", interval).unwrap()];
        for nodes in &meshes {
            let explicit = reference(&problem, f, nodes, 1);
            let implicit = reference(&problem, f, nodes, 60);
            let pece = AdamsBashforthMoulton::default();
            for (scheme, expected) in
                [(&pece as &dyn Scheme, &explicit), (&ProductTrapezoid, &implicit)]
            {
                for (history, most) in [
                    (HistoryChoice::Exact, 1e-12),
                    (HistoryChoice::Direct, 1e-12),
                    (HistoryChoice::Exponentials { tolerance: 1e-12 }, 1e-11),
                    (HistoryChoice::Exponentials { tolerance: 1e-7 }, 1e-6),
                ] {
                    let found = run(&problem, scheme, &Steps::Given(nodes.clone()), history);
                    for (n, expected) in expected.iter().enumerate() {
                        for (found, expected) in found.trajectory().state(n).iter().zip(expected) {
                            let error = (found - expected).abs();
                            assert!(
                                error < most,
                                "{orders:?} {} {history:?} {n}: {error:e}",
                                scheme.name()
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Largest errors over all nodes as N doubles.
fn over_all_nodes(
    scheme: &dyn Scheme,
    alpha: f64,
    (first, doublings): (usize, usize),
    exponent: f64,
    history: HistoryChoice,
) -> (f64, f64) {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let rows: [&[f64]; 2] = [&[1.0], &[0.0]];
    let problem = Problem::new(&[alpha], (0.0, 1.0), &rows[..alpha.ceil() as usize], rhs).unwrap();
    let errors: Vec<(f64, f64)> = (0..doublings)
        .map(|doubling| {
            let n = first << doubling;
            let solution = run(&problem, scheme, &graded(n, exponent), history);
            let error = |(t, y): (&f64, &f64)| {
                (y - mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap()).abs()
            };
            let states = solution.states();
            let errors = solution.times().iter().zip(states.column(0)).map(error);
            (1.0 / n as f64, errors.fold(0.0, f64::max))
        })
        .collect();
    (errors[doublings - 1].1, observed_order(&errors))
}

#[test]
fn order_two_over_all_nodes_where_the_solution_is_a_power() {
    let pece = AdamsBashforthMoulton::default();
    for scheme in [&pece as &dyn Scheme, &ProductTrapezoid] {
        for alpha in [0.5, 0.8, 1.0, 1.6] {
            let exponent = f64::max(1.0, 2.0 / alpha);
            for history in [HistoryChoice::Direct, HistoryChoice::Exponentials { tolerance: 1e-10 }]
            {
                let (error, order) = over_all_nodes(scheme, alpha, (40, 4), exponent, history);
                println!("{} {alpha}: {error:.2e} {order:.2}", scheme.name());
                // The predictor-corrector method comes down to its order from above.
                assert!(
                    order > 1.8 && order < if scheme.name() == pece.name() { 2.4 } else { 2.2 },
                    "{} {alpha} {history:?}: {order}",
                    scheme.name()
                );
            }
        }
        // Steps down to 1e-13 of the interval.
        let history = HistoryChoice::Exponentials { tolerance: 1e-10 };
        let (error, order) = over_all_nodes(scheme, 0.3, (20, 3), 2.0 / 0.3, history);
        println!("{} 0.3: {error:.2e} {order:.2}", scheme.name());
        assert!(order > 1.75, "{} 0.3: {order}", scheme.name());
    }
}

#[test]
fn equal_steps_have_twice_the_power_of_the_start() {
    for alpha in [0.5, 0.8] {
        let history = HistoryChoice::Direct;
        let (_, order) = over_all_nodes(&ProductTrapezoid, alpha, (160, 4), 1.0, history);
        assert!((order - 2.0 * alpha).abs() < 0.2, "{alpha}: {order}");
    }
}

#[test]
fn equal_steps_given_as_nodes_are_the_uniform_rule() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t.sin() - y[0] * y[0];
    let problem = Problem::new(&[0.7], (1.0, 3.0), &[&[0.5]], rhs).unwrap();
    let uniform = run(&problem, &ProductTrapezoid, &Steps::Uniform(300), HistoryChoice::Direct);
    let nodes = Steps::Given(uniform.times().to_vec());
    for history in [HistoryChoice::Direct, HistoryChoice::Exponentials { tolerance: 1e-13 }] {
        let given = run(&problem, &ProductTrapezoid, &nodes, history);
        for (given, uniform) in given.states().iter().zip(uniform.states()) {
            assert!((given - uniform).abs() < 1e-12, "{given} {uniform}");
        }
    }
}

#[test]
fn within_a_tolerance_the_memory_may_be_exponentials() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.7], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let go = |n, history| run(&problem, &ProductTrapezoid, &graded(n, 2.0), history);
    let within = |tolerance| HistoryChoice::Within { tolerance };
    // Few cells are summed one by one, and so is everything that exponentials do not reach.
    assert_eq!(go(100, within(1e-8)).states(), go(100, HistoryChoice::Direct).states());
    assert_eq!(go(1100, within(1e-15)).states(), go(1100, HistoryChoice::Direct).states());
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    assert_eq!(go(1100, within(1e-8)).states(), go(1100, exponentials).states());
}

#[test]
fn invalid_arguments_are_errors() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let refused = |alpha: f64, steps: &Steps, history| {
        let rows = [&[1.0][..], &[0.0], &[0.0]];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &rows[..alpha.ceil() as usize], rhs);
        let options = Options { history, ..Options::default() };
        solve(&problem.unwrap(), &ProductTrapezoid, steps, options).unwrap_err().error
    };
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    let error = refused(0.5, &graded(10, 2.0), HistoryChoice::Blocked);
    assert!(matches!(error, OdeError::UnequalSteps), "{error}");
    let error = refused(2.5, &graded(10, 2.0), exponentials);
    assert!(matches!(error, OdeError::NoExponentials { .. }), "{error}");
    let error = refused(0.5, &graded(1000, 6.0), exponentials);
    assert!(matches!(error, OdeError::OutOfRange { what: "the length of a step", .. }), "{error}");
    let error = refused(0.5, &graded(10, 2.0), HistoryChoice::Within { tolerance: -1.0 });
    assert!(matches!(error, OdeError::OutOfRange { value: -1.0, .. }), "{error}");
    let error = refused(0.5, &Steps::Given(vec![0.0, 0.5, 0.5, 1.0]), HistoryChoice::Exact);
    assert!(matches!(error, OdeError::OutOfRange { value: 0.5, .. }), "{error}");
}
