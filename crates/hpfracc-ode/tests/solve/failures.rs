//! Invalid arguments, failed solves, and their partial solutions.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, DenseOutput, L1, LinearMultistep, Observer, ObserverAction,
    Options, Problem, ProductTrapezoid, Progress, SaveAt, Scheme, Status, Steps, System,
    Trajectory, solve,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn decay(_: f64, y: &[f64], dydt: &mut [f64]) {
    for (dydt, y) in dydt.iter_mut().zip(y) {
        *dydt = -y;
    }
}

fn refused(
    orders: &[f64],
    interval: (f64, f64),
    initial: &[&[f64]],
    is: impl Fn(&OdeError) -> bool,
) {
    let error = Problem::new(orders, interval, initial, decay).err();
    let error = error.unwrap_or_else(|| panic!("{orders:?} {interval:?} {initial:?} is accepted"));
    assert!(is(&error), "{orders:?} {interval:?} {initial:?}: {error}");
}

#[test]
fn invalid_problems_are_errors() {
    let unit = (0.0, 1.0);
    refused(&[0.5], unit, &[], |e| matches!(e, OdeError::Empty));
    refused(&[0.5], unit, &[&[]], |e| matches!(e, OdeError::Empty));
    refused(&[], unit, &[&[1.0]], |e| matches!(e, OdeError::Empty));
    for interval in [(0.0, 0.0), (1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e308, 1e308)]
    {
        refused(&[0.5], interval, &[&[1.0]], |e| matches!(e, OdeError::Interval { .. }));
    }
    for alpha in [0.0, -0.5, f64::NAN, f64::INFINITY] {
        refused(&[alpha], unit, &[&[1.0]], |e| matches!(e, OdeError::Order { component: 0, .. }));
    }
    refused(&[0.5, 0.0], unit, &[&[1.0, 1.0]], |e| {
        matches!(e, OdeError::Order { component: 1, .. })
    });
    refused(&[1.5], unit, &[&[1.0]], |e| {
        matches!(e, OdeError::InitialRows { found: 1, expected: 2 })
    });
    refused(&[0.5], unit, &[&[1.0], &[0.0]], |e| {
        matches!(e, OdeError::InitialRows { found: 2, expected: 1 })
    });
    refused(&[0.5, 0.5, 0.5], unit, &[&[1.0, 1.0]], |e| {
        matches!(e, OdeError::Length { found: 3, expected: 2, .. })
    });
    refused(&[1.5], unit, &[&[1.0, 1.0], &[0.0]], |e| {
        matches!(e, OdeError::Length { found: 1, expected: 2, .. })
    });
    refused(&[0.5], unit, &[&[1.0, f64::NAN]], |e| {
        matches!(e, OdeError::InitialNotFinite { derivative: 0, component: 1, .. })
    });
    refused(&[0.5, 1.5], unit, &[&[1.0, 1.0], &[2.0, 0.0]], |e| {
        matches!(e, OdeError::InitialUnused { derivative: 1, component: 0, .. })
    });
}

struct Plane;

impl System for Plane {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        decay(t, y, dydt);
    }

    fn dim(&self) -> Option<usize> {
        Some(2)
    }
}

#[test]
fn a_system_of_another_dimension() {
    let error = Problem::of(Plane, &[0.5], (0.0, 1.0), &[&[1.0]]).err().unwrap();
    assert!(matches!(error, OdeError::Length { found: 1, expected: 2, .. }));
}

#[test]
fn steps_that_the_scheme_does_not_take() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let none = solve(&problem, &scheme, &Steps::Uniform(0), Options::default()).unwrap_err();
    assert!(matches!(none.error, OdeError::OutOfRange { .. }) && none.partial.is_none());
    let graded = Steps::Graded { n: 10, exponent: 2.0 };
    let multistep = LinearMultistep::Bdf2;
    let graded = solve(&problem, &multistep, &graded, Options::default()).unwrap_err();
    assert!(matches!(graded.error, OdeError::Steps { steps: "graded", .. }));
    let high = Problem::new(&[20.5], (0.0, 1.0), &[&[0.0][..]; 21], decay).unwrap();
    let high = solve(&high, &scheme, &Steps::Uniform(4), Options::default()).unwrap_err();
    assert!(matches!(high.error, OdeError::OutOfRange { value: 20.5, .. }));
}

/// f = 0 throughout, and the initial values alone leave the numbers.
#[test]
fn a_solution_that_overflows_is_not_finite_by_any_scheme() {
    let rows: [&[f64]; 2] = [&[1e306], &[1e306]];
    let problem = Problem::new(&[1.5], (0.0, 1e3), &rows, |_, _, dydt| dydt.fill(0.0)).unwrap();
    let adaptive = Steps::adaptive(1e-4, 1e-6);
    let cases: [(&dyn Scheme, Steps); 6] = [
        (&AdamsBashforthMoulton::default(), Steps::Uniform(100)),
        (&ProductTrapezoid, Steps::Uniform(100)),
        (&ProductTrapezoid, Steps::Graded { n: 50, exponent: 2.0 }),
        (&ProductTrapezoid, adaptive.clone()),
        (&LinearMultistep::Bdf2, Steps::Uniform(100)),
        (&Collocation::default(), adaptive),
    ];
    for (scheme, steps) in cases {
        let failure = solve(&problem, scheme, &steps, Options::default()).unwrap_err();
        let OdeError::NotFinite { t, .. } = failure.error else {
            panic!("{} {steps:?}: {failure}", scheme.name())
        };
        assert!(t > 170.0 && t < 300.0, "{} {steps:?}: {failure}", scheme.name());
    }
}

/// Blocks of transforms want equal steps.
#[test]
fn a_history_that_l1_does_not_have_is_not_replaced() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let refused = |history| {
        let options = Options { history, ..Options::default() };
        let steps = Steps::Graded { n: 10, exponent: 2.0 };
        solve(&problem, &L1, &steps, options).map_err(|failure| failure.error).unwrap_err()
    };
    let blocks = refused(HistoryChoice::Blocked);
    assert!(matches!(blocks, OdeError::UnequalSteps), "{blocks}");
}

/// Otherwise times would be saved without end.
#[test]
fn a_distance_of_saved_times_below_rounding() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let mut save = SaveAt::every(1e-300).unwrap();
    let options = Options { observers: vec![&mut save], ..Options::default() };
    let scheme = AdamsBashforthMoulton::default();
    let failure = solve(&problem, &scheme, &Steps::Uniform(4), options).unwrap_err();
    assert!(matches!(failure.error, OdeError::OutOfRange { value: 1e-300, .. }), "{failure}");
}

#[test]
fn a_value_that_is_not_finite_names_its_time_and_leaves_the_partial_solution() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = if t > 0.5 { f64::NAN } else { -y[0] };
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let failure = solve(&problem, &scheme, &Steps::Uniform(100), Options::default()).unwrap_err();
    let OdeError::NotFinite { t, .. } = failure.error else { panic!("{failure}") };
    assert!((t - 0.51).abs() < 1e-12);
    let partial = failure.partial.unwrap();
    assert_eq!((partial.status(), partial.times().len()), (Status::Failed, 51));
    assert!(partial.states().iter().all(|y| y.is_finite()));
    assert!(partial.at(0.333).unwrap()[0].is_finite());
    assert!(matches!(partial.at(0.52), Err(OdeError::Outside { .. })));
    // At the very start there is nothing before.
    let rhs = |_: f64, _: &[f64], dydt: &mut [f64]| dydt[0] = f64::INFINITY;
    let problem = Problem::new(&[0.5], (2.0, 3.0), &[&[1.0]], rhs).unwrap();
    let failure = solve(&problem, &scheme, &Steps::Uniform(4), Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::NotFinite { t: 2.0, .. }));
}

#[test]
fn an_unstable_solve_that_overflows_reports_its_cause() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -1e4 * y[0];
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let failure = solve(&problem, &scheme, &Steps::Uniform(1000), Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::NotFinite { .. }));
    assert!(failure.to_string().contains("limit of stability"), "{failure}");
}

#[test]
fn a_panic_in_the_right_hand_side_leaves_nothing_behind() {
    let calls = AtomicUsize::new(0);
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        assert_ne!(calls.fetch_add(1, Ordering::Relaxed), 700, "this call panics");
        dydt[0] = -y[0];
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let run = || solve(&problem, &scheme, &Steps::Uniform(1000), Options::default());
    let panicked = catch_unwind(AssertUnwindSafe(run));
    assert!(panicked.is_err());
    let again = run().unwrap();
    let untouched = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let clean = solve(&untouched, &scheme, &Steps::Uniform(1000), Options::default()).unwrap();
    assert_eq!(again.states(), clean.states());
}

#[test]
fn progress_is_reported_and_cancelling_works() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let cancel = AtomicBool::new(false);
    let mut told = Vec::new();
    let mut progress = |progress: Progress| {
        told.push(progress);
        cancel.store(progress.steps == 7, Ordering::Relaxed);
    };
    let options =
        Options { progress: Some(&mut progress), cancel: Some(&cancel), ..Options::default() };
    let solution = solve(&problem, &scheme, &Steps::Uniform(100), options).unwrap();
    assert_eq!((solution.status(), solution.times().len()), (Status::Cancelled, 8));
    assert_eq!(told.len(), 8);
    assert_eq!((told[0].t, told[7].t, told[7].t1), (0.0, 0.07, 1.0));
}

/// Ends a solve at a time.
struct EndAt(f64);

impl Observer for EndAt {
    fn node(&mut self, past: &Trajectory, _: &dyn DenseOutput) -> Result<ObserverAction, OdeError> {
        let passed = past.times().last().is_some_and(|&t| t >= self.0);
        Ok(if passed { ObserverAction::StopAt(self.0) } else { ObserverAction::Continue })
    }
}

#[test]
fn an_observer_ends_a_solve_at_a_node_or_between() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let whole = solve(&problem, &scheme, &Steps::Uniform(100), Options::default()).unwrap();
    for (t, nodes) in [(0.255, 27), (0.25, 26), (0.0, 1)] {
        let mut end = EndAt(t);
        let options = Options { observers: vec![&mut end], ..Options::default() };
        let solution = solve(&problem, &scheme, &Steps::Uniform(100), options).unwrap();
        assert_eq!((solution.status(), solution.times().len()), (Status::Stopped, nodes));
        assert_eq!(*solution.times().last().unwrap(), t);
        assert!((solution.last()[0] - whole.at(t).unwrap()[0]).abs() < 1e-14);
    }
    // A solve cannot stop at a time before its last step.
    struct Back;
    impl Observer for Back {
        fn node(
            &mut self,
            past: &Trajectory,
            _: &dyn DenseOutput,
        ) -> Result<ObserverAction, OdeError> {
            let late = past.times().len() > 10;
            Ok(if late { ObserverAction::StopAt(0.03) } else { ObserverAction::Continue })
        }
    }
    let mut back = Back;
    let options = Options { observers: vec![&mut back], ..Options::default() };
    let failure = solve(&problem, &scheme, &Steps::Uniform(100), options).unwrap_err();
    assert!(matches!(failure.error, OdeError::Outside { t: 0.03, .. }));
}
