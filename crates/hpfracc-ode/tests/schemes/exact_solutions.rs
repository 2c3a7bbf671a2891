//! Equations with known solutions, by the predictor-corrector method.

use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, System, solve};
use hpfracc_special::{gamma, mittag_leffler, mittag_leffler_matrix};
use hpfracc_testkit::observed_order;
use nalgebra::{DMatrix, DVector};

/// Errors of the first component at the end for N, 2N, 4N, 8N steps: the last, and the order.
fn convergence<S: System>(problem: &Problem<S>, n: usize, exact: f64) -> (f64, f64) {
    let errors: Vec<(f64, f64)> = (0..4)
        .map(|doubling| {
            let n = n << doubling;
            let scheme = AdamsBashforthMoulton::default();
            let solution = solve(problem, &scheme, &Steps::Uniform(n), Options::default()).unwrap();
            (1.0 / n as f64, (solution.last()[0] - exact).abs())
        })
        .collect();
    (errors[3].1, observed_order(&errors))
}

fn ml(alpha: f64, beta: f64, x: f64) -> f64 {
    mittag_leffler(alpha, beta, x).unwrap()
}

fn expect(what: &str, (error, order): (f64, f64), most: f64, least_order: f64) {
    println!("{what}: error {error:.2e}, order {order:.2}");
    assert!(error < most, "{what}: error {error:e}");
    assert!(order > least_order, "{what}: order {order}");
}

#[test]
fn relaxation() {
    for (alpha, most) in [(0.5, 2e-5), (0.8, 2e-6)] {
        let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
        let found = convergence(&problem, 200, ml(alpha, 1.0, -1.0));
        expect("relaxation", found, most, 1.0 + alpha - 0.2);
    }
}

#[test]
fn polynomial() {
    for alpha in [0.4, 0.9] {
        let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
            dydt[0] = -y[0] + t * t + 2.0 * t.powf(2.0 - alpha) / gamma(3.0 - alpha);
        };
        let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0]], rhs).unwrap();
        expect("y = t^2", convergence(&problem, 200, 1.0), 1e-4, 1.0 + alpha - 0.2);
    }
}

#[test]
fn three_powers() {
    // alpha = 0.25 and 1.25 are in `adams.rs`, against the published errors.
    let alpha: f64 = 1.5;
    let rhs = move |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = 40320.0 / gamma(9.0 - alpha) * t.powf(8.0 - alpha)
            - 3.0 * gamma(5.0 + alpha / 2.0) / gamma(5.0 - alpha / 2.0) * t.powf(4.0 - alpha / 2.0)
            + 2.25 * gamma(alpha + 1.0)
            + (1.5 * t.powf(alpha / 2.0) - t.powi(4)).powi(3)
            - y[0].abs().powf(1.5);
    };
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[0.0], &[0.0]], rhs).unwrap();
    expect("three powers", convergence(&problem, 100, 0.25), 1e-5, 1.8);
}

#[test]
fn relaxation_with_a_ramp() {
    let alpha = 0.6;
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = t - y[0];
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let exact = ml(alpha, 1.0, -1.0) + ml(alpha, alpha + 2.0, -1.0);
    expect("ramp", convergence(&problem, 200, exact), 1e-5, 1.4);
}

/// `y'' + D^(3/2) y + y = rhs` as four equations of order 1/2.
fn bagley_torvik(rhs: impl Fn(f64) -> f64, initial: (f64, f64)) -> Problem<impl System> {
    let system = move |t: f64, z: &[f64], dzdt: &mut [f64]| {
        dzdt[..3].copy_from_slice(&z[1..]);
        dzdt[3] = rhs(t) - z[3] - z[0];
    };
    let rows: [&[f64]; 1] = [&[initial.0, 0.0, initial.1, 0.0]];
    Problem::new(&[0.5], (0.0, 1.0), &rows, system).unwrap()
}

#[test]
fn bagley_torvik_of_a_line_and_of_a_power() {
    let line = bagley_torvik(|t| 1.0 + t, (1.0, 1.0));
    expect("Bagley-Torvik, 1 + t", convergence(&line, 200, 2.0), 1e-4, 1.3);
    // Not t^3, for which quadratures of this equation can be exact by coincidence.
    let power =
        bagley_torvik(|t| 12.0 * t * t + 24.0 * t.powf(2.5) / gamma(3.5) + t.powi(4), (0.0, 0.0));
    expect("Bagley-Torvik, t^4", convergence(&power, 200, 1.0), 1e-3, 1.3);
}

#[test]
fn oscillator_between_relaxation_and_wave() {
    let (alpha, w, v): (f64, f64, f64) = (1.6, 3.0, 0.5);
    let rhs = move |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -w * w * y[0];
    let problem = Problem::new(&[alpha], (0.0, 2.0), &[&[1.0], &[v]], rhs).unwrap();
    let x = -w * w * 2f64.powf(alpha);
    let exact = ml(alpha, 1.0, x) + v * 2.0 * ml(alpha, 2.0, x);
    expect("oscillator", convergence(&problem, 200, exact), 1e-4, 1.8);
}

#[test]
fn linear_system_with_a_matrix_that_is_not_normal() {
    let alpha = 0.7;
    let a = DMatrix::from_row_slice(3, 3, &[-1.0, 4.0, 0.0, 0.0, -2.0, 3.0, 0.5, 0.0, -1.5]);
    let matrix = a.clone();
    let rhs = move |_: f64, y: &[f64], dydt: &mut [f64]| {
        for (i, dydt) in dydt.iter_mut().enumerate() {
            *dydt = (0..3).map(|j| matrix[(i, j)] * y[j]).sum();
        }
    };
    let y0 = [1.0, 0.5, -0.25];
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&y0], rhs).unwrap();
    let exact = mittag_leffler_matrix(alpha, 1.0, &a).unwrap() * DVector::from_row_slice(&y0);
    expect("linear system", convergence(&problem, 200, exact[0]), 1e-3, 1.4);
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
        expect("y = t^(2 alpha)", convergence(&problem, 200, 1.0), 1e-4, 1.0 + alpha - 0.2);
    }
}

#[test]
fn two_half_orders_make_an_exponential() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -y[0]);
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0, 0.0]], rhs).unwrap();
    // The error changes its sign: its size is tested, its slope means nothing.
    expect("e^-t", convergence(&problem, 500, (-1f64).exp()), 1e-5, 0.0);
}
