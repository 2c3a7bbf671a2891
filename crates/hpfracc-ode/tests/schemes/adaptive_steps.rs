//! Steps chosen from an estimate of the error.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Options, Problem, ProductTrapezoid, Progress, Scheme,
    Setup, Solution, Status, Steps, System, solve,
};
use hpfracc_special::{gamma, mittag_leffler};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn adaptive(tolerance: f64) -> Steps {
    Steps::adaptive(tolerance, tolerance)
}

fn ml(alpha: f64, beta: f64, x: f64) -> f64 {
    mittag_leffler(alpha, beta, x).unwrap()
}

/// The largest error over some thousand nodes and times between, over atol + rtol |y|.
fn error_over_tolerance(solution: &Solution, tolerance: f64, exact: impl Fn(f64) -> f64) -> f64 {
    let between = solution.times().windows(2).map(|cell| 0.5 * (cell[0] + cell[1]));
    let all: Vec<f64> = solution.times().iter().copied().chain(between).collect();
    let (start, rest) = all.split_at(all.len().min(100));
    let some = rest.iter().step_by(1 + rest.len() / 1000);
    let times: Vec<f64> = start.iter().chain(some).copied().collect();
    let states = solution.at_many(&times).unwrap();
    let over = |(&t, y): (&f64, &f64)| (y - exact(t)).abs() / (tolerance * (1.0 + exact(t).abs()));
    times.iter().zip(states.column(0)).map(over).fold(0.0, f64::max)
}

fn proportional<S: System>(
    what: &str,
    problem: &Problem<S>,
    scheme: &dyn Scheme,
    exact: impl Fn(f64) -> f64,
    (least, most): (f64, f64),
) {
    let mut ratios = Vec::new();
    for digits in 3..=8 {
        let tolerance = 10f64.powi(-digits);
        let solution = solve(problem, scheme, &adaptive(tolerance), Options::default()).unwrap();
        let ratio = error_over_tolerance(&solution, tolerance, &exact);
        let statistics = solution.statistics();
        println!(
            "{what}, {}, 1e-{digits}: error/tolerance {ratio:.3}, {} steps, {} rejections, {} evaluations",
            scheme.name(),
            statistics.steps,
            statistics.rejections,
            statistics.evaluations
        );
        ratios.push(ratio);
    }
    // At loose tolerances a hundredth of the interval limits the steps.
    for (digits, ratio) in (3..).zip(&ratios) {
        let least = if digits < 6 { 0.0 } else { least };
        assert!((least..most).contains(ratio), "{what}: {ratios:?}");
    }
}

#[test]
fn relaxation() {
    let pece = AdamsBashforthMoulton::default();
    for (alpha, end) in [(0.5, 1.0), (0.8, 10.0), (0.95, 1.0), (1.0, 2.0), (1.5, 5.0)] {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let rows: [&[f64]; 2] = [&[1.0], &[0.0]];
        let rows = &rows[..f64::ceil(alpha) as usize];
        let problem = Problem::new(&[alpha], (0.0, end), rows, rhs).unwrap();
        let exact = |t: f64| ml(alpha, 1.0, -t.powf(alpha));
        for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
            proportional(&format!("relaxation {alpha}"), &problem, scheme, exact, (0.02, 1.0));
        }
    }
}

#[test]
fn a_smooth_solution() {
    for alpha in [0.4, 0.9] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            dydt[0] = -y[0] + t * t + 2.0 * t.powf(2.0 - alpha) / gamma(3.0 - alpha);
        };
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
        proportional(&format!("t^2 {alpha}"), &problem, &ProductTrapezoid, |t| t * t, (0.02, 1.0));
    }
}

#[test]
fn a_power_of_twice_the_order() {
    for alpha in [0.5, 0.8] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            let leading = gamma(1.0 + 2.0 * alpha) / gamma(1.0 + alpha);
            dydt[0] = leading * t.powf(alpha) + t.powf(4.0 * alpha) - y[0] * y[0];
        };
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
        let exact = |t: f64| t.powf(2.0 * alpha);
        let pece = AdamsBashforthMoulton::default();
        for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
            proportional(&format!("t^2a {alpha}"), &problem, scheme, exact, (0.02, 1.0));
        }
    }
}

/// `D^alpha y = -L (y - cos t) + D^alpha cos t`.
fn stiff(alpha: f64, l: f64) -> Problem<impl System> {
    let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        let of_cos = -t.powf(2.0 - alpha) * ml(2.0, 3.0 - alpha, -t * t);
        dydt[0] = -l * (y[0] - t.cos()) + of_cos;
    };
    Problem::new(&[alpha], (0.0, 5.0), &[&[1.0]], rhs).unwrap()
}

#[test]
fn a_stiff_equation() {
    for l in [1e2, 1e4, 1e6] {
        let problem = stiff(0.7, l);
        let what = format!("stiff {l:e}");
        proportional(&what, &problem, &ProductTrapezoid, f64::cos, (0.02, 1.0));
    }
}

#[test]
fn a_stiff_relaxation_with_its_layer() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -1e3 * y[0];
    let problem = Problem::new(&[0.6], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let exact = |t: f64| ml(0.6, 1.0, -1e3 * t.powf(0.6));
    proportional("layer", &problem, &ProductTrapezoid, exact, (0.02, 1.0));
}

#[test]
fn several_components_and_orders() {
    // D^1/2 twice is y' = -y; and a component of order 3/2 that is a power.
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = y[1];
        dydt[1] = -y[0];
        dydt[2] = gamma(2.8) / gamma(1.3) * t.powf(0.3);
    };
    let rows: [&[f64]; 2] = [&[1.0, 0.0, 0.0], &[0.0, 0.0, 0.5]];
    let problem = Problem::new(&[0.5, 0.5, 1.5], (0.0, 2.0), &rows, rhs).unwrap();
    for digits in 3..=6 {
        let tolerance = 10f64.powi(-digits);
        let solution =
            solve(&problem, &ProductTrapezoid, &adaptive(tolerance), Options::default()).unwrap();
        for (&t, y) in solution.times().iter().zip(solution.states().rows()) {
            for (y, exact) in [(y[0], (-t).exp()), (y[2], 0.5 * t + t.powf(1.8))] {
                let error = (y - exact).abs();
                assert!(error < tolerance * (1.0 + exact), "{tolerance:e} {t}: {error:e}");
            }
        }
    }
}

#[test]
fn the_history_is_more_accurate_than_the_steps() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t.sin() - y[0] * y[0];
    let problem = Problem::new(&[0.6], (0.0, 4.0), &[&[1.0]], rhs).unwrap();
    let by_default =
        solve(&problem, &ProductTrapezoid, &adaptive(1e-7), Options::default()).unwrap();
    assert!(by_default.statistics().steps > 1200);
    let options = Options { history: HistoryChoice::Direct, ..Options::default() };
    let direct = solve(&problem, &ProductTrapezoid, &adaptive(1e-7), options).unwrap();
    let mut largest = 0.0f64;
    for i in 0..=50 {
        let t = 4.0 * f64::from(i) / 50.0;
        largest = largest.max((by_default.at(t).unwrap()[0] - direct.at(t).unwrap()[0]).abs());
    }
    assert!(largest > 0.0 && largest < 1e-9, "{largest:e}");
    // Orders above 2 have no exponentials; all cells are summed instead.
    let rows = [&[1.0][..], &[0.0], &[0.0]];
    let high = Problem::new(&[2.5], (0.0, 2.0), &rows, |_, y, dydt| dydt[0] = -y[0]).unwrap();
    let solution = solve(&high, &ProductTrapezoid, &adaptive(1e-6), Options::default()).unwrap();
    let exact = ml(2.5, 1.0, -2f64.powf(2.5));
    assert!((solution.last()[0] - exact).abs() < 1e-6);
}

#[test]
fn the_first_step_and_the_last() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (3.0, 4.0), &[&[1.0]], rhs).unwrap();
    let first = |tolerance| {
        let steps = Steps::adaptive(tolerance, 0.0);
        let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default()).unwrap();
        let times = solution.times();
        assert_eq!(times[times.len() - 1], 4.0);
        let (before, last) = (times[times.len() - 2], times[times.len() - 3]);
        assert!(4.0 - before > 0.3 * (before - last), "a last step that is cut");
        times[1] - times[0]
    };
    // At the order 1/2 it is proportional to the tolerance.
    let (long, short) = (first(1e-5), first(1e-8));
    assert!((300.0..3000.0).contains(&(long / short)), "{long:e} {short:e}");
}

#[test]
fn without_a_right_hand_side_steps_are_a_hundredth() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[2.0]], |_, _, dydt| dydt[0] = 0.0).unwrap();
    let solution = solve(&problem, &ProductTrapezoid, &adaptive(1e-8), Options::default()).unwrap();
    // From a hundredth of the interval on they keep that length.
    let steps = solution.statistics().steps;
    assert!((100..104).contains(&steps) && solution.last()[0] == 2.0, "{steps}");
}

#[test]
fn a_step_that_would_have_to_be_shorter_than_allowed() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let steps = Steps::Adaptive { rtol: 1e-8, atol: 0.0, min_step: 1e-4, max_step: f64::INFINITY };
    let failure = solve(&problem, &ProductTrapezoid, &steps, Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::StepTooSmall { t: 0.0 }), "{failure}");
    assert_eq!(failure.partial.unwrap().times(), [0.0]);
    // y' = y^2 ends at t = 1.
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = y[0] * y[0];
    let problem = Problem::new(&[1.0], (0.0, 2.0), &[&[1.0]], rhs).unwrap();
    let pece = AdamsBashforthMoulton::default();
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        let steps =
            Steps::Adaptive { rtol: 1e-5, atol: 0.0, min_step: 1e-9, max_step: f64::INFINITY };
        let failure = solve(&problem, scheme, &steps, Options::default()).unwrap_err();
        let (OdeError::StepTooSmall { t }
        | OdeError::NotFinite { t, .. }
        | OdeError::NewtonFailed { t, .. }) = failure.error
        else {
            panic!("{failure}")
        };
        assert!((t - 1.0).abs() < 1e-3, "{failure}");
    }
}

#[test]
fn a_value_that_is_not_finite() {
    // Once: a shorter step is tried.
    let calls = AtomicUsize::new(0);
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        dydt[0] = if call == 30 { f64::NAN } else { -y[0] };
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let pece = AdamsBashforthMoulton::default();
    let solution = solve(&problem, &pece, &adaptive(1e-4), Options::default()).unwrap();
    assert!(solution.statistics().rejections >= 1);
    assert!((solution.last()[0] - ml(0.5, 1.0, -1.0)).abs() < 1e-4);
    // From some time on: the solve ends there, with the reason.
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = if t > 0.5 { f64::NAN } else { -y[0] };
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let steps = Steps::adaptive(1e-4, 0.0);
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        let failure = solve(&problem, scheme, &steps, Options::default()).unwrap_err();
        let OdeError::NotFinite { t, .. } = failure.error else { panic!("{failure}") };
        assert!(t > 0.5 && t < 0.5 + 1e-9, "{t}");
        assert_eq!(failure.partial.unwrap().status(), Status::Failed);
    }
}

#[test]
fn tolerances_and_steps_that_are_none() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    for (rtol, atol, min_step, max_step) in [
        (0.0, 0.0, 1e-9, f64::INFINITY),
        (-1e-3, 1e-3, 1e-9, f64::INFINITY),
        (1.0, 0.0, 1e-9, f64::INFINITY),
        (f64::NAN, 1e-3, 1e-9, f64::INFINITY),
        (1e-3, -1.0, 1e-9, f64::INFINITY),
        (1e-3, f64::INFINITY, 1e-9, f64::INFINITY),
        (1e-3, 0.0, -1e-9, f64::INFINITY),
        (1e-3, 0.0, 1e-2, 1e-3),
        (1e-3, 0.0, 0.0, 0.0),
        (1e-3, 0.0, 0.0, -1.0),
        (1e-3, 0.0, 0.0, f64::NAN),
        (1e-3, 0.0, 2.0, f64::INFINITY),
        (1e-3, 0.0, f64::NAN, f64::INFINITY),
    ] {
        let steps = Steps::Adaptive { rtol, atol, min_step, max_step };
        let failure = solve(&problem, &ProductTrapezoid, &steps, Options::default()).unwrap_err();
        assert!(matches!(failure.error, OdeError::OutOfRange { .. }), "{steps:?}: {failure}");
    }
}

#[test]
fn progress_is_reported_and_cancelling_works() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let pece = AdamsBashforthMoulton::default();
    let graded = Steps::Graded { n: 100, exponent: 2.0 };
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        for steps in [&adaptive(1e-6), &graded] {
            let cancel = AtomicBool::new(false);
            let mut told: Vec<Progress> = Vec::new();
            let mut progress = |progress: Progress| {
                told.push(progress);
                cancel.store(progress.steps == 7, Ordering::Relaxed);
            };
            let options = Options {
                progress: Some(&mut progress),
                cancel: Some(&cancel),
                ..Options::default()
            };
            let solution = solve(&problem, scheme, steps, options).unwrap();
            assert_eq!((solution.status(), solution.times().len()), (Status::Cancelled, 8));
            let times: Vec<f64> = told.iter().map(|progress| progress.t).collect();
            assert_eq!(times, solution.times());
        }
    }
}

/// Work ends: a tolerance that would take millions of steps is named, with the time reached.
#[test]
fn tolerances_beyond_the_limit_of_steps_are_named() {
    let relaxation = |alpha: f64| {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -50.0 * y[0];
        let rows = [&[1.0][..], &[0.0], &[0.0]];
        Problem::new(&[alpha], (0.0, 20.0), &rows[..alpha.ceil() as usize], rhs).unwrap()
    };
    let pece = AdamsBashforthMoulton::default();
    let within = |limit| Options { max_steps: Some(limit), ..Options::default() };
    for (rtol, atol) in [(1e-12, 1e-12), (1e-12, 1e-30), (1e-10, 0.0)] {
        for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
            let steps = Steps::adaptive(rtol, atol);
            let failure = solve(&relaxation(0.5), scheme, &steps, within(2000)).unwrap_err();
            let OdeError::TooManySteps { attempts, t, t1, .. } = failure.error else {
                panic!("{failure}")
            };
            assert!((2000..2010).contains(&attempts) && t < 20.0 && t1 == 20.0, "{failure}");
            let text = failure.to_string();
            assert!(text.contains(&format!("rtol = {rtol:e} and atol = {atol:e}")), "{text}");
            let partial = failure.partial.unwrap();
            let times = partial.times();
            let statistics = partial.statistics();
            assert_eq!(statistics.steps + statistics.rejections, attempts);
            assert_eq!(t, times[times.len() - 1]);
        }
    }
    // As many as it takes are enough; fixed steps have no limit.
    let steps = adaptive(1e-5);
    let needed = solve(&relaxation(0.5), &ProductTrapezoid, &steps, Options::default()).unwrap();
    let needed = needed.statistics().steps + needed.statistics().rejections;
    assert!(solve(&relaxation(0.5), &ProductTrapezoid, &steps, within(needed)).is_ok());
    let failure = solve(&relaxation(0.5), &ProductTrapezoid, &steps, within(needed - 1));
    assert!(matches!(failure.unwrap_err().error, OdeError::TooManySteps { .. }));
    let fixed = Steps::Graded { n: 50, exponent: 2.0 };
    assert!(solve(&relaxation(0.5), &ProductTrapezoid, &fixed, within(1)).is_ok());
    let failure = solve(&relaxation(0.5), &ProductTrapezoid, &fixed, within(0)).unwrap_err();
    assert!(failure.to_string().contains("max_steps is 0"), "{failure}");
}

/// Without a limit of the user, that of the scheme holds: lower where all cells are summed.
#[test]
fn the_default_limit_of_steps_follows_the_cost_of_a_step() {
    let decays = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -50.0 * y[0];
    let problem = Problem::new(&[0.5], (0.0, 20.0), &[&[1.0]], decays).unwrap();
    let steps = adaptive(1e-10);
    let limit = |scheme: &dyn Scheme, history| {
        let options = Options { history, ..Options::default() };
        let setup = Setup { problem: &problem, steps: &steps, options: &options };
        scheme.prepare(&setup).unwrap().max_steps()
    };
    assert_eq!(limit(&ProductTrapezoid, HistoryChoice::Direct), 50_000);
    assert_eq!(limit(&Collocation::default(), HistoryChoice::Exact), 50_000);
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-10 };
    assert_eq!(limit(&ProductTrapezoid, exponentials), 1_000_000);
    // The default history has become one of exponentials long before that.
    let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default()).unwrap();
    assert!(solution.statistics().steps > 100_000);
}
