use super::{largest, order, pece};
use hpfracc_ode::OdeError;
use hpfracc_ode::{LinearSystem, Problem};
use hpfracc_special::{mittag_leffler, mittag_leffler_derivative};

fn close(found: &[f64], exact: &[f64], tolerance: f64) {
    assert_eq!(found.len(), exact.len());
    let scale = largest(exact.iter().copied());
    let error = largest(found.iter().zip(exact).map(|(found, exact)| found - exact)) / scale;
    assert!(error < tolerance, "{found:?} {exact:?} {error:e}");
}

/// A Jordan block with a large coupling: E(l x) and the coupling times x E'(l x).
#[test]
fn a_matrix_without_eigenvectors() {
    for alpha in [0.4, 0.9, 1.7] {
        let zeros: &[f64] = &[0.0, 0.0];
        let initial: &[&[f64]] = &[&[1.0, 2.0], zeros];
        let rows = if alpha > 1.0 { 2 } else { 1 };
        let matrix = [-1.5, 100.0, 0.0, -1.5];
        let system = LinearSystem::new(alpha, &matrix, 0.0, &initial[..rows]).unwrap();
        for t in [0.01, 0.7, 5.0] {
            let (x, z) = (f64::powf(t, alpha), -1.5 * f64::powf(t, alpha));
            let e = mittag_leffler(alpha, 1.0, z).unwrap();
            let slope = mittag_leffler_derivative(alpha, 1.0, 1, z).unwrap();
            close(&system.at(t).unwrap(), &[e + 200.0 * x * slope, 2.0 * e], 1e-12);
        }
    }
}

/// Both initial rows of the oscillator, from t0 = 2.
#[test]
fn an_order_above_one() {
    let (alpha, w) = (1.4, 9.0);
    let system = LinearSystem::new(alpha, &[-w], 2.0, &[&[1.0], &[-0.5]]).unwrap();
    for t in [2.0, 2.3, 6.0] {
        let x: f64 = t - 2.0;
        let e = |beta: f64| mittag_leffler(alpha, beta, -w * x.powf(alpha)).unwrap();
        close(&system.at(t).unwrap(), &[e(1.0) - 0.5 * x * e(2.0)], 1e-12);
    }
}

/// Complex eigenvalues: y_1 = exp(-t), and order 1: a rotation.
#[test]
fn complex_eigenvalues() {
    let matrix = [0.0, 1.0, -1.0, 0.0];
    let half = LinearSystem::new(0.5, &matrix, 0.0, &[&[1.0, 0.0]]).unwrap();
    let one = LinearSystem::new(1.0, &matrix, 0.0, &[&[1.0, 0.0]]).unwrap();
    for t in [0.1f64, 1.0, 4.0] {
        assert!((half.at(t).unwrap()[0] - (-t).exp()).abs() < 1e-14);
        close(&one.at(t).unwrap(), &[t.cos(), -t.sin()], 1e-14);
    }
}

/// D^a y = -y + t from y_0, and a power between: against the formulas for numbers.
#[test]
fn powers_are_exact() {
    let (alpha, t) = (0.6f64, 1.7f64);
    let system = LinearSystem::new(alpha, &[-1.0], 0.0, &[&[2.0]])
        .and_then(|system| system.with_power(1.0, &[1.0]))
        .and_then(|system| system.with_power(-0.5, &[0.3]))
        .unwrap();
    let e = |beta: f64| t.powf(beta - 1.0) * mittag_leffler(alpha, beta, -t.powf(alpha)).unwrap();
    let sqrt_pi = std::f64::consts::PI.sqrt();
    let exact = 2.0 * e(1.0) + e(alpha + 2.0) + 0.3 * sqrt_pi * e(alpha + 0.5);
    close(&system.at(t).unwrap(), &[exact], 1e-13);
}

/// Forcings by panels: cubics exactly, stiff or not.
#[test]
fn panels_have_cubics_exactly() {
    let stiff = [-1e4, 1.0, 0.0, -2.0];
    for (alpha, matrix) in [(0.5, stiff), (0.9, MILD), (1.0, MILD)] {
        let system = LinearSystem::new(alpha, &matrix, 0.5, &[&[1.0, 1.0]]).unwrap();
        let exact = system.clone().with_power(3.0, &[1.0, -1.0]).unwrap().at(2.5).unwrap();
        for panels in [1, 7] {
            let g = |t: f64, g: &mut [f64]| {
                (g[0], g[1]) = ((t - 0.5).powi(3), -(t - 0.5).powi(3));
            };
            close(&system.at_forced(2.5, panels, g).unwrap(), &exact, 1e-12);
        }
    }
}

const MILD: [f64; 4] = [-1.0, 3.0, -3.0, -1.0];

/// At least 4: the error of each cubic has mean 0, so that only the kernel's slope sees it.
#[test]
fn the_order_of_panels() {
    for alpha in [0.3, 0.5, 0.8, 1.5] {
        let rows: &[&[f64]] = &[&[1.0, 0.0], &[0.5, 0.0]];
        let rows = if alpha > 1.0 { rows } else { &rows[..1] };
        let system = LinearSystem::new(alpha, &MILD, 0.5, rows).unwrap();
        let exact = system.clone().with_power(5.0, &[0.0, 1.0]).unwrap().at(2.5).unwrap();
        let name = format!("matrix function, t^5 by panels, alpha {alpha}");
        let (order, error) = order(&name, &[8, 16, 32, 64], |panels| {
            let g = |t: f64, g: &mut [f64]| (g[0], g[1]) = (0.0, (t - 0.5).powi(5));
            let found = system.at_forced(2.5, panels, g).unwrap();
            largest(found.iter().zip(&exact).map(|(y, exact)| y - exact))
        });
        assert!(order > 4.0 && error < 1e-5, "{alpha}: {order} {error:e}");
    }
}

/// The schemes go to the same solution: also a check of the equation as a right-hand side.
#[test]
fn schemes_agree() {
    let system = LinearSystem::new(0.7, &[-1.0, 4.0, 0.0, -2.0], 0.0, &[&[1.0, -1.0]])
        .and_then(|system| system.with_power(1.0, &[0.5, 2.0]))
        .unwrap();
    let exact = system.at(1.0).unwrap();
    let problem = Problem::of(&system, &[0.7], (0.0, 1.0), &[&[1.0, -1.0]]).unwrap();
    let (order, error) = order("the same by PECE 2, alpha 0.7", &[100, 200, 400, 800], |n| {
        let solution = pece(&problem, 2, n);
        largest(solution.last().iter().zip(&exact).map(|(y, exact)| y - exact))
    });
    assert!((order - 1.7).abs() < 0.2 && error < 1e-3, "{order} {error:e}");
}

#[test]
fn invalid_arguments_are_errors() {
    let make = |alpha: f64, matrix: &[f64], initial: &[&[f64]]| {
        LinearSystem::new(alpha, matrix, 0.0, initial).map(|_| ()).unwrap_err()
    };
    assert!(matches!(make(0.0, &[1.0], &[&[1.0]]), OdeError::Order { .. }));
    assert!(matches!(make(0.5, &[1.0, 2.0], &[&[1.0]]), OdeError::Length { .. }));
    assert!(matches!(make(0.5, &[f64::NAN], &[&[1.0]]), OdeError::OutOfRange { .. }));
    assert!(matches!(make(1.5, &[1.0], &[&[1.0]]), OdeError::InitialRows { .. }));
    assert!(matches!(make(0.5, &[], &[&[]]), OdeError::Empty));
    assert!(matches!(
        make(0.5, &[1.0], &[&[f64::INFINITY]]),
        OdeError::InitialNotFinite { derivative: 0, component: 0, .. }
    ));
    let system = LinearSystem::new(0.5, &[1.0], 0.0, &[&[1.0]]).unwrap();
    assert!(matches!(system.at(-1.0).unwrap_err(), OdeError::Outside { .. }));
    assert!(matches!(system.at(f64::NAN).unwrap_err(), OdeError::Outside { .. }));
    assert!(matches!(system.at(1e6).unwrap_err(), OdeError::NotFinite { .. }));
    assert!(system.clone().with_power(-1.0, &[1.0]).is_err());
    assert!(system.clone().with_power(1.0, &[1.0, 2.0]).is_err());
    assert!(system.at_forced(1.0, 0, |_, g| g[0] = 0.0).is_err());
    let error = system.at_forced(1.0, 2, |t, g| g[0] = if t > 0.9 { f64::NAN } else { 0.0 });
    assert!(matches!(error.unwrap_err(), OdeError::NotFinite { t: 1.0, .. }));
}
