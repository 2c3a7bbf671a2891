//! Solves that end early, and their errors.

use hpfracc_ode::OdeError;
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Failure, Options, Problem, Solution, Steps, solve,
};
use hpfracc_special::gamma;

const TIGHT: Steps = Steps::adaptive(1e-12, 1e-12);

fn scalar(
    scheme: &Collocation,
    steps: &Steps,
    f: impl Fn(f64, f64) -> f64,
) -> Result<Solution, Failure> {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = f(t, y[0]);
    let problem = Problem::new(&[0.7], (0.0, 3.0), &[&[1.0]], rhs).expect("a problem");
    solve(&problem, scheme, steps, Options::default())
}

/// `D^0.7 y = y^2` ends before t = 1/2. The partial solution agrees with another scheme.
#[test]
fn the_time_of_a_blow_up() {
    let failure =
        scalar(&Collocation::default(), &TIGHT, |_, y| y * y).expect_err("no solution at 3");
    let (OdeError::StepTooSmall { t }
    | OdeError::NewtonFailed { t, .. }
    | OdeError::NotFinite { t, .. }) = failure.error
    else {
        panic!("{failure}");
    };
    assert!((t - 0.458_67).abs() < 1e-5, "{t}");
    let partial = failure.partial.expect("the part before");
    assert!(partial.last()[0] > 1e3, "{partial:?}");

    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = y[0] * y[0];
    let problem = Problem::new(&[0.7], (0.0, 0.3), &[&[1.0]], rhs).expect("a problem");
    let scheme = AdamsBashforthMoulton::default();
    let other = solve(&problem, &scheme, &Steps::Uniform(4000), Options::default())
        .expect("a solution up to 0.3");
    let y = partial.at(0.3).expect("inside")[0];
    assert!((y - other.last()[0]).abs() < 1e-4 * y, "{y}, {}", other.last()[0]);
}

#[test]
fn a_right_hand_side_that_ends() {
    let ends = |t: f64, y: f64| if t < 1.0 { -y } else { f64::NAN };
    let failure = scalar(&Collocation::default(), &TIGHT, ends).expect_err("f ends at 1");
    let OdeError::NotFinite { t, .. } = failure.error else { panic!("{failure}") };
    assert!((t - 1.0).abs() < 1e-12, "{t}");
    let partial = failure.partial.expect("the part before");
    assert!((partial.times()[partial.times().len() - 1] - 1.0).abs() < 1e-12);
}

/// A jump that was not declared: elements shrink to it and continue after it.
#[test]
fn an_undeclared_jump_costs_elements() {
    let jump = |t: f64, _: f64| if t < 1.0 { 1.0 } else { -1.0 };
    let steps = Steps::adaptive(1e-6, 1e-6);
    let undeclared = scalar(&Collocation::default(), &steps, jump).expect("a solution");
    let breaks = vec![1.0];
    let declared = scalar(&Collocation { breaks, ..Collocation::default() }, &steps, jump)
        .expect("a solution");
    let exact = 1.0 + (3f64.powf(0.7) - 2.0 * 2f64.powf(0.7)) / gamma(1.7);
    let errors = [&undeclared, &declared].map(|solution| (solution.last()[0] - exact).abs());
    assert!(errors[0] < 1e-5 && errors[1] < 1e-7, "{errors:?}");
    assert!(undeclared.statistics().rejections > declared.statistics().rejections);
}

#[test]
fn shortest_steps_are_respected() {
    let steps =
        Steps::Adaptive { rtol: 1e-12, atol: 1e-12, min_step: 1e-3, max_step: f64::INFINITY };
    let failure = scalar(&Collocation::default(), &steps, |_, y| -y).expect_err("too coarse");
    assert!(matches!(failure.error, OdeError::StepTooSmall { t: 0.0 }), "{failure}");
}

#[test]
fn bad_settings_are_named() {
    let limited =
        |min_step, max_step| Steps::Adaptive { rtol: 1e-9, atol: 0.0, min_step, max_step };
    let settings = Collocation::default;
    let cases = [
        (settings(), Steps::adaptive(1e-15, 0.0), "rtol is 1e-15"),
        (settings(), Steps::adaptive(f64::NAN, 0.0), "rtol is NaN"),
        (settings(), Steps::adaptive(1.0, 0.0), "rtol is 1"),
        (settings(), Steps::adaptive(1e-9, -1.0), "atol is -1"),
        (settings(), limited(f64::INFINITY, 1.0), "min_step is inf"),
        (settings(), limited(1e9, 1.0), "min_step is 1000000000"),
        (settings(), limited(0.1, 0.01), "max_step is 0.01"),
        (settings(), limited(0.0, 0.0), "max_step is 0"),
        (settings(), Steps::Uniform(7), "collocation does not take uniform steps"),
        (Collocation { points: 3, ..settings() }, TIGHT, "number of points is 3"),
        (Collocation { breaks: vec![3.0], ..settings() }, TIGHT, "a break is 3"),
        (Collocation { breaks: vec![1.0, 1.0], ..settings() }, TIGHT, "a break is 1"),
        (Collocation { exponents: vec![-1.0], ..settings() }, TIGHT, "an exponent is -1"),
        (Collocation { exponents: vec![0.0; 2], ..settings() }, TIGHT, "exponents has length 2"),
    ];
    for (scheme, steps, message) in cases {
        let failure = scalar(&scheme, &steps, |_, y| -y).expect_err(message);
        assert!(failure.to_string().contains(message), "{failure}");
        assert!(failure.partial.is_none());
    }
}
