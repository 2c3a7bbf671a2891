//! Extreme arguments found by fuzzing, which must not hang or panic.

use hpfracc_ode::{
    AdamsBashforthMoulton, DelayProblem, Exponential, Interpolation, OdeError, Options, Problem,
    ProductTrapezoid, Scheme, Steps, solve,
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
        assert!(matches!(error, OdeError::OutOfRange { value, .. } if value == alpha), "{error}");
    }
}

/// The last node before the end is t0 + (t1 - t0), which rounding makes less than t1.
#[test]
fn more_steps_than_nodes_can_differ_are_refused() {
    let interval = (-0.2, 0.5);
    let problem = Problem::new(&[0.5], interval, &[&[1.0]], decay).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    for n in [usize::MAX, usize::MAX / 2, usize::MAX / 8 + 1] {
        for steps in [Steps::Uniform(n), Steps::Graded { n, exponent: 1.0 }] {
            let error = solve(&problem, &scheme, &steps, Options::default()).unwrap_err().error;
            let refused = matches!(error, OdeError::OutOfRange { value, .. } if value == n as f64);
            assert!(refused, "{error}");
        }
    }
}

/// The history is allocated before the scheme validates the steps.
#[test]
fn more_steps_than_there_is_room_for_are_refused_with_a_delay_too() {
    for n in [usize::MAX, usize::MAX / 2, usize::MAX / 8 + 1] {
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
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    }
}

/// The same for a state and an interpolation of many numbers, whose product with the nodes wraps
/// around.
#[test]
fn more_numbers_than_there_is_room_for_are_refused_with_a_delay_too() {
    let dim = 1 << 12;
    let problem = DelayProblem::new(
        &[0.5],
        (0.0, 1.0),
        &[&vec![1.0; dim]],
        vec![0.1],
        |_, y| y.fill(1.0),
        |_, _, lagged, dydt| dydt.copy_from_slice(lagged),
    );
    let problem = problem.unwrap();
    let problem = problem.with_interpolation(Interpolation::Dense { points: usize::MAX / 4 });
    let scheme = AdamsBashforthMoulton::default();
    for n in [usize::MAX, usize::MAX / 2] {
        let solved = problem.solve(&scheme, &Steps::Uniform(n), Options::default());
        let error = solved.unwrap_err().error;
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    }
}

/// From where two shortest steps reach beyond the end, one goes there: refused, it would be tried
/// for ever.
#[test]
fn a_last_step_that_is_refused_ends_the_solve() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let schemes: [&dyn Scheme; 2] = [&ProductTrapezoid, &AdamsBashforthMoulton::default()];
    for scheme in schemes {
        for min_step in [0.45, 0.5, 0.65, 0.999, 1.0] {
            let steps =
                Steps::Adaptive { rtol: 0.0, atol: 1e-9, min_step, max_step: f64::INFINITY };
            let error = solve(&problem, scheme, &steps, Options::default()).unwrap_err().error;
            assert!(matches!(error, OdeError::StepTooSmall { .. }), "{min_step}: {error}");
        }
    }
}
