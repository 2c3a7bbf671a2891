//! The solution between the nodes.

use hpfracc_ode::OdeError;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
use hpfracc_special::{gamma, mittag_leffler};
use hpfracc_testkit::observed_order;

fn decay(_: f64, y: &[f64], dydt: &mut [f64]) {
    dydt[0] = -y[0];
}

#[test]
fn as_near_as_the_nodes_from_the_start_on() {
    let alpha = 0.6;
    let problem = Problem::new(&[alpha], (1.0, 2.0), &[&[1.0]], decay).unwrap();
    let exact = |t: f64| mittag_leffler(alpha, 1.0, -(t - 1.0).powf(alpha)).unwrap();
    let errors: Vec<(f64, f64)> = [100, 200, 400, 800]
        .into_iter()
        .map(|n| {
            let scheme = AdamsBashforthMoulton::default();
            let solution =
                solve(&problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap();
            // Every third of a cell in the second half.
            let h = 1.0 / n as f64;
            let worst = (3 * n / 2..3 * n)
                .map(|i| 1.0 + i as f64 * h / 3.0)
                .map(|t| (solution.at(t).unwrap()[0] - exact(t)).abs())
                .fold(0.0, f64::max);
            // In the first cell a line is off by the power's curvature; the equation is not.
            let t = 1.0 + 0.3 * h;
            let first = solution.trajectory().state(1)[0];
            let line = ((1.0 + 0.3 * (first - 1.0)) - exact(t)).abs();
            let at = (solution.at(t).unwrap()[0] - exact(t)).abs();
            assert!(at < 0.3 * line, "{n}: {at:e} {line:e}");
            (h, worst)
        })
        .collect();
    let order = observed_order(&errors);
    assert!(order > 1.4, "{order} {errors:?}");
}

#[test]
fn exact_where_the_right_hand_side_is_linear_in_time() {
    // f = 1 + 2t, whatever y.
    let ramp = |t: f64, _: &[f64], dydt: &mut [f64]| dydt.fill(1.0 + 2.0 * t);
    for n in [1, 2, 50, 700] {
        let rows: [&[f64]; 2] = [&[0.5, 0.5], &[0.0, 0.25]];
        let problem = Problem::new(&[0.4, 1.7], (0.0, 3.0), &rows, ramp).unwrap();
        let scheme = AdamsBashforthMoulton::default();
        let solution = solve(&problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap();
        for i in 0..=37 {
            let t = 3.0 * f64::from(i) / 37.0;
            let y = solution.at(t).unwrap();
            for (alpha, slope, y) in [(0.4, 0.0, y[0]), (1.7, 0.25, y[1])] {
                let exact = 0.5
                    + slope * t
                    + t.powf(alpha) / gamma(alpha + 1.0)
                    + 2.0 * t.powf(alpha + 1.0) / gamma(alpha + 2.0);
                assert!((y - exact).abs() < 1e-13 * exact, "{n} {alpha} {t}: {y} {exact}");
            }
        }
    }
}

#[test]
fn continuous_at_the_nodes() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let solution = solve(&problem, &scheme, &Steps::Uniform(20), Options::default()).unwrap();
    for n in 1..20 {
        let (t, y) = (solution.times()[n], solution.trajectory().state(n)[0]);
        assert_eq!(solution.at(t).unwrap()[0], y);
        for near in [t - 1e-12, t + 1e-12] {
            assert!((solution.at(near).unwrap()[0] - y).abs() < 1e-8, "{t}");
        }
    }
}

#[test]
fn outside_there_is_nothing() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let solution = solve(&problem, &scheme, &Steps::Uniform(5), Options::default()).unwrap();
    for t in [-1e-9, 1.0 + 1e-9, f64::NAN] {
        assert!(matches!(solution.at(t), Err(OdeError::Outside { .. })));
    }
    let wrong = solution.at_into(0.5, &mut [0.0; 2]);
    assert!(matches!(wrong, Err(OdeError::Length { found: 2, expected: 1, .. })));
}

#[test]
fn many_times_at_once_agree_with_one_by_one() {
    for (alpha, n, steps) in [
        (0.3, 2000, Steps::Uniform(2000)),
        (0.9, 1500, Steps::Graded { n: 1500, exponent: 2.0 }),
        (1.6, 1500, Steps::Graded { n: 1500, exponent: 2.0 }),
        (2.4, 400, Steps::Uniform(400)),
        (0.5, 30, Steps::Uniform(30)),
    ] {
        let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], t - y[0]);
        let rows: [&[f64]; 3] = [&[1.0, 0.5], &[0.0, 0.0], &[0.0, 0.0]];
        let rows = &rows[..f64::ceil(alpha) as usize];
        let problem = Problem::new(&[alpha], (0.0, 2.0), rows, rhs).unwrap();
        let scheme = AdamsBashforthMoulton::default();
        let solution = solve(&problem, &scheme, &steps, Options::default()).unwrap();
        // In no order, one of them twice, nodes and both ends among them.
        let mut times: Vec<f64> = (0..180).map(|i| 2.0 * f64::from(i * 67 % 180) / 179.3).collect();
        times.extend([solution.times()[n / 2], 0.0, 2.0, times[17]]);
        let many = solution.at_many(&times).unwrap();
        for (&t, many) in times.iter().zip(many.rows()) {
            for (many, one) in many.iter().zip(solution.at(t).unwrap()) {
                assert!((many - one).abs() < 1e-11, "{alpha} {t}: {many} {one}");
            }
        }
        assert!(solution.at_many(&[]).unwrap().is_empty());
        let outside = solution.at_many(&[0.5, 2.5]);
        assert!(matches!(outside, Err(OdeError::Outside { t: 2.5, .. })));
    }
}
