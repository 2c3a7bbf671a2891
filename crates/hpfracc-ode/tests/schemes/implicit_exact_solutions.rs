//! Equations with known solutions, stiff ones among them, by the implicit and exponential schemes.

use hpfracc_ode::OdeError;
use hpfracc_ode::{
    Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle, ProductTrapezoid, Scheme,
    Steps, System, solve,
};
use hpfracc_special::{gamma, mittag_leffler};

const N: usize = 400;

fn ml(alpha: f64, beta: f64, x: f64) -> f64 {
    mittag_leffler(alpha, beta, x).unwrap()
}

/// The error of the first component at the end.
fn error<S: System>(problem: &Problem<S>, scheme: &dyn Scheme, n: usize, exact: f64) -> f64 {
    let solution = solve(problem, scheme, &Steps::Uniform(n), Options::default()).unwrap();
    (solution.last()[0] - exact).abs()
}

/// The largest errors allowed: of schemes of order 1, of the product trapezoid, of the linear
/// multistep methods.
fn check<S: System>(what: &str, problem: &Problem<S>, exact: f64, most: [f64; 3]) {
    let schemes: [(&dyn Scheme, f64); 6] = [
        (&ProductRectangle::Implicit, most[0]),
        (&L1, most[0]),
        (&ProductTrapezoid, most[1]),
        (&LinearMultistep::Trapezoidal, most[2]),
        (&LinearMultistep::NewtonGregory, most[2]),
        (&LinearMultistep::Bdf2, most[2]),
    ];
    let above_one = problem.orders().iter().any(|alpha| *alpha > 1.0);
    for (scheme, most) in schemes {
        if above_one && scheme.name() == L1.name() {
            continue;
        }
        let found = error(problem, scheme, N, exact);
        println!("{what} | {} | {found:.1e}", scheme.name());
        assert!(found < most, "{what}, {}: {found:e}", scheme.name());
    }
}

#[test]
fn relaxation() {
    for alpha in [0.3, 0.5, 0.9] {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
        check("relaxation", &problem, ml(alpha, 1.0, -1.0), [5e-4, 2e-5, 1e-6]);
    }
}

#[test]
fn polynomial() {
    for alpha in [0.4, 0.9] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            dydt[0] = -y[0] + t * t + 2.0 * t.powf(2.0 - alpha) / gamma(3.0 - alpha);
        };
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
        check("y = t^2", &problem, 1.0, [3e-3, 1e-5, 1e-5]);
    }
}

#[test]
fn three_powers() {
    for alpha in [0.25, 0.6, 1.5] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            let half = 0.5 * alpha;
            dydt[0] = 40320.0 / gamma(9.0 - alpha) * t.powf(8.0 - alpha)
                - 3.0 * gamma(5.0 + half) / gamma(5.0 - half) * t.powf(4.0 - half)
                + 2.25 * gamma(alpha + 1.0)
                + (1.5 * t.powf(half) - t.powi(4)).powi(3)
                - y[0].abs().powf(1.5);
        };
        let initial: [&[f64]; 2] = [&[0.0], &[0.0]];
        let initial = &initial[..alpha.ceil() as usize];
        let problem = Problem::new(&[alpha], (0.0, 1.0), initial, rhs).unwrap();
        check("three powers", &problem, 0.25, [2e-2, 2e-4, 2e-4]);
    }
}

#[test]
fn relaxation_with_a_ramp() {
    let alpha = 0.6;
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t - y[0];
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let exact = ml(alpha, 1.0, -1.0) + ml(alpha, alpha + 2.0, -1.0);
    check("ramp", &problem, exact, [1e-3, 5e-6, 1e-6]);
}

/// `y'' + D^(3/2) y + y = 12 t^2 + 24/Gamma(7/2) t^(5/2) + t^4`, y = t^4, as four equations of
/// order 1/2. (Not y = t^3, for which quadratures can be exact by coincidence.)
#[test]
fn bagley_torvik() {
    let rhs = |t: f64, z: &[f64], dzdt: &mut [f64]| {
        dzdt[..3].copy_from_slice(&z[1..]);
        dzdt[3] = 12.0 * t * t + 24.0 * t.powf(2.5) / gamma(3.5) + t.powi(4) - z[3] - z[0];
    };
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[0.0; 4]], rhs).unwrap();
    check("Bagley-Torvik", &problem, 1.0, [3e-2, 1e-4, 1e-4]);
}

#[test]
fn oscillator_between_relaxation_and_wave() {
    let (alpha, w, v): (f64, f64, f64) = (1.6, 3.0, 0.5);
    let rhs = move |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -w * w * y[0];
    let problem = Problem::new(&[alpha], (0.0, 2.0), &[&[1.0], &[v]], rhs).unwrap();
    let x = -w * w * 2f64.powf(alpha);
    let exact = ml(alpha, 1.0, x) + v * 2.0 * ml(alpha, 2.0, x);
    check("oscillator", &problem, exact, [3e-2, 2e-4, 1e-3]);
    // All of it is linear: exact.
    for scheme in [Exponential::rectangle(&[-w * w]), Exponential::trapezoid(&[-w * w])] {
        assert!(error(&problem, &scheme, 7, exact) < 1e-14);
    }
}

#[test]
fn power_with_a_square() {
    for alpha in [0.5f64, 0.8] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            dydt[0] = gamma(1.0 + 2.0 * alpha) / gamma(1.0 + alpha) * t.powf(alpha)
                + t.powf(4.0 * alpha)
                - y[0] * y[0];
        };
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
        check("y = t^(2 alpha)", &problem, 1.0, [3e-3, 5e-5, 2e-5]);
    }
}

/// `D^alpha y = -L (y - cos t) + D^alpha cos t`, y = cos t.
#[test]
fn stiff() {
    for (alpha, stiffness) in [(0.5, 1e4), (0.8, 1e6), (0.8, 1e10), (1.0, 1e6)] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            let slope = -t.powf(2.0 - alpha) * ml(2.0, 3.0 - alpha, -t * t);
            dydt[0] = -stiffness * (y[0] - t.cos()) + slope;
        };
        let problem = Problem::new(&[alpha], (0.0, 5.0), &[&[1.0]], rhs).unwrap();
        let exact = 5f64.cos();
        check("stiff", &problem, exact, [3e-6, 1e-8, 1e-7]);
        let exponential = Exponential::trapezoid(&[-stiffness]);
        let found = error(&problem, &exponential, N, exact);
        println!("stiff | {} | {found:.1e}", exponential.name());
        assert!(found < 1e-5, "{found:e}");
    }
}

/// `D^alpha y = -1e4 y + 3`: nothing of it is approximated.
#[test]
fn constant_forcing_is_exact_for_the_exponential_schemes() {
    let (stiffness, n) = (1e4, 20);
    for alpha in [0.3, 0.6, 1.0] {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = 3.0 - stiffness * y[0];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
        for scheme in [Exponential::rectangle(&[-stiffness]), Exponential::trapezoid(&[-stiffness])]
        {
            let solution =
                solve(&problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap();
            for (&t, y) in solution.times().iter().zip(solution.states()) {
                let x = -stiffness * t.powf(alpha);
                let exact = ml(alpha, 1.0, x) + 3.0 * t.powf(alpha) * ml(alpha, alpha + 1.0, x);
                assert!((y - exact).abs() < 1e-15, "{alpha} {t}: {:e}", y - exact);
            }
        }
    }
}

/// Between the nodes too, although the first step is thousands of times longer than the decay.
#[test]
fn the_exponential_schemes_have_their_own_dense_output() {
    let (alpha, stiffness) = (0.6, 1e4);
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (3.0 + t - stiffness * y[0], -y[1]);
    };
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0, 2.0]], rhs).unwrap();
    let scheme = Exponential::trapezoid(&[-stiffness, -1.0]);
    let solution = solve(&problem, &scheme, &Steps::Uniform(20), Options::default()).unwrap();
    for t in [1e-7f64, 1e-3, 0.04, 0.051, 0.33, 0.999] {
        let x = -stiffness * t.powf(alpha);
        let stiff = ml(alpha, 1.0, x)
            + 3.0 * t.powf(alpha) * ml(alpha, alpha + 1.0, x)
            + t.powf(alpha + 1.0) * ml(alpha, alpha + 2.0, x);
        let y = solution.at(t).unwrap();
        assert!((y[0] - stiff).abs() < 1e-14, "{t}: {:e}", y[0] - stiff);
        let slow = 2.0 * ml(alpha, 1.0, -t.powf(alpha));
        assert!((y[1] - slow).abs() < 1e-14, "{t}: {:e}", y[1] - slow);
    }
}

#[test]
fn linear_parts_for_another_number_of_components_are_refused() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt.copy_from_slice(y);
    let problem = Problem::new(&[0.6], (0.0, 1.0), &[&[1.0, 2.0]], rhs).unwrap();
    for linear in [&[][..], &[1.0, 2.0, 3.0]] {
        let scheme = Exponential::rectangle(linear);
        let failure = solve(&problem, &scheme, &Steps::Uniform(4), Options::default()).unwrap_err();
        assert!(matches!(failure.error, OdeError::Length { expected: 2, .. }), "{failure}");
    }
    let scheme = Exponential::rectangle(&[f64::NAN]);
    let failure = solve(&problem, &scheme, &Steps::Uniform(4), Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::OutOfRange { .. }), "{failure}");
}

/// A matrix that is not normal, stiff in one direction; then the same with a forcing, by both forms
/// of the linear part.
#[test]
fn a_matrix_as_linear_part() {
    let (alpha, n) = (0.7, 60);
    let a = [-1.0, 4.0, 0.0, 0.0, -2000.0, 3.0, 0.5, 0.0, -1.5];
    let dense = nalgebra::DMatrix::from_row_slice(3, 3, &a);
    let times = move |y: &[f64], out: &mut [f64]| {
        for (out, row) in out.iter_mut().zip(a.chunks_exact(3)) {
            *out = row.iter().zip(y).map(|(a, y)| a * y).sum();
        }
    };
    let y0 = [1.0, 0.5, -0.25];
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        times(y, dydt);
        dydt.iter_mut().for_each(|f| *f += 3.0);
    };
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&y0], rhs).unwrap();
    let e = |b: f64| hpfracc_special::mittag_leffler_matrix(alpha, b, &dense).unwrap();
    let exact = e(1.0) * nalgebra::DVector::from_row_slice(&y0)
        + e(alpha + 1.0) * nalgebra::DVector::from_element(3, 3.0);
    for scheme in [Exponential::rectangle_of_matrix(&a), Exponential::trapezoid_of_matrix(&a)] {
        let solution = solve(&problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap();
        for (y, exact) in solution.last().iter().zip(exact.iter()) {
            assert!((y - exact).abs() < 1e-12, "{}: {:e}", scheme.name(), y - exact);
        }
    }
    // A diagonal matrix is numbers.
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (t - 30.0 * y[0], y[0] * y[0] - 2.0 * y[1]);
    };
    for initial in [&[&[1.0, 2.0][..]][..], &[&[1.0, 2.0], &[0.5, 0.0]]] {
        let alpha = initial.len() as f64 - 0.3;
        let problem = Problem::new(&[alpha], (0.0, 1.0), initial, rhs).unwrap();
        let diagonal = [-30.0, 0.0, 0.0, -2.0];
        for (matrix, numbers) in [
            (Exponential::rectangle_of_matrix(&diagonal), Exponential::rectangle(&[-30.0, -2.0])),
            (Exponential::trapezoid_of_matrix(&diagonal), Exponential::trapezoid(&[-30.0, -2.0])),
        ] {
            let by =
                |scheme| solve(&problem, scheme, &Steps::Uniform(n), Options::default()).unwrap();
            let difference = &by(&matrix).states() - &by(&numbers).states();
            assert!(difference.iter().all(|d| d.abs() < 1e-12), "{difference}");
        }
    }
}

/// Where the solution decays, however fast and however it turns, the methods that say so decay too.
#[test]
fn multistep_methods_are_stable_where_the_solution_decays() {
    for (scheme, alphas) in [
        (LinearMultistep::Trapezoidal, [0.3, 0.7, 1.0]),
        (LinearMultistep::Bdf2, [0.5, 1.0, 1.5]),
        (LinearMultistep::NewtonGregory, [0.3, 0.7, 1.0]),
    ] {
        for alpha in alphas {
            for size in [1.0, 30.0, 1e3, 1e6] {
                let (sin, cos) = (1.05 * alpha * std::f64::consts::FRAC_PI_2).sin_cos();
                let rhs = move |_: f64, y: &[f64], dydt: &mut [f64]| {
                    dydt[0] = size * (cos * y[0] - sin * y[1]);
                    dydt[1] = size * (sin * y[0] + cos * y[1]);
                };
                let initial: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 0.0]];
                let initial = &initial[..f64::ceil(alpha) as usize];
                let problem = Problem::new(&[alpha], (0.0, 300.0), initial, rhs).unwrap();
                let found =
                    solve(&problem, &scheme, &Steps::Uniform(600), Options::default()).unwrap();
                let most = found.states().iter().fold(0.0, |most: f64, y| most.max(y.abs()));
                assert!(most < 5.0, "{} {alpha} {size}: {most}", scheme.name());
            }
        }
    }
}

/// The weights far from the start come from quadrature and not from differences; a forcing t^2
/// whose response is known sees all of them.
#[test]
fn many_exponential_steps_keep_their_digits() {
    for (alpha, lambda, n) in [(0.6, -50.0, 20_000), (0.6, 0.5, 2000), (1.7, -4.0, 20_000)] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = lambda * y[0] + 1.0 + t;
        let initial: [&[f64]; 2] = [&[1.0], &[0.0]];
        let initial = &initial[..f64::ceil(alpha) as usize];
        let problem = Problem::new(&[alpha], (0.0, 2.0), initial, rhs).unwrap();
        let (t, x) = (2f64, lambda * 2f64.powf(alpha));
        let exact = ml(alpha, 1.0, x)
            + t.powf(alpha) * ml(alpha, alpha + 1.0, x)
            + t.powf(alpha + 1.0) * ml(alpha, alpha + 2.0, x);
        // F is linear: only rounding is left.
        let found = error(&problem, &Exponential::trapezoid(&[lambda]), n, exact);
        println!("exponential | {alpha} {lambda} {n} | {found:.1e}");
        assert!(found < 1e-13, "{alpha} {lambda}: {found:e}");
    }
}

/// Two components of different orders, coupled; y = (t^2, t^(3/2)).
#[test]
fn an_order_for_each_component() {
    let orders = [0.4, 0.7];
    let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] =
            2.0 / gamma(3.0 - orders[0]) * t.powf(2.0 - orders[0]) + y[1] - t.powf(1.5) - y[0]
                + t * t;
        dydt[1] = gamma(2.5) / gamma(2.5 - orders[1]) * t.powf(1.5 - orders[1]) + t * t - y[0];
    };
    let problem = Problem::new(&orders, (0.0, 1.0), &[&[0.0, 0.0]], rhs).unwrap();
    check("two orders", &problem, 1.0, [3e-3, 2e-5, 2e-5]);
    let exponential = Exponential::trapezoid(&[-1.0, 0.0]);
    assert!(error(&problem, &exponential, N, 1.0) < 2e-5);
}
