//! Newton's iteration of the implicit schemes: its cost, independence of the result from the path
//! of the iteration, and errors without convergence.

use hpfracc_ode::OdeError;
use hpfracc_ode::{
    Collocation, Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle,
    ProductTrapezoid, Scheme, Solution, Steps, System, solve,
};
use hpfracc_special::{gamma, mittag_leffler};

fn for_each_scheme(check: impl Fn(&dyn Scheme)) {
    let schemes: [&dyn Scheme; 6] = [
        &ProductRectangle::Implicit,
        &ProductTrapezoid,
        &L1,
        &LinearMultistep::Trapezoidal,
        &LinearMultistep::NewtonGregory,
        &LinearMultistep::Bdf2,
    ];
    schemes.into_iter().for_each(check);
}

fn by<S: System>(problem: &Problem<S>, scheme: &dyn Scheme, n: usize) -> Solution {
    solve(problem, scheme, &Steps::Uniform(n), Options::default()).unwrap()
}

/// Robertson's reaction; its three rates are 0.04, 3e7 and 1e4.
fn robertson(_: f64, y: &[f64], dydt: &mut [f64]) {
    let (first, second, third) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
    (dydt[0], dydt[1], dydt[2]) = (third - first, first - third - second, second);
}

fn jacobian_of_robertson(_: f64, y: &[f64], jacobian: &mut [f64]) {
    let (b, c, d) = (6e7 * y[1], 1e4 * y[2], 1e4 * y[1]);
    jacobian.copy_from_slice(&[-0.04, c, d, 0.04, -c - b, -d, 0.0, b, 0.0]);
}

/// To `t1`, with a Jacobian by differences and the one that is known.
fn check_robertson(scheme: &dyn Scheme, t1: f64, first: std::ops::Range<f64>) {
    let problem = || Problem::new(&[0.9], (0.0, t1), &[&[1.0, 0.0, 0.0]], robertson).unwrap();
    let n = 400;
    let differences = by(&problem(), scheme, n);
    let known = by(&problem().with_jacobian(jacobian_of_robertson), scheme, n);
    let (mut apart, mut lost) = (0f64, 0f64);
    for (row, other) in differences.states().outer_iter().zip(known.states().outer_iter()) {
        apart = row.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(apart, f64::max);
        // The flow out of one component enters another.
        lost = lost.max((row.sum() - 1.0).abs());
    }
    let statistics = differences.statistics();
    println!("{}: {:?} {statistics:?}", scheme.name(), differences.last());
    assert!(apart < 1e-13 && lost < 1e-13, "{}: {apart:e} {lost:e}", scheme.name());
    assert!(statistics.newton_iterations < 8 * n, "{}: {statistics:?}", scheme.name());
    assert!(statistics.jacobians < n, "{}: {statistics:?}", scheme.name());
    assert!(first.contains(&differences.last()[0]), "{:?}", differences.last());
}

#[test]
fn a_stiff_reaction_by_differences_and_by_its_jacobian() {
    // Steps much longer than the first layer need schemes that damp it.
    let damping: [&dyn Scheme; 3] = [&ProductRectangle::Implicit, &L1, &LinearMultistep::Bdf2];
    damping.into_iter().for_each(|scheme| check_robertson(scheme, 40.0, 0.762..0.764));
    for_each_scheme(|scheme| check_robertson(scheme, 0.01, 0.999..0.9999));
}

/// f of a linear system is evaluated twice a step, once before and once after the correction, and
/// its Jacobian is taken once.
#[test]
fn a_linear_system_takes_one_jacobian() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (-300.0 * y[0] + y[1], y[0] - 2.0 * y[1]);
    };
    let jacobian = |_: f64, _: &[f64], jacobian: &mut [f64]| {
        jacobian.copy_from_slice(&[-300.0, 1.0, 1.0, -2.0]);
    };
    let problem = Problem::new(&[0.6], (0.0, 1.0), &[&[1.0, 1.0]], rhs).unwrap();
    let problem = problem.with_jacobian(jacobian);
    for_each_scheme(|scheme| {
        let n = 200;
        let found = *by(&problem, scheme, n).statistics();
        println!("{}: {found:?}", scheme.name());
        // The coupled start has an iteration of its own.
        assert!(found.jacobians <= 4, "{}: {found:?}", scheme.name());
        assert!(found.evaluations <= 2 * n + 20, "{}: {found:?}", scheme.name());
    });
}

/// The equations hold bit by bit as far as rounding goes: f is that of the state, and the state
/// that of the equation.
#[test]
fn f_is_that_of_the_state() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t.sin() - y[0].powi(3);
    let problem = Problem::new(&[0.6], (0.0, 3.0), &[&[1.0]], rhs).unwrap();
    for_each_scheme(|scheme| {
        let solution = by(&problem, scheme, 100);
        let trajectory = solution.trajectory();
        for (node, &t) in trajectory.times().iter().enumerate() {
            let y = trajectory.state(node)[0];
            assert_eq!(trajectory.slope(node)[0], t.sin() - y.powi(3), "{}", scheme.name());
        }
    });
}

/// The implicit trapezoid with all its weights in loops.
#[test]
fn the_equation_of_a_step_holds_to_rounding() {
    let (alpha, n) = (0.7, 60);
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t.cos() - 30.0 * y[0].powi(3);
    let problem = Problem::new(&[alpha], (0.0, 3.0), &[&[1.0]], rhs).unwrap();
    let solution = by(&problem, &ProductTrapezoid, n);
    let f: Vec<f64> = (0..=n).map(|j| solution.trajectory().slope(j)[0]).collect();
    let b = alpha + 1.0;
    let scale = (3.0 / n as f64).powf(alpha) / gamma(alpha + 2.0);
    let power = |x: usize| (x as f64).powf(b);
    for m in 1..=n {
        let first = power(m - 1) - (m as f64 - 1.0 - alpha) * (m as f64).powf(alpha);
        let inner = |j: usize| (power(m - j + 1) - 2.0 * power(m - j) + power(m - j - 1)) * f[j];
        let sum = first * f[0] + (1..m).map(inner).sum::<f64>() + f[m];
        let y = solution.trajectory().state(m)[0];
        assert!((1.0 + scale * sum - y).abs() < 1e-12, "{m}: {:e}", 1.0 + scale * sum - y);
    }
}

#[test]
fn a_missing_solution_is_reported_with_time_and_residual() {
    // y = a + c (1 + y^2) has none once a is large.
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = 1.0 + y[0] * y[0];
    let problem = Problem::new(&[0.8], (0.0, 4.0), &[&[1.0]], rhs).unwrap();
    for_each_scheme(|scheme| {
        let failure =
            solve(&problem, scheme, &Steps::Uniform(100), Options::default()).unwrap_err();
        let partial = failure.partial.expect("some steps succeed");
        let last = *partial.times().last().unwrap();
        println!("{}: {}", scheme.name(), failure.error);
        match failure.error {
            OdeError::NewtonFailed { t, residual } => {
                assert!(t > last && t < last + 0.05 && last > 0.0, "{t} {last}");
                assert!(residual > 1e-6, "{residual}");
            }
            other => panic!("{}: {other}", scheme.name()),
        }
    });
}

/// Corrections that are no numbers are not a residual of 0.
#[test]
fn overflow_is_not_a_solution() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        for i in 0..3 {
            dydt[i] = f64::MAX * y[i] - y[(i + 1) % 3].sin() + t.cos();
        }
    };
    let problem = Problem::new(&[0.6], (0.0, 1.0), &[&[1.0; 3]], rhs).unwrap();
    for_each_scheme(|scheme| {
        match solve(&problem, scheme, &Steps::Uniform(3), Options::default()) {
            Ok(solution) => {
                assert!(solution.last().iter().all(|y| y.is_finite()), "{}", scheme.name());
            }
            Err(failure) => assert!(
                matches!(failure.error, OdeError::NewtonFailed { .. } | OdeError::NotFinite { .. }),
                "{}: {}",
                scheme.name(),
                failure.error
            ),
        }
    });
}

#[test]
fn f_that_is_not_finite_is_reported_with_its_time() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = if t > 0.5 { f64::NAN } else { -y[0] };
    };
    let problem = Problem::new(&[0.8], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    for_each_scheme(|scheme| {
        let failure =
            solve(&problem, scheme, &Steps::Uniform(100), Options::default()).unwrap_err();
        let near =
            matches!(failure.error, OdeError::NotFinite { t, .. } if (t - 0.51).abs() < 1e-12);
        assert!(near, "{}: {}", scheme.name(), failure.error);
    });
}

/// A correction that leaves the domain of f is shortened.
#[test]
fn iterates_stay_where_f_is_finite() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -1e3 * (1e-3 + y[0].ln());
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[50.0]], rhs).unwrap();
    for_each_scheme(|scheme| {
        let solution = by(&problem, scheme, 50);
        assert!((solution.last()[0] - 1.0).abs() < 0.1, "{}: {:?}", scheme.name(), solution.last());
    });
}

#[test]
fn too_few_steps_for_a_coupled_start_are_refused() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.3], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let scheme = LinearMultistep::Bdf2;
    let refused = solve(&problem, &scheme, &Steps::Uniform(3), Options::default()).unwrap_err();
    assert!(matches!(refused.error, OdeError::OutOfRange { value: 3.0, .. }), "{refused}");
    // Five samples have starting weights: the first and four that are solved for together.
    let least = by(&problem, &scheme, 4);
    assert!(
        (least.last()[0] - mittag_leffler(0.3, 1.0, -1.0).unwrap()).abs() < 1e-4,
        "{:?}",
        least.last()
    );
}

#[test]
fn orders_out_of_range_are_refused() {
    let refuses = |scheme: &dyn Scheme, alpha: f64| {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let initial: Vec<&[f64]> = vec![&[1.0]; alpha.ceil() as usize];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &initial, rhs).unwrap();
        let failure = solve(&problem, scheme, &Steps::Uniform(20), Options::default());
        let error = failure.err().unwrap_or_else(|| panic!("{} {alpha}", scheme.name())).error;
        assert!(
            matches!(error, OdeError::OutOfRange { .. } | OdeError::Operator(_)),
            "{} {alpha}: {error}",
            scheme.name()
        );
    };
    refuses(&L1, 1.2);
    refuses(&LinearMultistep::Bdf2, 0.1);
    refuses(&LinearMultistep::Bdf2, 2.5);
    refuses(&LinearMultistep::NewtonGregory, 2.0);
    refuses(&ProductTrapezoid, 21.0);
}

/// Every implicit scheme on all steps that it takes.
fn for_each_method(atol: f64, check: impl Fn(&dyn Scheme, &Steps)) {
    for_each_scheme(|scheme| check(scheme, &Steps::Uniform(100)));
    let (graded, adaptive) = (Steps::Graded { n: 50, exponent: 2.0 }, Steps::adaptive(1e-6, atol));
    for (scheme, steps) in [
        (&ProductTrapezoid as &dyn Scheme, &graded),
        (&L1, &graded),
        (&ProductTrapezoid, &adaptive),
        (&Collocation::default(), &adaptive),
    ] {
        check(scheme, steps);
    }
}

fn solved<S: System>(problem: &Problem<S>, scheme: &dyn Scheme, steps: &Steps) -> Vec<f64> {
    match solve(problem, scheme, steps, Options::default()) {
        Ok(solution) => solution.states().column(0).to_vec(),
        Err(failure) => panic!("{} with {steps:?}: {failure}", scheme.name()),
    }
}

/// Solutions of a linear equation are multiples of one, over 600 orders of magnitude; of subnormal
/// data they are subnormal.
#[test]
fn data_of_any_size() {
    let decay = |size: f64| {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -3.0 * y[0];
        Problem::new(&[0.7], (0.0, 1.0), &[&[size]], rhs).unwrap()
    };
    for_each_method(0.0, |scheme, steps| {
        let unit = solved(&decay(1.0), scheme, steps);
        for exponent in (-300..=300).step_by(30) {
            let size = 10f64.powi(exponent);
            let found = solved(&decay(size), scheme, steps);
            let last = found[found.len() - 1] / size;
            let error = (last / unit[unit.len() - 1] - 1.0).abs();
            assert!(error < 1e-7, "{} at 1e{exponent}: {last}, {error:e}", scheme.name());
        }
    });
    // Without Newton's iteration.
    for scheme in [Exponential::rectangle(&[-2.0]), Exponential::trapezoid(&[-2.0])] {
        let last = |size: f64| by(&decay(size), &scheme, 100).last()[0];
        for exponent in (-300..=300).step_by(60) {
            let size = 10f64.powi(exponent);
            assert!((last(size) / size / last(1.0) - 1.0).abs() < 1e-13, "1e{exponent}");
        }
    }
    for_each_method(f64::MIN_POSITIVE, |scheme, steps| {
        for size in [1e-307, 1e-310, 1e-320, 5e-324, 0.0] {
            let found = solved(&decay(size), scheme, steps);
            let inside = found.iter().all(|y| (-1e-323..=size + 1e-323).contains(y));
            assert!(inside, "{} at {size:e}: {found:?}", scheme.name());
        }
    });
}

/// A solution that decays to zero through subnormal numbers, and a pulse between zeros.
#[test]
fn values_that_underflow() {
    for_each_method(1e-10, |scheme, steps| {
        let decay = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -40.0 * y[0];
        let problem = Problem::new(&[1.0], (0.0, 40.0), &[&[1.0]], decay).unwrap();
        let found = solved(&problem, scheme, steps);
        assert!(found[found.len() - 1].abs() < 1.0, "{}: {found:?}", scheme.name());
        let pulse = |t: f64, y: &[f64], dydt: &mut [f64]| {
            dydt[0] = (-((t - 1.0) / 0.04).powi(2)).exp() - y[0];
        };
        let problem = Problem::new(&[0.8], (0.0, 3.0), &[&[0.0]], pulse).unwrap();
        let found = solved(&problem, scheme, steps);
        let last = found[found.len() - 1];
        assert!((0.0..0.05).contains(&last), "{}: {last}", scheme.name());
    });
}

/// Matrices that do not fit into memory are refused before the first step.
#[test]
fn too_many_components_for_dense_matrices() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        dydt.iter_mut().zip(y).for_each(|(dydt, y)| *dydt = -y);
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&vec![1.0; 500_000]], rhs).unwrap();
    let cases: [(&dyn Scheme, Steps); 4] = [
        (&ProductTrapezoid, Steps::Graded { n: 10, exponent: 2.0 }),
        (&L1, Steps::Uniform(10)),
        (&LinearMultistep::Bdf2, Steps::Uniform(10)),
        (&Collocation::default(), Steps::adaptive(1e-6, 1e-8)),
    ];
    for (scheme, steps) in cases {
        let error = solve(&problem, scheme, &steps, Options::default()).unwrap_err().error;
        assert!(matches!(error, OdeError::Memory(_)), "{}: {error}", scheme.name());
    }
}
