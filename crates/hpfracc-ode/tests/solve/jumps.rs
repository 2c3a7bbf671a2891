//! Jumps of the state at events.

use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Event, L1, LinearMultistep, OdeError, Options, Problem,
    ProductTrapezoid, SaveAt, Scheme, Solution, Steps, solve,
};
use hpfracc_special::mittag_leffler;

const T1: f64 = 2.0;
const JUMPS: [(f64, f64); 2] = [(0.7, 0.5), (1.3, -1.25)];

/// `D^alpha y = -y`, y(0) = 1, with jumps of y at given times.
fn relaxation(
    alpha: f64,
    scheme: &dyn Scheme,
    steps: &Steps,
    saved: Option<&mut SaveAt>,
) -> Result<Solution, OdeError> {
    let problem = Problem::new(&[alpha], (0.0, T1), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
    let mut events = JUMPS.map(|(time, jump)| {
        Event::new(move |t, _| t - time).rising().jumping(move |_, y| y[0] += jump)
    });
    let mut options = Options::default();
    options.observers.extend(events.iter_mut().map(|event| event as _));
    options.observers.extend(saved.map(|saved| saved as _));
    solve(&problem, scheme, steps, options).map_err(|failure| failure.error)
}

/// y(0) and each jump relax on their own.
fn exact(alpha: f64, t: f64) -> f64 {
    let relaxed = |t: f64| mittag_leffler(alpha, 1.0, -t.powf(alpha)).unwrap();
    let jumps = JUMPS.iter().filter(|(time, _)| *time <= t);
    relaxed(t) + jumps.map(|(time, jump)| jump * relaxed(t - time)).sum::<f64>()
}

/// Largest error away from the jumps, after which it is that of the first steps.
fn error(alpha: f64, solution: &Solution) -> f64 {
    let times = [0.4, 0.65, 0.75, 1.0, 1.25, 1.4, 1.7, 2.0];
    let errors = times.map(|t| (solution.at(t).unwrap()[0] - exact(alpha, t)).abs());
    errors.into_iter().fold(0.0, f64::max)
}

#[test]
fn each_jump_relaxes_on_its_own() {
    let pece = AdamsBashforthMoulton { passes: 2 };
    let graded = Steps::Graded { n: 600, exponent: 2.0 };
    let given = Steps::Given((0..=600).map(|j| T1 * f64::from(j) / 600.0).collect());
    let adaptive = Steps::adaptive(1e-7, 1e-7);
    let cases: [(&dyn Scheme, &Steps, f64); 8] = [
        (&ProductTrapezoid, &graded, 2e-4),
        (&ProductTrapezoid, &given, 2e-4),
        (&ProductTrapezoid, &adaptive, 2e-6),
        (&pece, &graded, 2e-4),
        (&pece, &adaptive, 2e-6),
        (&L1, &graded, 5e-3),
        (&L1, &given, 5e-3),
        (&Collocation::default(), &Steps::adaptive(1e-12, 1e-12), 1e-11),
    ];
    for alpha in [0.6, 1.0] {
        for (scheme, steps, most) in cases {
            let solution = relaxation(alpha, scheme, steps, None).unwrap();
            let found = error(alpha, &solution);
            let name = (scheme.name(), steps.name());
            println!("{alpha} {name:?} {found:.1e}");
            assert!(found < most, "{alpha} {name:?} {found:e}");
            assert_eq!(solution.statistics().jumps, 2);
            for (time, jump) in JUMPS {
                let times = solution.times();
                let near = |pair: &[f64]| pair[0] == pair[1] && (pair[0] - time).abs() < 1e-11;
                let after = times.windows(2).position(near).expect("a node for each side") + 1;
                let [y, before] = [after, after - 1].map(|j| solution.trajectory().state(j)[0]);
                assert!((y - before - jump).abs() < 1e-15);
                // Dense output is continuous from the right.
                assert_eq!(solution.at(times[after]).unwrap()[0], y);
                let left = solution.at(time - 1e-12).unwrap()[0];
                assert!((left - before).abs() < 1e-6, "{left} {before}");
            }
        }
    }
}

/// A thousand steps and more: the sum of exponentials takes a jump too.
#[test]
fn jumps_in_long_histories() {
    let solution = relaxation(0.6, &ProductTrapezoid, &Steps::adaptive(1e-9, 1e-9), None).unwrap();
    assert!(solution.times().len() > 2000);
    let found = error(0.6, &solution);
    assert!(found < 5e-8, "{found:e}");
}

#[test]
fn saved_times_after_a_jump_are_those_of_the_new_state() {
    let mut saved = SaveAt::every(0.25).unwrap();
    let steps = Steps::Given(vec![0.0, 0.5, 1.0, 1.5, 2.0]);
    relaxation(1.0, &Collocation::default(), &Steps::adaptive(1e-12, 1e-12), Some(&mut saved))
        .unwrap();
    assert_eq!(saved.times().len(), 9);
    for (t, y) in saved.times().iter().zip(saved.states().rows()) {
        assert!((y[0] - exact(1.0, *t)).abs() < 1e-10, "{t}");
    }
    // Two jumps within a step and one after it.
    let coarse = relaxation(1.0, &ProductTrapezoid, &steps, None).unwrap();
    assert_eq!(coarse.statistics().jumps, 2);
    assert_eq!(coarse.times().len(), 9);
}

/// A ball: `y' = v`, `D^(alpha-1) v = -g`, and v becomes `-e v` where it hits the floor.
fn bounces(alpha: f64, scheme: &dyn Scheme, steps: &Steps) -> (Vec<f64>, Solution) {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -9.81);
    let orders = [1.0, alpha - 1.0];
    let ball = Problem::new(&orders, (0.0, 1.6), &[&[1.0, 0.0]], rhs).unwrap();
    let mut floor = Event::new(|_, y| y[0]).falling().jumping(|_, y| y[1] *= -0.7);
    let options = Options { observers: vec![&mut floor], ..Options::default() };
    let solution = solve(&ball, scheme, steps, options).unwrap();
    (floor.hits().iter().map(|hit| hit.t).collect(), solution)
}

#[test]
fn a_bouncing_ball() {
    let g = 9.81f64;
    let fall = (2.0 / g).sqrt();
    // The first fall, and then twice the times up, each 0.7 of the one before.
    let expected = [fall, fall * (1.0 + 1.4), fall * (1.0 + 1.4 + 0.98)];
    let tight = Steps::adaptive(1e-11, 1e-11);
    let (times, _) = bounces(2.0, &Collocation::default(), &tight);
    assert_eq!(times.len(), 3);
    for (found, exact) in times.iter().zip(expected) {
        assert!((found - exact).abs() < 1e-10, "{found} {exact}");
    }
    let loose = Steps::adaptive(1e-6, 1e-6);
    let pece = AdamsBashforthMoulton::default();
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        let (times, solution) = bounces(2.0, scheme, &loose);
        assert_eq!(times.len(), 3, "{}", scheme.name());
        let error = times.iter().zip(expected).map(|(t, e)| (t - e).abs()).fold(0.0, f64::max);
        assert!(error < 1e-5, "{} {error:e}", scheme.name());
        assert!(solution.states().column(0).iter().all(|y| *y > -1e-9));
    }
    // Order 1.9: two schemes agree, and v = -g t^0.9/Gamma(1.9) up to the first bounce.
    let (exact, _) = bounces(1.9, &Collocation::default(), &tight);
    let (found, _) = bounces(1.9, &ProductTrapezoid, &loose);
    assert_eq!(exact.len(), found.len());
    assert!(exact.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-5), "{exact:?} {found:?}");
    let first = (hpfracc_special::gamma(2.9) / g).powf(1.0 / 1.9);
    assert!((exact[0] - first).abs() < 1e-10, "{} {first}", exact[0]);
    assert!((exact[0] - fall).abs() > 1e-3);
}

#[test]
fn a_jump_at_the_start_and_a_jump_at_a_node() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, _, dydt| dydt[0] = 0.0).unwrap();
    let steps = Steps::Given(vec![0.0, 0.25, 0.5, 1.0]);
    let adaptive = Steps::adaptive(1e-8, 1e-8);
    let cases: [(&dyn Scheme, &Steps); 3] =
        [(&ProductTrapezoid, &steps), (&L1, &steps), (&Collocation::default(), &adaptive)];
    for (scheme, steps) in cases {
        let mut start = Event::new(|t, _| t).jumping(|_, y| y[0] += 1.0);
        let mut middle = Event::new(|t, _| t - 0.5).jumping(|_, y| y[0] *= 3.0);
        let observers: Vec<&mut dyn hpfracc_ode::Observer> = vec![&mut start, &mut middle];
        let solution =
            solve(&problem, scheme, steps, Options { observers, ..Options::default() }).unwrap();
        for (t, y) in [(0.0, 2.0), (0.3, 2.0), (0.75, 6.0), (1.0, 6.0)] {
            let found = solution.at(t).unwrap()[0];
            assert!((found - y).abs() < 1e-12, "{} {t}: {found}", scheme.name());
        }
        assert_eq!(solution.statistics().jumps, 2);
    }
}

#[test]
fn refusals() {
    let pece = AdamsBashforthMoulton::default();
    for scheme in [&pece as &dyn Scheme, &LinearMultistep::Bdf2, &L1] {
        let error = relaxation(0.6, scheme, &Steps::Uniform(100), None).unwrap_err();
        assert!(matches!(error, OdeError::NoJumps { steps: "uniform", .. }), "{error}");
    }
    let problem =
        Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0]).unwrap();
    let mut event = Event::new(|t, _| t - 0.5).jumping(|_, y| y[0] = f64::NAN);
    let options = Options { observers: vec![&mut event], ..Options::default() };
    let steps = Steps::adaptive(1e-6, 1e-6);
    let failure = solve(&problem, &ProductTrapezoid, &steps, options).unwrap_err();
    assert!(matches!(failure.error, OdeError::NotFinite { component: 0, .. }), "{failure}");
}
