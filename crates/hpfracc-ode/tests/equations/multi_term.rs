use super::{largest, order, pece};
use hpfracc_ode::OdeError;
use hpfracc_ode::{MultiTerm, Problem};
use hpfracc_special::{gamma, prabhakar};

/// `D^a t^p`.
fn power(p: f64, a: f64, t: f64) -> f64 {
    gamma(p + 1.0) / gamma(p + 1.0 - a) * t.powf(p - a)
}

/// Bagley and Torvik with y = t^4. (With t^3 the errors of two quadratures cancel in the Volterra
/// form for y, which would say nothing; this form, for y'', would err there too.)
#[test]
fn bagley_torvik_has_order_two() {
    let problem = MultiTerm::linear(
        &[1.5, 2.0],
        (0.0, 1.0),
        &[&[0.0], &[0.0]],
        |_, c| c.fill(1.0),
        |t, _, out| out[0] = power(4.0, 2.0, t) + power(4.0, 1.5, t) + t.powi(4),
    )
    .unwrap();
    let (order, error) = order("Bagley-Torvik, t^4, PECE 2", &[50, 100, 200, 400], |n| {
        let solution = pece(&problem, 2, n);
        let errors = solution.times().iter().enumerate();
        largest(errors.map(|(j, t)| solution.trajectory().state(j)[0] - t.powi(4)))
    });
    assert!((order - 2.0).abs() < 0.2 && error < 2e-5, "{order} {error:e}");
}

/// Powers that initial values leave in lower derivatives: `D^1/2 (2t)` is not 0. Coefficients
/// depend on t, the leading one too.
#[test]
fn initial_slopes_in_lower_derivatives() {
    let exact = |t: f64| 1.0 + 2.0 * t + t.powi(4);
    let half = |t: f64| 2.0 * power(1.0, 0.5, t) + power(4.0, 0.5, t);
    let problem = MultiTerm::linear(
        &[0.5, 1.7],
        (0.0, 1.0),
        &[&[1.0], &[2.0]],
        |t, c| c.copy_from_slice(&[t.cos(), 1.0 + t, 2.0 - t]),
        |t, y, out| {
            out[0] = (2.0 - t) * power(4.0, 1.7, t) + (1.0 + t) * half(t) + t.cos() * exact(t)
                - (y[0] - exact(t)).sin();
        },
    )
    .unwrap();
    let (order, error) = order("D^1.7, D^1/2 with c(t), PECE 2", &[50, 100, 200, 400], |n| {
        let solution = pece(&problem, 2, n);
        (solution.last()[0] - exact(1.0)).abs()
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
    let solution = pece(&problem, 2, 400);
    let (t, state) = (solution.times()[200], solution.trajectory().state(200));
    let derivative = problem.system().derivative(1, t, state).unwrap()[0];
    assert!((derivative - half(t)).abs() < 1e-4, "{derivative} {}", half(t));
}

/// Two components, orders without a common divisor, a product with a derivative.
#[test]
fn a_nonlinear_system() {
    let exact = |t: f64| [t.powi(4), 1.0 - t.powi(3)];
    let problem = MultiTerm::explicit(
        &[0.31, 1.1, 1.7],
        (0.0, 1.0),
        &[&[0.0, 1.0], &[0.0, 0.0]],
        |t, terms, out| {
            let (y, low, middle) = (&terms[..2], &terms[2..4], &terms[4..]);
            let known = exact(t);
            out[0] = power(4.0, 1.7, t) + y[1] * low[0] - known[1] * power(4.0, 0.31, t);
            out[1] = -power(3.0, 1.7, t) + middle[0] - power(4.0, 1.1, t) + known[0] - y[0];
        },
    )
    .unwrap();
    let (order, error) = order("system, 0.31, 1.1, 1.7, PECE 3", &[50, 100, 200, 400], |n| {
        let solution = pece(&problem, 3, n);
        largest(exact(1.0).iter().zip(solution.last()).map(|(y, found)| y - found))
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

/// y' + 2 D^1/2 y + y = 0, y(0) = 1, by Laplace's transform (1 + 2 s^(-1/2))/(s^(1/2) + 1)^2. Its
/// slope is -1 + c t^(1/2), so that the order is 3/2.
#[test]
fn a_double_root() {
    let exact = |t: f64| {
        let x = -t.sqrt();
        prabhakar(0.5, 1.0, 2.0, x).unwrap() + 2.0 * t.sqrt() * prabhakar(0.5, 1.5, 2.0, x).unwrap()
    };
    let problem = MultiTerm::linear(
        &[0.5, 1.0],
        (0.0, 1.0),
        &[&[1.0]],
        |_, c| c.copy_from_slice(&[1.0, 2.0, 1.0]),
        |_, _, out| out[0] = 0.0,
    )
    .unwrap();
    let (order, error) = order("y' + 2 D^1/2 y + y, PECE 3", &[100, 200, 400, 800], |n| {
        (pece(&problem, 3, n).last()[0] - exact(1.0)).abs()
    });
    assert!((order - 1.5).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

/// Integer orders: the damped oscillator.
#[test]
fn integer_orders_are_classical() {
    let problem = MultiTerm::linear(
        &[1.0, 2.0],
        (0.0, 2.0),
        &[&[1.0], &[0.0]],
        |_, c| c.fill(1.0),
        |_, _, out| out[0] = 0.0,
    )
    .unwrap();
    let w = 0.75f64.sqrt();
    let exact = (-1.0f64).exp() * ((2.0 * w).cos() + (2.0 * w).sin() / (2.0 * w));
    let (order, error) = order("y'' + y' + y, PECE 1", &[50, 100, 200, 400], |n| {
        (pece(&problem, 1, n).last()[0] - exact).abs()
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

#[test]
fn one_term_is_the_problem_itself() {
    let rhs = |t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0];
    let (orders, initial): (&[f64], &[&[f64]]) = (&[1.3], &[&[1.0], &[-0.5]]);
    let one = MultiTerm::explicit(orders, (0.0, 1.0), initial, rhs).unwrap();
    let plain = Problem::new(orders, (0.0, 1.0), initial, rhs).unwrap();
    assert_eq!(pece(&one, 1, 50).states(), pece(&plain, 1, 50).states());
}

#[test]
fn invalid_arguments_are_errors() {
    let make = |orders: &[f64], initial: &[&[f64]]| {
        let f = |_: f64, _: &[f64], out: &mut [f64]| out[0] = 0.0;
        MultiTerm::explicit(orders, (0.0, 1.0), initial, f).map(|_| ()).unwrap_err()
    };
    assert!(matches!(make(&[], &[&[1.0]]), OdeError::Empty));
    assert!(matches!(make(&[0.5], &[&[]]), OdeError::Empty));
    assert!(matches!(make(&[0.5], &[]), OdeError::Empty));
    let order = make(&[0.5, f64::NAN], &[&[1.0]]);
    assert!(matches!(order, OdeError::Order { component: 1, .. }), "{order}");
    let decreasing = make(&[0.5, 0.5], &[&[1.0]]);
    assert!(matches!(decreasing, OdeError::OutOfRange { .. }), "{decreasing}");
    let rows = make(&[0.5, 1.5], &[&[1.0]]);
    assert!(matches!(rows, OdeError::InitialRows { found: 1, expected: 2 }), "{rows}");
    let ragged = make(&[0.5, 1.5], &[&[1.0], &[1.0, 2.0]]);
    assert!(matches!(ragged, OdeError::Length { found: 2, expected: 1, .. }), "{ragged}");
    let f = |_: f64, _: &[f64], out: &mut [f64]| out[0] = 0.0;
    let problem = MultiTerm::explicit(&[0.5, 1.5], (0.0, 1.0), &[&[1.0], &[0.0]], f).unwrap();
    assert!(problem.system().derivative(2, 0.5, &[0.0; 2]).is_err());
    assert!(problem.system().derivative(0, 0.5, &[0.0; 3]).is_err());
}

/// Where the leading coefficient vanishes there is no highest derivative.
#[test]
fn a_singular_point_is_named() {
    let problem = MultiTerm::linear(
        &[0.5],
        (0.0, 1.0),
        &[&[1.0]],
        |t, c| c.copy_from_slice(&[1.0, 0.5 - t]),
        |_, _, out| out[0] = 0.0,
    )
    .unwrap();
    let scheme = hpfracc_ode::AdamsBashforthMoulton::default();
    let steps = hpfracc_ode::Steps::Uniform(4);
    let failure = hpfracc_ode::solve(&problem, &scheme, &steps, Default::default());
    let error = failure.unwrap_err().error;
    assert!(matches!(error, OdeError::NotFinite { t: 0.5, .. }), "{error}");
}
