//! Times at which something happens, and values at chosen times.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Event, LinearMultistep, Options, Problem, ProductTrapezoid, SaveAt,
    SaveNodes, Scheme, Status, Steps, System, solve,
};
use hpfracc_special::mittag_leffler;
use std::f64::consts::PI;

/// (cos t, -sin t).
fn rotation(end: f64) -> Problem<impl System> {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -y[0]);
    Problem::new(&[1.0], (0.0, end), &[&[1.0, 0.0]], rhs).unwrap()
}

fn decay() -> Problem<impl System> {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap()
}

fn adaptive(tolerance: f64) -> Steps {
    Steps::adaptive(tolerance, tolerance)
}

fn times(event: &Event<'_>) -> Vec<f64> {
    event.hits().iter().map(|found| found.t).collect()
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    let fits = |(found, expected): (&f64, &f64)| (found - expected).abs() <= tolerance;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(fits);
    assert!(all, "{found:?}, expected {expected:?}");
}

#[test]
fn directions() {
    let problem = rotation(12.0);
    let mut both = Event::new(|_, y| y[0]);
    let mut rising = Event::new(|_, y| y[0]).rising();
    let mut falling = Event::new(|_, y| y[0]).falling();
    let observers: Vec<&mut dyn hpfracc_ode::Observer> = vec![&mut both, &mut rising, &mut falling];
    let options = Options { observers, ..Options::default() };
    let solution = solve(&problem, &ProductTrapezoid, &adaptive(1e-7), options).unwrap();
    assert_eq!(solution.status(), Status::Complete);
    near(&times(&both), &[0.5 * PI, 1.5 * PI, 2.5 * PI, 3.5 * PI], 1e-5);
    near(&times(&rising), &[1.5 * PI, 3.5 * PI], 1e-5);
    near(&times(&falling), &[0.5 * PI, 2.5 * PI], 1e-5);
    for found in both.hits() {
        // On the solution itself they are exact.
        assert!(found.y[0].abs() < 1e-11, "{found:?}");
        assert!((solution.at(found.t).unwrap()[0]).abs() < 1e-9);
    }
}

#[test]
fn several_in_a_step_within_the_tolerance() {
    let problem = decay();
    let steps = Steps::Given(vec![0.0, 0.3, 0.4, 1.0]);
    let expected: Vec<f64> =
        (1..=12).map(|k| f64::from(k) * PI / 40.0).filter(|t| *t <= 1.0).collect();
    let pece = AdamsBashforthMoulton::default();
    let uniform = Steps::Uniform(4);
    for (scheme, steps) in
        [(&ProductTrapezoid as &dyn Scheme, &steps), (&pece, &steps), (&pece, &uniform)]
    {
        for tolerance in [1e-3, 1e-9, 0.0] {
            let mut event = Event::new(|t, _| (40.0 * t).sin()).parts(32).within(tolerance);
            let options = Options { observers: vec![&mut event], ..Options::default() };
            solve(&problem, scheme, steps, options).unwrap();
            near(&times(&event)[1..], &expected, tolerance.max(1e-15));
        }
    }
}

#[test]
fn at_both_ends_and_at_nodes() {
    let problem = decay();
    for (zero, parts) in [(0.0, 4), (1.0, 4), (0.25, 4), (0.25, 1), (0.0625, 4)] {
        let steps = Steps::Given(vec![0.0, 0.25, 0.5, 1.0]);
        let found = |event: Event<'_>| {
            let mut event = event.parts(parts);
            let options = Options { observers: vec![&mut event], ..Options::default() };
            solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
            times(&event)
        };
        assert_eq!(found(Event::new(|t, _| t - zero)), [zero]);
        assert_eq!(found(Event::new(|t, _| t - zero).rising()), [zero]);
        assert_eq!(found(Event::new(|t, _| zero - t).falling()), [zero]);
        // Touched, not crossed.
        assert_eq!(found(Event::new(|t, _| (t - zero).powi(2))), [zero]);
        let none: &[f64] = if zero == 0.0 { &[0.0] } else { &[] };
        assert_eq!(found(Event::new(|t, _| t - zero).falling()), none);
    }
    // Zero all the time is one event.
    let mut always = Event::new(|_, _| 0.0);
    let options = Options { observers: vec![&mut always], ..Options::default() };
    solve(&problem, &ProductTrapezoid, &Steps::Uniform(10), options).unwrap();
    assert_eq!(times(&always), [0.0]);
}

#[test]
fn in_the_first_step_the_power_counts() {
    let problem = decay();
    let steps = Steps::Given(vec![0.0, 0.01, 1.0]);
    let t = 1e-5f64;
    let level = mittag_leffler(0.5, 1.0, -t.sqrt()).unwrap();
    let mut event = Event::new(|_, y| y[0] - level);
    let options = Options { observers: vec![&mut event], ..Options::default() };
    solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
    // A line would have it at 4e-5.
    assert_eq!(event.hits().len(), 1);
    assert!((event.hits()[0].t / t - 1.0).abs() < 0.05, "{:?}", event.hits());
}

#[test]
fn the_first_of_all_ends_the_solve() {
    let problem = rotation(12.0);
    for (save_nodes, nodes) in [(SaveNodes::All, 3..), (SaveNodes::Last, 1..)] {
        let mut saved = SaveAt::every(0.1).unwrap();
        let mut late = Event::new(|t, _| t - 4.75).stopping();
        let mut other = Event::new(|t, _| (t - 4.72) * (t - 4.74));
        let mut second = Event::new(|_, y| y[0]).stopping_after(2);
        let options = Options {
            save_nodes,
            observers: vec![&mut saved, &mut late, &mut other, &mut second],
            ..Options::default()
        };
        // The step from 4.7 on has all of them in it.
        let steps = Steps::Given((0..=120).map(|i| f64::from(i) * 0.1).collect());
        let solution = solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
        assert_eq!(solution.status(), Status::Stopped);
        let end = solution.times()[solution.times().len() - 1];
        assert!((end - 1.5 * PI).abs() < 5e-3 && end == second.hits()[1].t);
        assert!(nodes.contains(&solution.times().len()));
        assert!(solution.last()[0].abs() < 1e-10);
        // Later nodes are not part of the solution.
        assert!(late.hits().is_empty() && other.hits().is_empty(), "{late:?} {other:?}");
        assert_eq!(saved.times().len(), 48);
    }
    let mut at_once = Event::new(|t, _| t).stopping();
    let options = Options { observers: vec![&mut at_once], ..Options::default() };
    let solution = solve(&problem, &ProductTrapezoid, &adaptive(1e-3), options).unwrap();
    assert_eq!((solution.status(), solution.times()), (Status::Stopped, &[0.0][..]));
}

#[test]
fn a_function_that_is_not_a_number_ends_the_solve_with_its_time() {
    let mut event = Event::new(|t, _| if t > 0.52 { f64::NAN } else { 1.0 }).parts(1);
    let options = Options { observers: vec![&mut event], ..Options::default() };
    let steps = Steps::Uniform(10);
    let failure = solve(&decay(), &ProductTrapezoid, &steps, options).unwrap_err();
    assert!(matches!(failure.error, OdeError::EventNotANumber { t: 0.6 }), "{failure}");
}

#[test]
fn saved_values_are_those_of_the_solution_between_its_nodes() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (-y[0] + y[1], t - y[1]);
    };
    let rows: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 0.5]];
    let problem = Problem::new(&[0.5, 1.5], (1.0, 4.0), &rows, rhs).unwrap();
    let wanted = [1.0, 1.0 + 1e-9, 1.3, 1.31, 2.0, 3.999, 4.0, 5.0];
    let pece = AdamsBashforthMoulton::default();
    let graded = Steps::Graded { n: 200, exponent: 2.0 };
    let uniform = Steps::Uniform(200);
    let cases: [(&dyn Scheme, &[&Steps]); 3] = [
        (&ProductTrapezoid, &[&graded, &adaptive(1e-5), &uniform]),
        (&pece, &[&graded, &adaptive(1e-5), &uniform]),
        (&LinearMultistep::Bdf2, &[&uniform]),
    ];
    for (scheme, steps) in cases {
        for &steps in steps {
            let whole = solve(&problem, scheme, steps, Options::default()).unwrap();
            let mut saved = SaveAt::times_of(&wanted).unwrap();
            let options = Options {
                save_nodes: SaveNodes::Last,
                observers: vec![&mut saved],
                ..Options::default()
            };
            let last = solve(&problem, scheme, steps, options).unwrap();
            assert_eq!(saved.times(), &wanted[..7]);
            for (&t, row) in saved.times().iter().zip(saved.states().rows()) {
                for (saved, at) in row.iter().zip(whole.at(t).unwrap()) {
                    assert!((saved - at).abs() < 1e-7, "{t}: {saved} {at}");
                }
            }
            // Nothing else is left, and nothing else is claimed.
            assert_eq!((last.times(), last.last()), (&[4.0][..], whole.last()));
            assert_eq!(last.statistics(), whole.statistics());
            assert!(matches!(last.at(2.0), Err(OdeError::Outside { .. })));
        }
    }
}

#[test]
fn equal_distances_reach_the_end() {
    for (dt, end, count) in [(0.1, 0.3, 4), (0.1, 1.0, 11), (0.3, 1.0, 4), (2.0, 1.0, 1)] {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let problem = Problem::new(&[0.5], (0.0, end), &[&[1.0]], rhs).unwrap();
        let mut saved = SaveAt::every(dt).unwrap();
        let options = Options { observers: vec![&mut saved], ..Options::default() };
        solve(&problem, &AdamsBashforthMoulton::default(), &Steps::Uniform(7), options).unwrap();
        assert_eq!(saved.times().len(), count, "{dt} {end}");
        assert!(saved.times().iter().all(|t| *t <= end));
    }
}

#[test]
fn invalid_arguments_are_errors() {
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(SaveAt::every(dt), Err(OdeError::OutOfRange { .. })));
    }
    for times in [&[0.1, 0.1][..], &[0.2, 0.1], &[f64::NAN], &[f64::INFINITY]] {
        assert!(matches!(SaveAt::times_of(times), Err(OdeError::OutOfRange { .. })));
    }
    let mut early = SaveAt::times_of(&[-0.5]).unwrap();
    let options = Options { observers: vec![&mut early], ..Options::default() };
    let failure = solve(&decay(), &ProductTrapezoid, &Steps::Uniform(5), options).unwrap_err();
    assert!(matches!(failure.error, OdeError::Outside { t: -0.5, .. }), "{failure}");
    // On equal steps the dense output of this scheme needs all nodes, and the history has none.
    let mut saved = SaveAt::every(0.3).unwrap();
    let options = Options {
        save_nodes: SaveNodes::Last,
        history: HistoryChoice::Exponentials { tolerance: 1e-8 },
        observers: vec![&mut saved],
        ..Options::default()
    };
    let scheme = AdamsBashforthMoulton::default();
    let failure = solve(&decay(), &scheme, &Steps::Uniform(5), options).unwrap_err();
    assert!(matches!(failure.error, OdeError::NeedsAllNodes { .. }), "{failure}");
    let options = Options { save_nodes: SaveNodes::Last, ..Options::default() };
    let solution = solve(&decay(), &ProductTrapezoid, &Steps::Uniform(5), options).unwrap();
    assert_eq!(solution.times(), [1.0]);
}
