use super::{largest, order, pece};
use hpfracc_ode::OdeError;
use hpfracc_ode::{Problem, Rhs, RiemannLiouville, System};
use hpfracc_special::{gamma, mittag_leffler, mittag_leffler_matrix};
use nalgebra::{DMatrix, DVector};

fn nothing() -> impl System {
    Rhs(|_: f64, _: &[f64], out: &mut [f64]| out.fill(0.0))
}

/// `D_RL^a y = -2 y`, I^(1-a) y(0) = 1: t^(a-1) E_{a,a}(-2 t^a). Away from the start (at one time
/// the error may change its sign), and over all nodes relative to t^(a-1).
#[test]
fn relaxation_has_order_two() {
    // Enough passes that only the error of the trapezoidal rule remains.
    for (alpha, passes) in [(0.3, 20), (0.5, 10), (0.8, 10), (1.0, 10)] {
        let problem =
            RiemannLiouville::problem(alpha, &[-2.0], (0.0, 1.0), &[&[1.0]], nothing()).unwrap();
        let errors = |n: usize| -> Vec<f64> {
            let solution = pece(&problem, passes, n);
            let error = |&t: &f64| {
                let e = mittag_leffler(alpha, alpha, -2.0 * t.powf(alpha)).unwrap();
                problem.system().value(&solution, t).unwrap()[0] * t.powf(1.0 - alpha) - e
            };
            solution.times()[1..].iter().map(error).collect()
        };
        let numbers = [100, 200, 400, 800];
        let name = format!("D_RL^{alpha}, PECE {passes}");
        let (late, error) =
            order(&format!("{name}, t >= 1/2"), &numbers, |n| largest(errors(n).drain(n / 2..)));
        assert!((late - 2.0).abs() < 0.2 && error < 1e-5, "{alpha}: {late} {error:e}");
        let (over_all, error) =
            order(&format!("{name}, all nodes"), &numbers, |n| largest(errors(n).into_iter()));
        // For 0.3 many powers overlap near the start.
        assert!((1.65..2.2).contains(&over_all) && error < 1e-5, "{alpha}: {over_all} {error:e}");
    }
}

/// Both initial values of an order between 1 and 2, from t0 = 1.
#[test]
fn two_initial_values() {
    let alpha = 1.6;
    let problem =
        RiemannLiouville::problem(alpha, &[-1.0], (1.0, 3.0), &[&[0.7], &[-0.4]], nothing())
            .unwrap();
    let exact = |x: f64| {
        let e =
            |beta: f64| x.powf(beta - 1.0) * mittag_leffler(alpha, beta, -x.powf(alpha)).unwrap();
        0.7 * e(alpha) - 0.4 * e(alpha - 1.0)
    };
    let (order, error) = order("D_RL^1.6, PECE 1", &[50, 100, 200, 400], |n| {
        let solution = pece(&problem, 1, n);
        let value = |t: f64| problem.system().value(&solution, t).unwrap()[0];
        (value(3.0) - exact(2.0)).abs() + (value(1.001) - exact(0.001)).abs()
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

/// A system with complex eigenvalues and a forcing.
#[test]
fn a_system_against_the_matrix_function() {
    let (alpha, slope, t) = (0.7, [-0.5, 2.0, -2.0, -0.5], 1.5f64);
    let forcing = Rhs(|t: f64, _: &[f64], out: &mut [f64]| (out[0], out[1]) = (t, 0.0));
    let problem =
        RiemannLiouville::problem(alpha, &slope, (0.0, t), &[&[1.0, 0.5]], forcing).unwrap();
    let matrix = DMatrix::from_row_slice(2, 2, &slope);
    let e = |beta: f64| {
        let of = mittag_leffler_matrix(alpha, beta, &(&matrix * t.powf(alpha))).unwrap();
        of * t.powf(beta - 1.0)
    };
    let exact = e(alpha) * DVector::from_vec(vec![1.0, 0.5])
        + e(alpha + 2.0) * DVector::from_vec(vec![1.0, 0.0]);
    let (order, error) = order("D_RL^0.7 system, PECE 10", &[100, 200, 400, 800], |n| {
        let y = problem.system().value(&pece(&problem, 10, n), t).unwrap();
        largest(y.iter().zip(exact.iter()).map(|(y, exact)| y - exact))
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

/// y = t^(a-1)/Gamma(a) + t^2, with a g that sees y and stays bounded.
#[test]
fn a_nonlinear_equation() {
    let alpha = 0.6;
    let exact = move |t: f64| t.powf(alpha - 1.0) / gamma(alpha) + t * t;
    let g = Rhs(move |t: f64, y: &[f64], out: &mut [f64]| {
        let scaled = t.powf(1.0 - alpha);
        out[0] = 2.0 / gamma(3.0 - alpha) * t.powf(2.0 - alpha) + (scaled * exact(t)).cos()
            - (scaled * y[0]).cos();
    });
    let problem = RiemannLiouville::problem(alpha, &[0.0], (0.0, 1.0), &[&[1.0]], g).unwrap();
    let (order, error) = order("D_RL^0.6 nonlinear, PECE 2", &[50, 100, 200, 400], |n| {
        let solution = pece(&problem, 2, n);
        let errors = solution.times()[1..].iter();
        largest(errors.map(|&t| problem.system().value(&solution, t).unwrap()[0] - exact(t)))
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
}

/// At order 1 there is no difference to a Caputo problem but S.
#[test]
fn order_one_is_classical() {
    let decay = |_: f64, y: &[f64], out: &mut [f64]| out[0] = -y[0];
    let caputo = Problem::new(&[1.0], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    let classical = pece(&caputo, 20, 400).last()[0];
    for alpha in [1.0, 1.0 - 1e-9] {
        let problem =
            RiemannLiouville::problem(alpha, &[-1.0], (0.0, 1.0), &[&[1.0]], nothing()).unwrap();
        let y = problem.system().value(&pece(&problem, 20, 400), 1.0).unwrap()[0];
        assert!((y - (-1.0f64).exp()).abs() < 1e-6, "{alpha}: {y}");
        assert!((y - classical).abs() < 1e-6, "{alpha}: {y} {classical}");
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let make = |slope: &[f64], initial: &[&[f64]]| {
        RiemannLiouville::problem(0.5, slope, (0.0, 1.0), initial, nothing()).map(|_| ())
    };
    assert!(matches!(make(&[1.0], &[&[1.0, 2.0]]).unwrap_err(), OdeError::Length { .. }));
    assert!(matches!(make(&[f64::NAN], &[&[1.0]]).unwrap_err(), OdeError::NotFinite { .. }));
    assert!(matches!(make(&[1.0], &[]).unwrap_err(), OdeError::Empty));
    // The series of the start would have 1e308 terms.
    for order in [f64::MIN_POSITIVE, 1e-9, 1.0 / 1025.0] {
        let low = RiemannLiouville::problem(order, &[0.0], (0.0, 1.0), &[&[1.0]], nothing());
        assert!(matches!(low.map(|_| ()).unwrap_err(), OdeError::OutOfRange { .. }), "{order}");
    }
    RiemannLiouville::problem(1.0 / 1024.0, &[0.0], (0.0, 1.0), &[&[1.0]], nothing()).unwrap();
    let rows = make(&[1.0], &[&[1.0], &[1.0]]).unwrap_err();
    assert!(matches!(rows, OdeError::InitialRows { found: 2, expected: 1 }), "{rows}");
    // The singular y enters by J, not by g; for any t0.
    for t0 in [0.0, -3.0] {
        let g = Rhs(|_: f64, y: &[f64], out: &mut [f64]| out[0] = -y[0]);
        let error = RiemannLiouville::problem(0.4, &[0.0], (t0, 1.0), &[&[1.0]], g)
            .map(|_| ())
            .unwrap_err();
        assert!(matches!(error, OdeError::Unbounded { component: 0, .. }), "{error}");
    }
}

/// The solution is finite next to t0, not at t0.
#[test]
fn no_value_at_the_start() {
    let problem =
        RiemannLiouville::problem(0.5, &[-1.0], (0.0, 1.0), &[&[1.0]], nothing()).unwrap();
    let solution = pece(&problem, 1, 10);
    assert_eq!(solution.trajectory().state(0), [0.0]);
    let error = problem.system().value(&solution, 0.0).unwrap_err();
    assert!(matches!(error, OdeError::Outside { t: 0.0, .. }), "{error}");
    let y = problem.system().value(&solution, 1e-10).unwrap()[0];
    assert!((y / (1e5 * mittag_leffler(0.5, 0.5, -1e-5).unwrap()) - 1.0).abs() < 1e-9, "{y}");
}
