//! L1 of several and variable orders, beside direct sums.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    Event, L1, L1OfOrders, OdeError, Options, Problem, SaveAt, SaveNodes, Solution, Steps, System,
    TimeOrders, solve,
};
use hpfracc_special::gamma;

type Order = fn(f64) -> f64;

/// Weights and orders at t of a part of the components.
#[derive(Clone)]
enum Part {
    Several(Vec<(f64, f64)>),
    Variable(Order),
}

impl Part {
    fn terms(&self, t: f64) -> Vec<(f64, f64)> {
        match self {
            Self::Several(terms) => terms.clone(),
            Self::Variable(alpha) => vec![(1.0, alpha(t))],
        }
    }

    fn orders(&self) -> TimeOrders<'static> {
        match self {
            Self::Several(terms) => TimeOrders::several(terms).unwrap(),
            Self::Variable(alpha) => TimeOrders::variable(*alpha),
        }
    }
}

fn scheme(parts: &[Part]) -> L1OfOrders<'static> {
    L1OfOrders::new(parts.iter().map(Part::orders).collect()).unwrap()
}

fn falling(t: f64) -> f64 {
    0.9 - 0.6 * t / (1.0 + t)
}

fn waving(t: f64) -> f64 {
    0.5 + 0.45 * (3.0 * t).sin()
}

/// Reaches order 1, and jumps.
fn switching(t: f64) -> f64 {
    if t < 0.5 { 1.0 } else { 0.3 }
}

fn cases() -> Vec<Vec<Part>> {
    let two = Part::Several(vec![(1.0, 0.8), (2.0, 0.3)]);
    let five = Part::Several((1..=5).map(|j| (0.5, 0.18 * f64::from(j))).collect());
    let with_first = Part::Several(vec![(0.7, 1.0), (0.5, 0.5)]);
    let one = Part::Several(vec![(3.0, 0.6)]);
    let first = Part::Several(vec![(2.0, 1.0)]);
    let tiny = Part::Several(vec![(1.0, 1e-9), (1.0, 1.0 - 1e-9)]);
    vec![
        vec![two.clone()],
        vec![five],
        vec![with_first.clone(), one],
        vec![Part::Variable(falling)],
        vec![Part::Variable(waving), two],
        vec![Part::Variable(switching), first],
        vec![tiny, with_first],
    ]
}

/// Right-hand side `cos(i + 3 t) - r_i y_i`.
fn rate(i: usize) -> f64 {
    0.5 + 0.1 * (i % 7) as f64
}

fn drive(i: usize, t: f64) -> f64 {
    (i as f64 + 3.0 * t).cos()
}

fn problem(dim: usize) -> Problem<impl System> {
    let start: Vec<f64> = (0..dim).map(|i| (i as f64).sin()).collect();
    Problem::new(&[1.0], (0.0, 2.0), &[&start], |t, y, dydt| {
        for (i, (dydt, y)) in dydt.iter_mut().zip(y).enumerate() {
            *dydt = drive(i, t) - rate(i) * y;
        }
    })
    .unwrap()
}

/// The scheme as it is written: all sums over all steps.
fn direct_sums(parts: &[Part], dim: usize, nodes: &[f64]) -> Vec<Vec<f64>> {
    let mut states: Vec<Vec<f64>> = vec![(0..dim).map(|i| (i as f64).sin()).collect()];
    for (n, &t) in nodes.iter().enumerate().skip(1) {
        let mut next = vec![0.0; dim];
        for (i, next) in next.iter_mut().enumerate() {
            let terms = parts[i * parts.len() / dim].terms(t);
            let weight = |k: usize| -> f64 {
                let of = |(w, alpha): &(f64, f64)| {
                    let power = |u: f64| if *alpha < 1.0 { u.powf(1.0 - alpha) } else { 0.0 };
                    let newest = k + 1 == n;
                    // At order 1 the newest slope alone.
                    let whole = if newest && *alpha == 1.0 { 1.0 } else { power(t - nodes[k]) };
                    let rest = if newest { 0.0 } else { power(t - nodes[k + 1]) };
                    w * (whole - rest) / gamma(2.0 - alpha)
                };
                terms.iter().map(of).sum::<f64>() / (nodes[k + 1] - nodes[k])
            };
            let known: f64 =
                (0..n - 1).map(|k| weight(k) * (states[k + 1][i] - states[k][i])).sum();
            let newest = weight(n - 1);
            *next = (newest * states[n - 1][i] - known + drive(i, t)) / (newest + rate(i));
        }
        states.push(next);
    }
    states
}

fn run(
    problem: &Problem<impl System>,
    parts: &[Part],
    steps: &Steps,
    history: HistoryChoice,
) -> Solution {
    solve(problem, &scheme(parts), steps, Options { history, ..Options::default() }).unwrap()
}

fn difference(solution: &Solution, states: &[Vec<f64>]) -> f64 {
    let states = states.iter().flatten();
    solution.states().iter().zip(states).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn every_history_is_the_direct_sum() {
    for parts in cases() {
        for (dim, n) in [(2, 30), (64, 20), (68, 40)] {
            let problem = problem(dim);
            let irregular = (0..=n).map(|j| {
                let x = j as f64 / n as f64;
                2.0 * x * x + 0.3 * x * (1.0 - x) * (9.0 * x).sin().powi(2)
            });
            let irregular = Steps::Given(irregular.collect());
            for steps in [Steps::Uniform(n), Steps::Graded { n, exponent: 3.0 }, irregular] {
                let nodes = steps.nodes("L1", (0.0, 2.0)).unwrap();
                let exact = direct_sums(&parts, dim, &nodes);
                for (history, bound) in [
                    (HistoryChoice::Direct, 2e-12),
                    (HistoryChoice::Exponentials { tolerance: 1e-12 }, 4e-12),
                    (HistoryChoice::Exponentials { tolerance: 1e-6 }, 2e-6),
                    (HistoryChoice::Within { tolerance: 1e-6 }, 2e-6),
                    (HistoryChoice::SingleExponentials { tolerance: 1e-8 }, 1e-5),
                ] {
                    let error = difference(&run(&problem, &parts, &steps, history), &exact);
                    assert!(error < bound, "{dim} {n} {steps:?} {history:?}: {error:e}");
                }
            }
        }
    }
}

/// A variable order that is constant, and a sum of one term, are L1 bit by bit.
#[test]
fn one_order_is_l1() {
    let steps = Steps::Graded { n: 50, exponent: 2.5 };
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t.cos() - y[0] * y[0];
    let problem = Problem::new(&[0.6], (0.0, 2.0), &[&[0.5]], rhs).unwrap();
    let options = || Options { history: HistoryChoice::Direct, ..Options::default() };
    let expected = solve(&problem, &L1, &steps, options()).unwrap();
    let constant = TimeOrders::variable(|_| 0.6);
    for orders in [TimeOrders::several(&[(1.0, 0.6)]).unwrap(), constant] {
        let scheme = L1OfOrders::new(vec![orders]).unwrap();
        let found = solve(&problem, &scheme, &steps, options()).unwrap();
        assert_eq!(found.states(), expected.states());
    }
    // Equal orders add their weights: 0.25 + 0.75.
    let halves = TimeOrders::several(&[(0.25, 0.6), (0.75, 0.6)]).unwrap();
    let scheme = L1OfOrders::new(vec![halves]).unwrap();
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-12 };
    for history in [HistoryChoice::Direct, exponentials] {
        let options = Options { history, ..Options::default() };
        let found = solve(&problem, &scheme, &steps, options).unwrap();
        let (found, expected) = (found.states(), expected.states());
        let far = found.iter().zip(expected.iter()).map(|(a, b)| (a - b).abs());
        assert!(far.fold(0.0, f64::max) < 2e-12);
    }
}

/// Largest error of all nodes of an equation with the solution `t^power` and a reaction y^2.
fn error(part: &Part, power: f64, steps: &Steps) -> f64 {
    let of_part = part.clone();
    let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        let derivative = |(w, alpha): &(f64, f64)| {
            w * gamma(power + 1.0) / gamma(power + 1.0 - alpha) * t.powf(power - alpha)
        };
        let exact = t.powf(power);
        let known: f64 = if t > 0.0 { of_part.terms(t).iter().map(derivative).sum() } else { 0.0 };
        dydt[0] = known + exact * exact - y[0] * y[0];
    };
    let problem = Problem::new(&[1.0], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
    let history = HistoryChoice::Exponentials { tolerance: 1e-12 };
    let solution = run(&problem, std::slice::from_ref(part), steps, history);
    let times = solution.times().to_vec();
    let states = solution.states();
    times.iter().zip(states.iter()).map(|(t, y)| (y - t.powf(power)).abs()).fold(0.0, f64::max)
}

fn rising(t: f64) -> f64 {
    0.3 + 0.4 * t
}

#[test]
fn observed_orders() {
    let two = Part::Several(vec![(1.0, 0.4), (0.5, 0.2)]);
    let five = Part::Several((1..=5).map(|j| (0.5, 0.12 * f64::from(j))).collect());
    for (part, highest, first) in
        [(two, 0.4, 0.4), (five, 0.6, 0.6), (Part::Variable(rising), 0.7, 0.3)]
    {
        // Smooth on equal steps; as the solutions are at the start on graded ones.
        for power in [2.0, first] {
            let errors = [256, 512, 1024].map(|n| {
                let exponent = if power == 2.0 { 1.0 } else { (2.0 - highest) / first };
                error(&part, power, &Steps::Graded { n, exponent })
            });
            for pair in errors.windows(2) {
                let order = (pair[0] / pair[1]).log2();
                println!("{highest} {power}: {order:.3}, error {:e}", pair[1]);
                assert!((order - (2.0 - highest)).abs() < 0.1, "{highest} {power}: {order}");
            }
        }
    }
}

/// Decay stays positive and falls; with growth of the order in time it need not fall, but stays
/// below the start.
#[test]
fn maximum_principle() {
    let decay = Problem::new(&[1.0], (0.0, 10.0), &[&[1.0, 1.0]], |_, y, dydt| {
        (dydt[0], dydt[1]) = (-y[0], -1e6 * y[1]);
    })
    .unwrap();
    for parts in cases() {
        for steps in [Steps::Uniform(60), Steps::Graded { n: 60, exponent: 4.0 }] {
            for tolerance in [1e-3, 1e-10] {
                let history = HistoryChoice::Exponentials { tolerance };
                let solution = run(&decay, &parts, &steps, history);
                let bound = 1.0 + tolerance;
                assert!(solution.states().iter().all(|y| (0.0..=bound).contains(y)));
            }
        }
    }
}

/// Observers interpolate in the last step, without stored nodes; jumps end a step and continue.
#[test]
fn events_jumps_and_saved_times() {
    for parts in [vec![Part::Variable(falling)], vec![Part::Several(vec![(1.0, 0.8), (2.0, 0.3)])]]
    {
        let of = |history| {
            let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
                dydt.iter_mut().zip(y).for_each(|(d, y)| *d = 1.0 - 0.1 * y);
            };
            let problem = Problem::new(&[0.9], (0.0, 3.0), &[&[0.0; 64]], rhs).unwrap();
            let mut event = Event::new(|_, y| y[0] - 0.4).jumping(|_, y| y.fill(0.1));
            let mut saved = SaveAt::times_of(&[0.01, 1.0, 2.5]).unwrap();
            let options = Options {
                history,
                save_nodes: SaveNodes::Last,
                observers: vec![&mut event, &mut saved],
                ..Options::default()
            };
            let steps = Steps::Graded { n: 100, exponent: 2.0 };
            let solution = solve(&problem, &scheme(&parts), &steps, options).unwrap();
            assert!(solution.statistics().jumps > 0);
            let saved: Vec<f64> = saved.states().column(0).to_vec();
            (saved, solution.last()[0])
        };
        let (saved, last) = of(HistoryChoice::Direct);
        let (compressed, compressed_last) = of(HistoryChoice::Exponentials { tolerance: 1e-11 });
        assert_eq!(saved.len(), 3);
        assert!(saved.iter().zip(&compressed).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((last - compressed_last).abs() < 1e-9);
    }
}

#[test]
fn refusals() {
    let problem = |alpha: f64, rows: &[&[f64]]| {
        Problem::new(&[alpha], (0.0, 1.0), rows, |_, y: &[f64], dydt: &mut [f64]| {
            dydt.copy_from_slice(y);
        })
        .unwrap()
    };
    let range = |result: Result<TimeOrders<'_>, OdeError>| {
        let error = result.unwrap_err();
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    };
    for (weight, alpha) in
        [(0.0, 0.5), (-1.0, 0.5), (f64::NAN, 0.5), (1.0, 0.0), (1.0, 1.1), (1.0, f64::NAN)]
    {
        range(TimeOrders::several(&[(1.0, 0.5), (weight, alpha)]));
    }
    assert!(matches!(TimeOrders::several(&[]), Err(OdeError::Empty)));
    assert!(matches!(L1OfOrders::new(Vec::new()), Err(OdeError::Empty)));
    let solved = |problem: &Problem<_>, parts: &[Part], steps: Steps, history| {
        let options = Options { history, ..Options::default() };
        solve(problem, &scheme(parts), &steps, options).map(drop).map_err(|failure| failure.error)
    };
    let of = |parts: &[Part], steps, history| {
        solved(&problem(0.5, &[&[1.0; 3]]), parts, steps, history).unwrap_err()
    };
    let two = Part::Several(vec![(1.0, 0.8), (2.0, 0.3)]);
    let uniform = || Steps::Uniform(4);
    let direct = HistoryChoice::Direct;
    let error = of(&[two.clone(), two.clone()], uniform(), direct);
    assert!(matches!(error, OdeError::OutOfRange { value: 2.0, .. }), "{error}");
    let error = of(std::slice::from_ref(&two), Steps::adaptive(1e-3, 1e-3), direct);
    assert!(matches!(error, OdeError::Steps { steps: "adaptive", .. }), "{error}");
    let error = of(std::slice::from_ref(&two), uniform(), HistoryChoice::Blocked);
    assert!(matches!(error, OdeError::UnequalSteps), "{error}");
    let small = HistoryChoice::Exponentials { tolerance: 1e-15 };
    let error = of(std::slice::from_ref(&two), uniform(), small);
    assert!(matches!(error, OdeError::Operator(_)), "{error}");
    let waves = problem(1.5, &[&[1.0], &[0.0]]);
    let error = solved(&waves, &[two], uniform(), direct).unwrap_err();
    assert!(matches!(error, OdeError::OutOfRange { value: 1.5, .. }), "{error}");
    let growing: [Order; 3] = [|t| 0.5 + t, |t| 0.5 - t, |_| f64::NAN];
    for alpha in growing {
        let error = of(&[Part::Variable(alpha)], uniform(), direct);
        let OdeError::VariableOrder { t, alpha: found } = error else { panic!("{error}") };
        assert!(t > 0.0 && (found.is_nan() || found == alpha(t)), "{t} {found}");
    }
}
