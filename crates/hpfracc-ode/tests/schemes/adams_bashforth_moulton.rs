//! The predictor-corrector method: its formulas, its published errors, its limits.

use crate::record_orders;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Options, Problem, Scheme, Solution, Steps, System, solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use hpfracc_testkit::observed_order;

fn pece<S: System>(problem: &Problem<S>, passes: usize, n: usize) -> Solution {
    let scheme = AdamsBashforthMoulton { passes };
    solve(problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap()
}

/// The formulas as they are printed, with differences of powers as they are printed.
fn by_loops(
    (alpha, h): (f64, f64),
    (n, passes): (usize, usize),
    initial: &[f64],
    f: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let free = |t: f64| -> f64 {
        let term = |(j, y): (usize, &f64)| y * t.powi(j as i32) / gamma(j as f64 + 1.0);
        initial.iter().enumerate().map(term).sum()
    };
    let p = |k: f64| k.powf(alpha + 1.0);
    let mut y = vec![initial[0]];
    let mut slopes = vec![f(0.0, initial[0])];
    for m in 1..=n {
        let (x, t) = (m as f64, m as f64 * h);
        let b = |k: usize| (k as f64 + 1.0).powf(alpha) - (k as f64).powf(alpha);
        let c = |k: usize| p(k as f64 + 1.0) - 2.0 * p(k as f64) + p(k as f64 - 1.0);
        let predictor: f64 = (0..m).map(|j| b(m - 1 - j) * slopes[j]).sum();
        let start = (p(x - 1.0) - (x - 1.0 - alpha) * x.powf(alpha)) * slopes[0];
        let history: f64 = (1..m).map(|j| c(m - j) * slopes[j]).sum();
        let mut value = free(t) + h.powf(alpha) / gamma(alpha + 1.0) * predictor;
        for _ in 0..passes {
            value = free(t) + h.powf(alpha) / gamma(alpha + 2.0) * (start + history + f(t, value));
        }
        y.push(value);
        slopes.push(f(t, value));
    }
    y
}

#[test]
fn the_printed_formulas() {
    let f = |t: f64, y: f64| (2.0 * t).cos() - y.sin();
    for (alpha, initial) in
        [(0.3, vec![0.4]), (0.8, vec![0.4]), (1.0, vec![0.4]), (1.6, vec![0.4, -0.3])]
    {
        for passes in [0, 1, 3] {
            let rows: Vec<&[f64]> = initial.chunks(1).collect();
            let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = f(t, y[0]);
            let problem = Problem::new(&[alpha], (0.0, 2.0), &rows, rhs).unwrap();
            let expected = by_loops((alpha, 2.0 / 300.0), (300, passes), &initial, f);
            for history in [
                HistoryChoice::Direct,
                HistoryChoice::Blocked,
                HistoryChoice::Exponentials { tolerance: 1e-12 },
            ] {
                let options = Options { history, ..Options::default() };
                let scheme = AdamsBashforthMoulton { passes };
                let found = solve(&problem, &scheme, &Steps::Uniform(300), options).unwrap();
                for (n, y) in expected.iter().enumerate() {
                    let difference = (found.trajectory().state(n)[0] - y).abs();
                    assert!(difference < 1e-11, "{alpha} {passes} {history:?} {n}: {difference:e}");
                }
            }
        }
    }
}

/// `D^a y = ...`, y = t^8 - 3 t^(4+a/2) + 9/4 t^a.
fn test_equation(alpha: f64) -> Problem<impl System> {
    let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = 40320.0 / gamma(9.0 - alpha) * t.powf(8.0 - alpha)
            - 3.0 * gamma(5.0 + alpha / 2.0) / gamma(5.0 - alpha / 2.0) * t.powf(4.0 - alpha / 2.0)
            + 2.25 * gamma(alpha + 1.0)
            + (1.5 * t.powf(alpha / 2.0) - t.powi(4)).powi(3)
            - y[0].abs().powf(1.5);
    };
    let initial: &[&[f64]] = if alpha > 1.0 { &[&[0.0], &[0.0]] } else { &[&[0.0]] };
    Problem::new(&[alpha], (0.0, 1.0), initial, rhs).unwrap()
}

fn errors_at_one(alpha: f64, passes: usize, doublings: std::ops::Range<u32>) -> Vec<(f64, f64)> {
    let problem = test_equation(alpha);
    doublings
        .map(|doubling| {
            let n = 10 << doubling;
            (1.0 / f64::from(n), (pece(&problem, passes, n as usize).last()[0] - 0.25).abs())
        })
        .collect()
}

/// The tables of Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, section 5: steps 1/10, 1/20,
/// ...
#[test]
fn the_published_errors() {
    let quarter = [2.50e-1, 1.81e-2, 3.61e-3, 1.45e-3, 6.58e-4, 2.97e-4, 1.31e-4];
    let five_quarters = [5.53e-3, 1.59e-3, 4.33e-4, 1.14e-4, 2.97e-5, 7.66e-6, 1.96e-6];
    for (alpha, published) in [(0.25, quarter), (1.25, five_quarters)] {
        for ((h, found), published) in errors_at_one(alpha, 1, 0..7).into_iter().zip(published) {
            assert!(
                (found / published - 1.0).abs() < 0.005,
                "{alpha} {h}: {found:e} {published:e}"
            );
        }
    }
}

#[test]
fn orders_at_the_end() {
    for (alpha, passes, from, expected) in [
        (0.25, 1, 4, 1.25),
        (0.5, 2, 3, 2.0),
        (0.25, 5, 3, 2.0),
        (1.25, 1, 3, 2.0),
        (1.5, 1, 3, 2.0),
    ] {
        let order = observed_order(&errors_at_one(alpha, passes, from..from + 5));
        assert!((order - expected).abs() < 0.2, "{alpha} {passes}: {order}");
    }
}

/// Solutions that behave as t^alpha: 1 + alpha at a fixed time, 2 alpha over all nodes.
#[test]
fn orders_for_relaxation() {
    for alpha in [0.5, 0.8] {
        let decay = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], decay).unwrap();
        let exact = |t: f64| mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap();
        let (mut at_end, mut over_all) = (Vec::new(), Vec::new());
        for doubling in 0..5 {
            let n = 160 << doubling;
            let solution = pece(&problem, 3, n);
            let error =
                |j: usize| (solution.trajectory().state(j)[0] - exact(solution.times()[j])).abs();
            at_end.push((1.0 / n as f64, error(n)));
            over_all.push((1.0 / n as f64, (0..=n).map(error).fold(0.0, f64::max)));
        }
        let (end, all) = (observed_order(&at_end), observed_order(&over_all));
        let names = [AdamsBashforthMoulton::default().name(), "behaves as t^alpha", "uniform"];
        record_orders(names, alpha, all, (end, at_end[4].1));
        assert!((end - (1.0 + alpha)).abs() < 0.2, "{alpha}: {end} at the end");
        assert!((all - 2.0 * alpha).abs() < 0.2, "{alpha}: {all} over all nodes");
    }
}

#[test]
fn stable_up_to_the_limit_and_not_beyond() {
    for alpha in [0.3, 0.5, 0.7, 0.9, 1.0] {
        let limit = gamma(alpha + 2.0);
        let run = |share: f64| {
            // 300 steps of length 1.
            let lambda = share * limit;
            let decay = move |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -lambda * y[0];
            let problem = Problem::new(&[alpha], (0.0, 300.0), &[&[1.0]], decay).unwrap();
            pece(&problem, 1, 300)
        };
        let (inside, outside) = (run(0.97), run(1.03));
        assert!(inside.last()[0].abs() < 0.5, "{alpha}: {}", inside.last()[0]);
        assert!(outside.last()[0].abs() > 10.0, "{alpha}: {}", outside.last()[0]);
        assert_eq!(inside.statistics().stability, None);
        let hint = outside.statistics().stability.expect("outside the limit");
        assert!((hint.excess - 1.03).abs() < 1e-6 && hint.t == 1.0, "{alpha}: {hint:?}");
    }
}

/// At order 1: Euler's method without a corrector, the trapezoidal rule with many passes.
#[test]
fn order_one_is_classical() {
    let f = |t: f64, y: f64| t.sin() - y * y;
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = f(t, y[0]);
    let problem = Problem::new(&[1.0], (0.0, 2.0), &[&[1.0]], rhs).unwrap();
    let (n, h) = (100, 0.02);
    let (euler, trapezoid) = (pece(&problem, 0, n), pece(&problem, 60, n));
    let (mut y, mut z) = (1.0, 1.0);
    for j in 0..n {
        let t = j as f64 * h;
        y += h * f(t, y);
        let from = z + 0.5 * h * f(t, z);
        for _ in 0..100 {
            z = from + 0.5 * h * f(t + h, z);
        }
        assert!((euler.trajectory().state(j + 1)[0] - y).abs() < 1e-14 * n as f64);
        assert!((trapezoid.trajectory().state(j + 1)[0] - z).abs() < 1e-14 * n as f64);
    }
}

#[test]
fn orders_near_one_are_near_order_one() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t - y[0];
    let at = |alpha: f64, initial: &[&[f64]]| {
        let problem = Problem::new(&[alpha], (0.0, 2.0), initial, rhs).unwrap();
        pece(&problem, 1, 200).last()[0]
    };
    let (below, one, above) =
        (at(1.0 - 1e-9, &[&[1.0]]), at(1.0, &[&[1.0]]), at(1.0 + 1e-9, &[&[1.0], &[0.0]]));
    assert!((below - one).abs() < 1e-8 && (above - one).abs() < 1e-8);
}

#[test]
fn a_component_with_its_own_order_is_solved_as_if_alone() {
    let f = |t: f64, y: f64| (3.0 * t).sin() - y;
    let both = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (f(t, y[0]), f(t, y[1]));
    };
    let alone = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = f(t, y[0]);
    let rows: [&[f64]; 2] = [&[0.5, 0.2], &[0.0, 1.0]];
    let together = Problem::new(&[0.6, 1.4], (1.0, 3.0), &rows, both).unwrap();
    let first = Problem::new(&[0.6], (1.0, 3.0), &[&[0.5]], alone).unwrap();
    let second = Problem::new(&[1.4], (1.0, 3.0), &[&[0.2], &[1.0]], alone).unwrap();
    let (together, first, second) =
        (pece(&together, 1, 400), pece(&first, 1, 400), pece(&second, 1, 400));
    for n in 0..=400 {
        let y = together.trajectory().state(n);
        assert_eq!(y[0], first.trajectory().state(n)[0]);
        assert_eq!(y[1], second.trajectory().state(n)[0]);
    }
}

#[test]
fn evaluations_and_steps_are_counted() {
    let decay = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.7], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    for passes in [0, 1, 4] {
        let solution = pece(&problem, passes, 25);
        assert_eq!(solution.statistics().steps, 25);
        assert_eq!(solution.statistics().evaluations, 1 + 25 * (passes + 1));
        assert_eq!(solution.times().len(), 26);
        assert_eq!(*solution.times().last().unwrap(), 1.0);
    }
}
