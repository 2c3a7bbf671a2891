//! Numbers that nobody means and that must not hang or panic: what fuzzing has found.

use hpfracc_solvers::SolveError;
use hpfracc_solvers::ode::{
    AdamsBashforthMoulton, DelayProblem, Exponential, Options, Problem, Scheme, Steps, solve,
};

fn decay(_: f64, y: &[f64], dydt: &mut [f64]) {
    dydt[0] = -y[0];
}

/// The trapezoid takes 1/alpha passes: 1e300 of them would not end.
#[test]
fn an_order_with_too_many_passes_is_refused() {
    for alpha in [1e-300, 5e-324, 9.9e-4] {
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], decay).unwrap();
        let of = |scheme: &dyn Scheme| {
            solve(&problem, scheme, &Steps::Uniform(3), Options::default()).map_err(|f| f.error)
        };
        let error = of(&Exponential::trapezoid(&[-1.0])).unwrap_err();
        assert!(matches!(error, SolveError::OutOfRange { value, .. } if value == alpha), "{error}");
    }
}

/// Room for the past is made before the scheme looks at the steps.
#[test]
fn more_steps_than_there_is_room_for_are_refused_with_a_delay_too() {
    for n in [usize::MAX, usize::MAX / 2, 1 << 61] {
        let problem = DelayProblem::new(
            &[0.5],
            (0.0, 1.0),
            &[&[1.0]],
            vec![0.1],
            |_, y| y[0] = 1.0,
            |_, y, lagged, dydt| dydt[0] = lagged[0] - y[0],
        )
        .unwrap();
        let scheme = AdamsBashforthMoulton::default();
        let solved = problem.solve(&scheme, &Steps::Uniform(n), Options::default());
        let error = solved.unwrap_err().error;
        assert!(matches!(error, SolveError::OutOfRange { .. }), "{error}");
    }
}
